import { type FormEvent, useEffect, useRef } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { CartLine } from '#contract/cart.ts'
import { discountedCents } from '#contract/rules.ts'
import { pleaseChoose, type Variant } from '#contract/variants.ts'
import { optionNames } from '#lib/catalogue/variants.ts'
import { formatExact } from '#lib/format.ts'

interface Props {
  line: CartLine
  variants: Variant[]
  isBusy: boolean
  onSave: (variantId: string) => void
  /** Undefined if a variant has to be chosen. */
  onCancel: (() => void) | undefined
}

/** A select of a product's variants, for a line of the cart. */
export function VariantForm({ line, variants, isBusy, onSave, onCancel }: Props) {
  const select = useRef<HTMLSelectElement>(null)
  const names = optionNames(variants)
  const pricesDiffer = new Set(variants.map(discountedCents)).size > 1
  const id = `variant-${line._id}`
  useEffect(() => {
    if (onCancel) select.current?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only when it opens.
  }, [])

  function submit(event: FormEvent) {
    event.preventDefault()
    onSave(select.current?.value ?? '')
  }

  return (
    <form onSubmit={submit} aria-label={`Variant of ${line.product.name}`} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-32">
        <label
          htmlFor={id}
          data-missing={!line.variant}
          className="mb-1 block text-sm font-medium data-[missing=true]:text-bad"
        >
          {line.variant ? names.join(', ') : pleaseChoose(names)}
        </label>
        <select
          id={id}
          ref={select}
          required
          defaultValue={line.variant?._id ?? ''}
          onKeyDown={event => event.key === 'Escape' && onCancel?.()}
          className="field"
        >
          {!line.variant && <option value="">{names.join(', ')}</option>}
          {variants.map(variant => (
            <option
              key={variant._id}
              value={variant._id}
              disabled={variant.stock === 0 && variant._id !== line.variant?._id}
            >
              {variant.title}
              {pricesDiffer && ` – ${formatExact(discountedCents(variant))}`}
              {variant.stock === 0 && ' (out of stock)'}
            </option>
          ))}
        </select>
      </div>
      <BusyButton isBusy={isBusy} className="button-quiet">
        Save
      </BusyButton>
    </form>
  )
}

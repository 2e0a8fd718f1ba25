import { type FormEvent, useEffect, useRef, useState } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { VariantText } from '#components/cart/VariantText.tsx'
import type { CartLine } from '#contract/cart.ts'
import { pleaseChoose, type Variant } from '#contract/variants.ts'
import { nameOf, needsChoice } from '#lib/cart/cart-line.ts'
import { optionNames } from '#lib/catalogue/variants.ts'
import { changeVariant } from '#stores/cart/cart.ts'
import { loadVariants } from '#stores/catalogue/variants.ts'

/** A line's variant, which can be changed in place. */
export function LineVariant({ line }: { line: CartLine }) {
  const { product, variant } = line
  const isOpenFirst = needsChoice(line)
  const [variants, setVariants] = useState<Variant[] | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)

  useEffect(() => {
    // The focused select is gone.
    if (wasOpen.current && !variants) change.current?.focus()
    wasOpen.current = variants !== null
  }, [variants])
  useEffect(() => {
    if (isOpenFirst) void loadVariants(product._id).then(setVariants)
  }, [isOpenFirst, product._id])

  async function open() {
    if (isBusy) return
    setIsBusy(true)
    setVariants(await loadVariants(product._id))
    setIsBusy(false)
  }

  async function save(variantId: string) {
    if (isBusy) return
    setIsBusy(true)
    const isTaken = variantId === variant?._id || (await changeVariant(line._id, variantId))
    setIsBusy(false)
    if (isTaken) setVariants(null)
  }

  if (variants)
    return (
      <VariantForm
        line={line}
        variants={variants}
        isBusy={isBusy}
        onSave={variantId => void save(variantId)}
        onCancel={variant && (() => setVariants(null))}
      />
    )
  if (isOpenFirst) return <p className="text-sm font-medium text-bad">Please choose</p>
  if (!variant) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <VariantText variant={variant} />
      {product.variantCount > 1 && !line.isGone && (
        <button
          ref={change}
          type="button"
          aria-busy={isBusy}
          aria-label={`Change ${nameOf(line)}`}
          onClick={() => void open()}
          className="link -my-2 min-h-11 px-1 text-sm aria-busy:opacity-60"
        >
          Change
        </button>
      )}
    </div>
  )
}

interface FormProps {
  line: CartLine
  variants: Variant[]
  isBusy: boolean
  onSave: (variantId: string) => void
  onCancel: (() => void) | undefined
}

function VariantForm({ line, variants, isBusy, onSave, onCancel }: FormProps) {
  const select = useRef<HTMLSelectElement>(null)
  const names = optionNames(variants)
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
          {variants.map(({ _id, title, stock }) => (
            <option key={_id} value={_id} disabled={stock === 0 && _id !== line.variant?._id}>
              {title}
              {stock === 0 && ' (out of stock)'}
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

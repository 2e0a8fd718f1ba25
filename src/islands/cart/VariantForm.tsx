import { useEffect, useRef } from 'react'
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

/**
 * A select of a product's variants, for a line of the cart. A choice is saved at once. Arrow keys pass other variants, so
 * a choice made with them is saved on Enter or when the focus leaves the form.
 */
export function VariantForm({ line, variants, isBusy, onSave, onCancel }: Props) {
  const select = useRef<HTMLSelectElement>(null)
  const isByKeys = useRef(false)
  const names = optionNames(variants)
  const pricesDiffer = new Set(variants.map(discountedCents)).size > 1
  const id = `variant-${line._id}`
  useEffect(() => {
    if (onCancel) select.current?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only when it opens.
  }, [])

  function saveChoice() {
    const chosen = select.current?.value
    if (chosen && chosen !== line.variant?._id) onSave(chosen)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The focus leaves both controls.
    <fieldset
      aria-label={`Variant of ${line.product.name}`}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && saveChoice()}
      className="flex flex-wrap items-end gap-2"
    >
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
          aria-required="true"
          aria-busy={isBusy}
          defaultValue={line.variant?._id ?? ''}
          onPointerDown={() => (isByKeys.current = false)}
          onKeyDown={({ key, altKey }) => {
            // Space, F4 and Alt with an arrow open the list, in which a choice is final.
            isByKeys.current = key !== ' ' && key !== 'F4' && !altKey
            if (key === 'Enter') saveChoice()
            if (key === 'Escape') onCancel?.()
          }}
          onChange={() => isByKeys.current || saveChoice()}
          className="field aria-busy:pointer-events-none aria-busy:opacity-60"
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
      {onCancel && (
        <button
          type="button"
          // The press must not take the focus: leaving the form saves.
          onMouseDown={event => event.preventDefault()}
          onClick={onCancel}
          className="link min-h-11 px-1 text-sm"
        >
          Cancel
        </button>
      )}
    </fieldset>
  )
}

import { useEffect, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { type Variant } from '#contract/variants.ts'
import { nameOf, needsChoice } from '#lib/cart/cart-line.ts'
import { orSayUnavailable } from '#page-scripts/unavailable.ts'
import { changeVariant } from '#stores/cart/lines.ts'
import { loadVariants } from '#stores/cart/line-variants.ts'
import { useOnce } from '../ui/use-once.ts'
import type { VariantForm } from './VariantForm.tsx'

/** What the form needs, which is loaded when a customer opens it. */
interface Opened {
  Form: typeof VariantForm
  variants: Variant[]
}

/**
 * The line whose variant is being changed. It may move to another section of the cart, where a new component shows it.
 */
let changed: { lineId: string; variantId: string } | undefined

/** A line's variant, which can be changed in place. */
export function LineVariant({ line }: { line: CartLine }) {
  const { _id, product, variant } = line
  const mustChoose = needsChoice(line)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [busy, once] = useOnce<'work'>()
  const isBusy = busy.has('work')
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)

  useEffect(() => {
    // The focused form is gone. Leaving it saves, too: then the focus is elsewhere and stays there.
    const hasNoFocus = document.activeElement === document.body
    const isChanged = changed?.lineId === _id && changed.variantId === variant?._id
    if (!opened && (wasOpen.current || isChanged) && hasNoFocus) button.current?.focus()
    if (isChanged) changed = undefined
    wasOpen.current = opened !== null
  }, [opened, _id, variant?._id])
  useEffect(() => {
    if (mustChoose) void openChoice()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once for each line.
  }, [mustChoose])

  function openChoice() {
    return once('work', async () => {
      const [{ VariantForm: Form }, variants] = await Promise.all([
        orSayUnavailable(import('./VariantForm.tsx')),
        loadVariants(product._id),
      ])
      if (variants) setOpened({ Form, variants })
    })
  }

  function save(variantId: string) {
    return once('work', async () => {
      changed = { lineId: _id, variantId }
      if (!(await changeVariant(_id, variantId))) changed = undefined
      // Also after a rejection: the form would show a variant that the line does not have.
      setOpened(null)
    })
  }

  if (opened)
    return (
      <opened.Form
        line={line}
        variants={opened.variants}
        isBusy={isBusy}
        onSave={variantId => void save(variantId)}
        onCancel={variant && (() => setOpened(null))}
      />
    )
  if (!mustChoose && !variant?.title) return null
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-sm">
      <p dir="auto" data-missing={mustChoose} className="min-w-0 break-words data-[missing=true]:text-bad">
        {mustChoose ? 'Please choose' : variant?.title}
      </p>
      {product.variantCount > 1 && !line.isGone && (
        <button
          ref={button}
          type="button"
          aria-busy={isBusy}
          aria-label={`${mustChoose ? 'Choose' : 'Change'} ${nameOf(line)}`}
          onClick={() => void openChoice()}
          className="link -my-2 min-h-11 px-1 aria-busy:opacity-60"
        >
          {mustChoose ? 'Choose' : 'Change'}
        </button>
      )}
    </div>
  )
}

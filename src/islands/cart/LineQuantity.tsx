import { type KeyboardEvent, useState } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import type { CartLine } from '#contract/cart.ts'
import { nameOf } from '#lib/cart/cart-line.ts'
import { isShortcut } from '#lib/keys.ts'
import { changeQuantity, setQuantity } from '#stores/cart/lines.ts'
import { toast } from '#stores/ui/toasts.ts'

const ROUND =
  'inline-flex size-11 items-center justify-center rounded-control text-ink hover:bg-sunken hover:text-accent aria-disabled:text-muted aria-disabled:opacity-60 aria-disabled:hover:bg-transparent aria-disabled:hover:text-muted'

/** A line's quantity between − and +. It can be typed, too, and counts once the field is left or Enter is pressed. */
export function LineQuantity({ line }: { line: CartLine }) {
  const { _id, quantity, product } = line
  const [draft, setDraft] = useState<string | null>(null)
  const name = nameOf(line)
  const isLeast = quantity === 1
  const step = (by: 1 | -1) => {
    if (draft !== null) commit()
    changeQuantity(_id, by)
  }

  function commit() {
    const wanted = Number(draft)
    setDraft(null)
    if (!draft) return
    if (Number.isInteger(wanted) && wanted >= 1) setQuantity(_id, wanted)
    else toast('error', 'Quantities are whole numbers from 1')
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isShortcut(event)) return
    if (event.key === 'Enter') commit()
    else if (event.key === 'Escape') setDraft(null)
    else if (event.key === 'ArrowUp') step(1)
    else if (event.key === 'ArrowDown') step(-1)
    else return
    event.preventDefault()
  }

  return (
    <div className="inline-flex max-w-full items-center rounded-control border border-edge bg-surface">
      <button
        type="button"
        aria-label={`Decrease quantity of ${name}`}
        aria-disabled={isLeast}
        onClick={isLeast ? undefined : () => step(-1)}
        className={ROUND}
      >
        <Icon name="minus" />
      </button>
      <input
        type="number"
        inputMode="numeric"
        min={1}
        max={product.stock}
        aria-label={`Quantity of ${name}`}
        value={draft ?? quantity}
        onChange={event => setDraft(event.target.value)}
        onFocus={event => event.target.select()}
        onBlur={() => draft !== null && commit()}
        onKeyDown={onKeyDown}
        className="h-11 w-12 min-w-0 rounded-control bg-transparent text-center font-semibold tabular-nums [appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
      />
      <output aria-label={`Quantity of ${name}`} className="sr-only">
        {quantity}
      </output>
      <button type="button" aria-label={`Increase quantity of ${name}`} onClick={() => step(1)} className={ROUND}>
        <Icon name="plus" />
      </button>
    </div>
  )
}

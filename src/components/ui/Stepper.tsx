import { Icon } from './Icon.tsx'

interface Props {
  quantity: number
  /** Label for screen readers: 'Quantity' or 'Quantity of Ocean shirt'. */
  label: string
  onLess: () => void
  onMore: () => void
}

const round =
  'inline-flex size-11 items-center justify-center rounded-control text-ink hover:bg-sunken hover:text-accent aria-disabled:text-muted aria-disabled:opacity-60 aria-disabled:hover:bg-transparent aria-disabled:hover:text-muted'

/** At 1, the decrease button is only `aria-disabled`, so that it keeps the focus. */
export function Stepper({ quantity, label, onLess, onMore }: Props) {
  const isLeast = quantity === 1
  const of = label.replace(/^Quantity/, 'quantity')
  return (
    <div className="inline-flex max-w-full items-center rounded-control border border-edge bg-surface [@media(scripting:none)]:hidden">
      <button
        type="button"
        data-step={-1}
        aria-label={`Decrease ${of}`}
        aria-disabled={isLeast}
        onClick={isLeast ? undefined : onLess}
        className={round}
      >
        <Icon name="minus" />
      </button>
      <output aria-label={label} className="min-w-10 text-center font-semibold tabular-nums">
        {quantity}
      </output>
      <button type="button" data-step={1} aria-label={`Increase ${of}`} onClick={onMore} className={round}>
        <Icon name="plus" />
      </button>
    </div>
  )
}

import { Icon } from './Icon.tsx'

interface Props {
  quantity: number
  /** What is counted, for screen readers: 'Quantity' or 'Quantity of Ocean shirt'. */
  label: string
  onLess: () => void
  onMore: () => void
  isDisabled?: boolean
}

const round =
  'inline-flex size-11 items-center justify-center rounded-control text-ink hover:bg-sunken hover:text-accent disabled:text-muted disabled:opacity-60 disabled:hover:bg-transparent'

export function Stepper({ quantity, label, onLess, onMore, isDisabled = false }: Props) {
  const of = label.replace(/^Quantity/, 'quantity')
  return (
    <div className="inline-flex items-center rounded-control border border-edge bg-surface">
      <button
        type="button"
        aria-label={`Decrease ${of}`}
        disabled={isDisabled || quantity === 1}
        onClick={onLess}
        className={round}
      >
        <Icon name="minus" />
      </button>
      <output aria-label={label} className="min-w-10 text-center font-semibold tabular-nums">
        {quantity}
      </output>
      <button type="button" aria-label={`Increase ${of}`} disabled={isDisabled} onClick={onMore} className={round}>
        <Icon name="plus" />
      </button>
    </div>
  )
}

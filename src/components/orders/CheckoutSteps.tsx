const STEPS = ['Address', 'Review', 'Pay'] as const

export type CheckoutStep = (typeof STEPS)[number]

/** Shows where the customer is between cart and payment. */
export function CheckoutSteps({ current }: { current: CheckoutStep }) {
  const at = STEPS.indexOf(current)
  return (
    <ol aria-label="Checkout" className="mb-6 flex max-w-text items-center gap-2 text-sm font-semibold sm:gap-3">
      {STEPS.map((step, position) => (
        <li
          key={step}
          aria-current={position === at ? 'step' : undefined}
          className={`flex items-center gap-2 sm:gap-3 [&:not(:first-child)]:before:h-px [&:not(:first-child)]:before:w-4 [&:not(:first-child)]:before:bg-line sm:[&:not(:first-child)]:before:w-10 ${position > at ? 'text-muted' : ''}`}
        >
          <span
            aria-hidden="true"
            className={`grid size-7 place-items-center rounded-full ${position > at ? 'bg-sunken' : 'bg-accent text-accent-ink'}`}
          >
            {position < at ? '✓' : position + 1}
          </span>
          {step}
          {position < at && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  )
}

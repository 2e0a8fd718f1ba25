const STEPS = ['Address', 'Review', 'Pay'] as const

export type CheckoutStep = (typeof STEPS)[number]

/** Shows where the customer is between cart and payment; stays below the header. */
export function CheckoutSteps({ current }: { current: CheckoutStep }) {
  const at = STEPS.indexOf(current)
  return (
    <ol
      aria-label="Checkout"
      className="sticky top-[calc(4.25rem+1px)] z-20 -mx-4 mb-4 flex flex-wrap items-center gap-2 bg-paper px-4 py-2 text-sm font-semibold sm:-mx-6 sm:gap-3 sm:px-6 [@media(max-height:26rem)]:static"
    >
      {STEPS.map((step, position) => (
        <li
          key={step}
          aria-current={position === at ? 'step' : undefined}
          className={`flex items-center gap-2 sm:gap-3 [&:not(:first-child)]:before:h-px [&:not(:first-child)]:before:w-2 [&:not(:first-child)]:before:bg-line xs:[&:not(:first-child)]:before:w-4 sm:[&:not(:first-child)]:before:w-10 ${position > at ? 'text-muted' : ''}`}
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

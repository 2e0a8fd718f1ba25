import { useState } from 'react'
import { Dialog } from '#components/ui/Dialog.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { CartLine } from '#contract/cart.ts'
import { nameOf, unitCents } from '#lib/cart/cart-line.ts'
import { formatExact } from '#lib/format.ts'
import { acceptPrices } from '#stores/cart/risen-prices.ts'

interface Props {
  risen: CartLine[]
  onAccept: () => void
  onClose: () => void
}

/**
 * Lists the prices that rose and asks the customer to accept them before the checkout. If that fails, it closes,
 * because screen readers do not reach the toast behind it.
 */
export function PriceConsent({ risen, onAccept, onClose }: Props) {
  const [isBusy, setIsBusy] = useState(false)

  async function accept() {
    if (isBusy) return
    setIsBusy(true)
    if (await acceptPrices(risen)) onAccept()
    else onClose()
  }

  return (
    <Dialog id="consent" title="Some prices rose" isBusy={isBusy} onClose={onClose}>
      <p className="mt-2">Since you added them, these products cost more:</p>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {risen.map(line => (
          <li key={line._id} className="flex flex-wrap justify-between gap-x-4 py-2.5">
            <span className="min-w-0 font-medium">{nameOf(line)}</span>
            <span className="ml-auto tabular-nums">
              <s className="text-muted">
                <span className="sr-only">Before: </span>
                {formatExact(line.agreedCents ?? 0)}
              </s>{' '}
              <span className="font-bold">{formatExact(unitCents(line))}</span>
            </span>
          </li>
        ))}
      </ul>
      <form method="dialog" className="mt-6 grid gap-3 sm:flex sm:justify-end">
        <button aria-disabled={isBusy} className="button-quiet">
          Back to cart
        </button>
        <BusyButton type="button" isBusy={isBusy} onClick={() => void accept()}>
          Accept and continue
        </BusyButton>
      </form>
    </Dialog>
  )
}

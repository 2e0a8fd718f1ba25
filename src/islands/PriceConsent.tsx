import { useEffect, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { unitCents } from '#lib/cart-line.ts'
import { formatExact } from '#lib/format.ts'
import { acceptPrices } from '#stores/cart.ts'

interface Props {
  risen: CartLine[]
  onAccept: () => void
  onClose: () => void
}

/** Nobody pays more than they agreed to: asks before the checkout, naming each price that rose. */
export function PriceConsent({ risen, onAccept, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])

  async function accept() {
    if (isBusy) return
    setIsBusy(true)
    if (await acceptPrices()) onAccept()
    else setIsBusy(false)
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby="consent"
      onClose={onClose}
      className="card w-[min(32rem,calc(100vw-2rem))] p-6 text-ink backdrop:bg-ink/50"
    >
      <h2 id="consent" className="text-xl font-bold">
        Some prices rose
      </h2>
      <p className="mt-2">Since you added them, these products cost more:</p>
      <ul className="mt-3 divide-y divide-line">
        {risen.map(line => (
          <li key={line._id} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="min-w-0 font-medium">{line.product.name}</span>
            <span className="tabular-nums">
              <s className="text-muted">
                <span className="sr-only">Before: </span>
                {formatExact(line.agreedCents ?? 0)}
              </s>{' '}
              {formatExact(unitCents(line))}
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <button type="button" onClick={() => dialog.current?.close()} className="button-quiet">
          Back to cart
        </button>
        <button type="button" aria-busy={isBusy} onClick={() => void accept()} className="button">
          Accept and continue
        </button>
      </div>
    </dialog>
  )
}

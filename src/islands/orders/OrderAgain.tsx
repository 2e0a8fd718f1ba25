import { useState } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { orderAgain } from '#stores/orders/order-again.ts'
import { sayIfOffline } from '#stores/ui/offline.ts'
import { useOnce } from '../ui/use-once.ts'

/** A button that puts the order's products into the cart, and what could not be added. */
export function OrderAgain({ orderId }: { orderId: string }) {
  const [busy, once] = useOnce<'again'>()
  const [notAdded, setNotAdded] = useState<string[]>([])

  async function add() {
    if (!sayIfOffline()) setNotAdded(await orderAgain(orderId))
  }

  return (
    <>
      <BusyButton
        type="button"
        isBusy={busy.has('again')}
        onClick={() => void once('again', add)}
        className="button-quiet"
      >
        Order again
      </BusyButton>
      <div aria-live="polite" className="w-full empty:hidden">
        {notAdded.length > 0 && (
          <ul aria-label="Not added" className="rounded-control bg-sunken px-4 py-2 text-sm">
            {notAdded.map(text => (
              <li key={text} className="py-0.5">
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

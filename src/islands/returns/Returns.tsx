import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { AvailablePart } from '#contract/returns.ts'
import { formatPromisedDay } from '#lib/orders/orders.ts'
import { $returns, loadReturns } from '#stores/returns/returns.ts'
import { Blank } from '../ui/Blank.tsx'
import { ReturnForm } from './ReturnForm.tsx'
import { ReturnState } from './ReturnState.tsx'

/** What can be cancelled or returned of an order, and how far its cancellations and returns are. */
export function Returns({ orderId }: { orderId: string }) {
  const load = useStore($returns)
  const [asked, setAsked] = useState<AvailablePart | null>(null)
  const [sentCount, setSentCount] = useState(0)
  const section = useRef<HTMLElement>(null)
  useEffect(() => void loadReturns(orderId), [orderId])
  // The pressed button has been removed.
  useEffect(() => {
    if (sentCount > 0) section.current?.focus({ preventScroll: true })
  }, [sentCount])

  if (load.state === 'failed')
    return <Blank text="Cancellations and returns could not be loaded" onRetry={loadReturns} />
  if (load.state !== 'ready') return null
  const { available, returns } = load.value
  if (available.length === 0 && returns.length === 0) return null
  return (
    <section ref={section} aria-labelledby="returns" tabIndex={-1} className="card no-print p-5 focus:outline-none">
      <h2 id="returns" className="font-bold">
        Cancel or return
      </h2>
      {returns.length > 0 && (
        <ul className="mt-3 divide-y divide-line">
          {returns.map(item => (
            <ReturnState key={item.id} item={item} onSuccess={() => setSentCount(sentCount + 1)} />
          ))}
        </ul>
      )}
      {available.map(part => (
        <div
          key={part.sellerOrderId}
          className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3"
        >
          <p className="min-w-0">
            <span className="font-medium">{part.shopName}</span>
            <span className="block text-sm text-muted">{deadlineOf(part)}</span>
          </p>
          <button type="button" onClick={() => setAsked(part)} className="button-quiet">
            {part.kind === 'return' ? 'Return' : 'Cancel'} products of {part.shopName}
          </button>
        </div>
      ))}
      {asked && <ReturnForm orderId={orderId} part={asked} onClose={() => setAsked(null)} />}
    </section>
  )
}

function deadlineOf({ kind, isImmediate, isShippingRefunded, until }: AvailablePart): string {
  if (kind === 'return') {
    const shipping = isShippingRefunded ? '' : ' Shipping is not refunded.'
    return until ? `You can return products until ${formatPromisedDay(until)}.${shipping}` : ''
  }
  if (isImmediate) return 'Not packed yet: you can cancel products right away.'
  return isShippingRefunded
    ? 'Already packed: the shop decides whether it can still cancel.'
    : 'Partly shipped: the shop decides whether it can still cancel the rest.'
}

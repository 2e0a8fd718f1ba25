import { type MouseEvent, useEffect, useState } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import { orderPath, paymentPath } from '#contract/page-urls.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { payWithin } from '#lib/orders/time-left.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { putBackOrder, type WaitingOrder } from '#stores/orders/unpaid.ts'
import { sayIfOffline } from '#stores/ui/offline.ts'
import { useOnce } from '../ui/use-once.ts'

/** Often enough that no minute is shown for noticeably longer. */
const TICK_MS = 5000

/** The orders that wait for a payment, each with its deadline. Several are behind a summary. */
export function UnpaidOrders({ orders }: { orders: WaitingOrder[] }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const toPay = orders.filter(({ paymentStatus }) => paymentStatus !== 'processing')
  const isAlone = toPay.length === 1
  const deadlines = toPay.map(({ payUntil }) => payUntil).filter(at => at > now)
  const next = deadlines.length > 0 ? Math.min(...deadlines) : now
  const boxes = toPay.map(order => (
    <ToPay key={order._id} order={order} leftMs={order.payUntil - now} isAlone={isAlone} />
  ))

  return (
    <section aria-label="Orders to pay" className="space-y-3">
      {toPay.length < 2 ? (
        boxes
      ) : (
        <details className="card border-accent/50 bg-accent-soft px-4 sm:px-5">
          <summary className="min-h-11 cursor-pointer content-center py-2 tabular-nums">
            <strong>{toPay.length} unpaid orders.</strong> {payWithin(next - now)}.
          </summary>
          <div className="space-y-3 pb-4">{boxes}</div>
        </details>
      )}
      {orders
        .filter(({ paymentStatus }) => paymentStatus === 'processing')
        .map(order => (
          <Processing key={order._id} order={order} />
        ))}
    </section>
  )
}

function ToPay({ order, leftMs, isAlone }: { order: WaitingOrder; leftMs: number; isAlone: boolean }) {
  const { _id, number, items, priceCents, images } = order
  const [busy, once] = useOnce<'putBack'>()

  async function putBack() {
    if (await putBackOrder(_id)) focusContent()
  }

  return (
    <div className="card flex flex-wrap items-center gap-x-5 gap-y-3 border-accent/50 bg-accent-soft p-4 sm:px-5">
      <Pictures images={images} />
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="font-bold tabular-nums">{payWithin(leftMs)}</h2>
        <p className="text-sm">
          Order {number}, {formatCount(items, 'item', 'items')} for {formatExact(priceCents)}, is held for you until
          then.
        </p>
      </div>
      <div className="flex w-full flex-wrap gap-2 sm:w-auto">
        <a
          href={paymentPath(_id)}
          onClick={(event: MouseEvent) => sayIfOffline() && event.preventDefault()}
          className={`${isAlone ? 'button' : 'button-quiet'} flex-1 whitespace-nowrap large-text:whitespace-normal sm:flex-none`}
        >
          Pay
        </a>
        <BusyButton
          type="button"
          isBusy={busy.has('putBack')}
          onClick={() => void once('putBack', putBack)}
          className="button-quiet flex-1 whitespace-nowrap large-text:whitespace-normal sm:flex-none"
        >
          Put back into the cart
        </BusyButton>
      </div>
    </div>
  )
}

function Processing({ order: { _id, number, items, priceCents, images } }: { order: WaitingOrder }) {
  return (
    <div className="card flex flex-wrap items-center gap-x-5 gap-y-3 p-4 sm:px-5">
      <Pictures images={images} />
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="font-bold">Your payment is being checked</h2>
        <p className="text-sm text-muted">
          Order {number}, {formatCount(items, 'item', 'items')} for {formatExact(priceCents)}: there is no need to pay
          again.
        </p>
      </div>
      <a href={orderPath(_id)} className="button-quiet w-full sm:w-auto">
        View order
      </a>
    </div>
  )
}

function Pictures({ images }: { images: string[] }) {
  if (images.length === 0) return null
  return (
    <div className="flex -space-x-3">
      {images.slice(0, 3).map((image, at) => (
        <Thumbnail
          key={`${image}${at}`}
          image={image}
          size={48}
          className="size-12 rounded-control border-2 border-surface bg-sunken object-cover"
        />
      ))}
    </div>
  )
}

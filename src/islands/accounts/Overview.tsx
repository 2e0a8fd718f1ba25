import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useState } from 'react'
import { OrdersSkeleton } from '#components/orders/OrdersSkeleton.tsx'
import { $deletion, loadDeletion } from '#stores/accounts/scheduled-deletion.ts'
import { $isEmailConfirmed, loadEmailConfirmed } from '#stores/accounts/email-confirmed.ts'
import { paidOrderId } from '#lib/orders/paid-order.ts'
import { $order, $overview, loadOrder, loadOverview, type Overview as Numbers } from '#stores/orders/orders.ts'
import { OrdersTable } from '../orders/OrdersTable.tsx'
import { Blank } from '../ui/Blank.tsx'
import { late } from '../ui/late.tsx'
import { ConfirmEmailNotice, DeletionNotice } from './late.ts'

const PaidOrder = late(async () => (await import('../orders/PaidOrder.tsx')).PaidOrder)

/** Order counts and the newest orders; after a payment, the order that was paid comes first. */
export function Overview() {
  const load = useStore($overview)
  const isConfirmed = useStore($isEmailConfirmed)
  const deletion = useStore($deletion)
  const [paidId] = useState(paidOrderId)
  const paid = useStore($order)
  useEffect(() => {
    if (paidId) void loadOrder(paidId)
  }, [paidId])

  // Wait for all: what appears later would push the orders down.
  const isPaidLoading = paidId !== null && paid.state === 'loading'
  if (load.state === 'loading' || isConfirmed === undefined || deletion === undefined || isPaidLoading)
    return <OrdersSkeleton hasCounts />
  if (load.state === 'ready')
    return (
      <Suspense fallback={<OrdersSkeleton hasCounts />}>
        {paid.state === 'ready' && <PaidOrder view={paid.value} />}
        {!isConfirmed && <ConfirmEmailNotice onChange={loadEmailConfirmed} />}
        {deletion && <DeletionNotice deletion={deletion} onKept={loadDeletion} />}
        <Filled overview={load.value} />
      </Suspense>
    )
  return (
    <Blank text={load.state === 'failed' ? load.message : 'Your orders could not be loaded.'} onRetry={loadOverview} />
  )
}

function Filled({ overview }: { overview: Numbers }) {
  const { orderCount, pendingCount, cancelledCount, recentOrders } = overview
  const counts = [
    { name: 'Order', count: orderCount, status: 'all' },
    { name: 'Pending Order', count: pendingCount, status: 'pending' },
    { name: 'Cancelled Order', count: cancelledCount, status: 'cancelled' },
  ]
  return (
    <>
      <ul className="grid grid-cols-3 gap-2 large-text:grid-cols-1 sm:gap-4">
        {counts.map(({ name, count, status }) => (
          <li key={name}>
            <a
              href={`/dashboard/my-orders?status=${status}`}
              className="card flex h-full flex-col p-3 hover:shadow-raised sm:p-5"
            >
              <span className="text-2xl font-extrabold tabular-nums sm:text-3xl">{count}</span>
              <span className="text-sm leading-snug text-muted">{count === 1 ? name : `${name}s`}</span>
            </a>
          </li>
        ))}
      </ul>
      <section aria-labelledby="recent" className="mt-8">
        <div className="mb-3 flex items-baseline justify-between gap-4">
          <h2 id="recent" className="text-xl">
            Recent Orders
          </h2>
          {orderCount > 0 && (
            <a href="/dashboard/my-orders" className="link">
              See all<span className="sr-only"> orders</span>
            </a>
          )}
        </div>
        {recentOrders.length > 0 ? (
          <OrdersTable orders={recentOrders} label="Recent Orders" />
        ) : (
          <Blank text="You have not ordered anything yet." href="/products" action="Browse products" />
        )}
      </section>
    </>
  )
}

import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { OrdersSkeleton } from '#components/orders/OrdersSkeleton.tsx'
import { ORDER_STATUSES } from '#contract/orders.ts'
import { formatCount } from '#lib/format.ts'
import { STATUS_TEXTS, statusOf } from '#lib/orders/orders.ts'
import { $orders, loadOrders } from '#stores/orders/orders.ts'
import { Blank } from '../ui/Blank.tsx'
import { OrdersTable } from './OrdersTable.tsx'

type Status = (typeof ORDER_STATUSES)[number]

/** The customer's orders, filtered by status. The status is stored in the URL. */
export function MyOrders() {
  const load = useStore($orders)
  const [status, setStatus] = useState<Status>(() => statusOf(location.search))

  useEffect(() => void loadOrders(status), [status])
  useEffect(() => {
    const follow = () => setStatus(statusOf(location.search))
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  function choose(next: Status) {
    history.pushState(null, '', next === 'all' ? location.pathname : `?status=${next}`)
    setStatus(next)
  }

  return (
    <div className="space-y-5">
      <label className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
        Order status
        <select
          value={status}
          onChange={({ target }) => choose(target.value as Status)}
          className="field w-44 cursor-pointer font-normal"
        >
          {ORDER_STATUSES.map(each => (
            <option key={each} value={each}>
              {STATUS_TEXTS[each]}
            </option>
          ))}
        </select>
      </label>
      {/* Announces the number of orders to screen readers after the filter changes. */}
      <output className="sr-only">{load.state === 'ready' && formatCount(load.value.length, 'order', 'orders')}</output>
      {load.state === 'loading' && <OrdersSkeleton />}
      {(load.state === 'failed' || load.state === 'missing') && (
        <Blank
          text={load.state === 'failed' ? load.message : 'Your orders could not be loaded.'}
          onRetry={loadOrders}
        />
      )}
      {load.state === 'ready' && load.value.length > 0 && <OrdersTable orders={load.value} label="My Orders" />}
      {load.state === 'ready' &&
        load.value.length === 0 &&
        (status === 'all' ? (
          <Blank text="You have not ordered anything yet." href="/products" action="Browse products" />
        ) : (
          <Blank text={`You have no ${status} orders.`} />
        ))}
    </div>
  )
}

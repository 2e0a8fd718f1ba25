import type { Hono } from 'hono'
import * as contract from '#contract/orders.ts'
import * as parcels from '#contract/parcels.ts'
import { getReceipt } from '#contract/receipts.ts'
import { getUnpaidOrders, orderAgain as againCall, putBackOrder as putBackCall } from '#contract/unpaid-orders.ts'
import type { Db } from '../db/types.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn, signedInAs } from '../http/mount.ts'
import { takeBoth } from '../http/take-both.ts'
import type { HoldLimits } from './hold-limits.ts'
import { orderAgain } from './order-again.ts'
import { cancelOrder } from './cancelling.ts'
import { openOrderPlacing } from './placing.ts'
import { receiveParcel } from './arrivals.ts'
import { readReceipt } from './receipts.ts'
import { openDeduplication, requestOf } from './requests.ts'
import { readDashboard, readOrder, readOrders } from './orders.ts'
import { endTracking, type TrackingLinks } from './tracking.ts'
import { putBackOrder, readUnpaid } from './unpaid.ts'

interface Options {
  db: Db
  jobs: Jobs
  trackingLinks: TrackingLinks
  config: { holdLimits: HoldLimits }
}

export function orderRoutes(app: Hono<Env>, { db, jobs, trackingLinks, config: { holdLimits } }: Options): void {
  const deduplicate = openDeduplication(db)
  const placeOrder = openOrderPlacing({ db, jobs, holdLimits })

  mount(
    app,
    contract.placeOrder,
    async (order, c) => {
      const actorId = signedInAs(c, order.userId)
      const orderId = await deduplicate(requestOf(order), async () => {
        await c.get('limits').take('placeOrder', actorId)
        const giveBack = await takeBoth(c, ['ordersPerDay', 'ordersPerDayPerIp'], actorId, 1)
        return placeOrder(actorId, order, originOf(c)).catch(async (error: unknown) => {
          await giveBack()
          throw error
        })
      })
      return { orderId }
    },
    { status: 201 },
  )

  mount(app, contract.getOrders, async ({ userId, status }, c) => ({
    orders: await readOrders(db, signedInAs(c, userId), status),
  }))

  mount(app, contract.getOrder, ({ orderId }, c) => readOrder(db, signedIn(c).id, orderId))

  mount(app, contract.getDashboard, ({ userId }, c) => readDashboard(db, signedInAs(c, userId)))

  mount(app, getReceipt, ({ orderId }, c) => readReceipt(db, signedIn(c).id, orderId))

  mount(app, contract.cancelOrder, async ({ orderId }, c) => {
    await cancelOrder(db, jobs, signedIn(c).id, orderId)
    return { message: 'Your order is cancelled' }
  })

  mount(app, getUnpaidOrders, async ({ userId }, c) => ({
    orders: await readUnpaid(db, signedInAs(c, userId), Date.now()),
  }))

  mount(app, putBackCall, async ({ orderId }, c) => {
    const isPutBack = await putBackOrder(db, jobs, signedIn(c).id, orderId)
    return { message: isPutBack ? 'Back in your cart' : 'This order is already cancelled' }
  })

  mount(app, againCall, async ({ orderId }, c) => {
    const notAdded = await orderAgain(db, signedIn(c).id, orderId)
    return { message: 'In your cart again', notAdded }
  })

  mount(app, parcels.receiveParcel, async ({ parcelId }, c) => {
    await receiveParcel(db, signedIn(c).id, parcelId)
    return { message: 'Thank you for letting us know' }
  })

  mount(app, parcels.trackOrder, async ({ token }, c) => {
    await c.get('limits').take('track', c.get('ip'))
    return trackingLinks.track(token)
  })

  mount(app, parcels.endTracking, async ({ orderId }, c) => {
    await endTracking(db, signedIn(c).id, orderId)
    return { message: 'The links in emails about this order no longer work' }
  })
}

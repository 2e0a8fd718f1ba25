import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { ReturnKind, ReturnReason } from '#contract/returns.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { PATIENCE } from '../patience.ts'
import { addShippable, assertInvariants, orderOf, payInSandbox, type Stocked } from './ordering.ts'
import { startProvider } from './provider.ts'
import { startSockets } from './sockets.ts'

export const STOCK = 20
export const MUG_CENTS = 1999
export const BOWL_CENTS = 755

const LIMITS = 'placeOrder=1000/1m,ordersPerDay=10000/1d,returns=10000/1m,confirm=1000/1m,api=100000/1m'

/** A shop whose customers have paid for mugs of one seller and a bowl of another. */
export async function startReturningShop() {
  return withOrders(await startProvider({ limits: LIMITS }))
}

/** The same shop, with sockets too. */
export async function startReturningSockets() {
  return withOrders(await startSockets({ limits: LIMITS }))
}

function withOrders<Shop extends Awaited<ReturnType<typeof startProvider>>>(shop: Shop) {
  const { db, jobs, customer, request } = shop
  const initialStock = new Map<string, number>()

  /** A paid order of three mugs of one shop and one bowl of another; `prepare` is called before it is placed. */
  async function paid(
    prepare: (made: { mug: Stocked; bowl: Stocked }) => Promise<unknown> = async () => {},
    bowlData: Parameters<typeof addShippable>[1] = {},
  ) {
    const ada = await customer()
    const mug = await addShippable(db, { priceCents: MUG_CENTS, stock: STOCK, name: 'Mug' })
    const bowl = await addShippable(db, { priceCents: BOWL_CENTS, stock: STOCK, name: 'Bowl', ...bowlData })
    for (const { variantId } of [mug, bowl]) initialStock.set(variantId, STOCK)
    await prepare({ mug, bowl })
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }, bowl]))
    await payInSandbox(request, ada, orderId)
    const list = () => ada.api.getReturns({ orderId })
    const ask = async (name: string, quantity: number, kind: ReturnKind, reason: ReturnReason = 'changed_mind') => {
      const { available } = await list()
      const part = available.find(({ lines }) => lines.some(line => line.name === name))
      const line = part?.lines.find(each => each.name === name)
      const about = { sellerOrderId: part?.sellerOrderId ?? '', lines: [{ lineId: line?.lineId ?? '', quantity }] }
      return ada.api.requestReturn({ orderId, kind, reason, words: 'Please', key: randomUUID(), ...about })
    }
    return {
      ada,
      orderId,
      mug,
      bowl,
      list,
      ask,
      latest: async () => (await list()).returns[0]!,
      read: async () => ada.api.getOrder({ orderId }),
      deliver: async () => {
        await shipOrder(db, jobs, orderId)
        await deliverOrder(db, orderId)
      },
      refunded: (cents: number) =>
        vi.waitFor(async () => {
          const { order } = await ada.api.getOrder({ orderId })
          expect(order.refundedCents).toBe(cents)
        }, PATIENCE),
      becomes: (status: string) =>
        vi.waitFor(async () => expect((await list()).returns[0]?.status).toBe(status), PATIENCE),
      titles: async () => (await ada.api.getNotifications({})).notifications.map(({ title }) => title),
    }
  }

  return { ...shop, paid, initialStock, check: () => assertInvariants(db, { initialStock }) }
}

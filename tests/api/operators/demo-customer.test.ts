import { randomUUID } from 'node:crypto'
import { ne, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import * as tables from '#server/db/schema.ts'
import { customerId, DEMO_CUSTOMER } from '#server/operators/demo/customer.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startDemo } from '#tests/support/provider/demo.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'

const { demo, ...provider } = await startDemo()
const { db, close } = provider
afterAll(close)
await demo.seed()

const login = async () => provider.apiOf((await provider.api.login(DEMO_CUSTOMER)).token)

describe('the demo’s customer', () => {
  test('is the only demo account that can sign in', async () => {
    expect(await provider.api.login(DEMO_CUSTOMER)).toMatchObject({ message: 'Login success' })
    const others = await db.select().from(tables.users).where(ne(tables.users.email, DEMO_CUSTOMER.email))
    expect(others.every(({ isDemo }) => isDemo)).toBe(true)
    for (const { email } of others)
      await expect(provider.api.login({ email, password: DEMO_CUSTOMER.password })).rejects.toMatchObject({
        status: 422,
      })
  })

  test('has an order in each state, wishes, a conversation and notifications', async () => {
    const [api, userId] = [await login(), customerId]
    const { orders } = await api.getOrders({ userId, status: 'all' })

    expect(
      orders.map(({ status, paymentStatus, parts }) => [status, paymentStatus, parts.map(part => part.deliveryStatus)]),
    ).toEqual([
      ['pending', 'unpaid', ['Pending']],
      ['placed', 'paid', ['Processing']],
      ['placed', 'paid', expect.arrayContaining(['Shipped', 'Processing'])],
      ['placed', 'paid', ['Delivered']],
      ['cancelled', 'unpaid', ['Cancelled']],
      ['cancelled', 'refunded', ['Cancelled']],
    ])
    expect(orders.flatMap(({ parts }) => parts.flatMap(part => part.products)).filter(({ image }) => !image)).toEqual(
      [],
    )
    expect((await api.getWishlist({ userId })).items).toHaveLength(3)
    expect((await api.getNotifications({})).notifications.map(({ readBy }) => readBy.length)).toEqual([0, 0, 1, 1])
    const { friends } = await api.openConversation({ sellerId: '', userId })
    expect(friends).toMatchObject([{ name: 'Soleway Cobblers' }])
  })

  test('has parcels for all that was sent, from shops that promise when theirs arrive', async () => {
    const api = await login()
    const { orders } = await api.getOrders({ userId: customerId, status: 'placed' })
    const found = await Promise.all(orders.map(({ _id }) => api.getOrder({ orderId: _id })))
    const parcels = found.flatMap(({ sellerOrders }) => sellerOrders.flatMap(part => part.parcels))
    expect(parcels.map(({ status, carrier, products }) => [status, carrier, products.length])).toEqual([
      ['sent', 'DHL', 1],
      ['arrived', 'Corriere del Porto', 2],
    ])
    expect(Date.parse(parcels[0]!.expectedAt)).toBeGreaterThan(Date.now())
    expect(parcels[0]!.trackingNumber).toBeDefined()
    const { rows } = await db.execute<{ unsent: number; silent: number; wrong: number }>(sql`
      select (select count(*)::int from seller_orders part where delivery_status in ('Shipped', 'Delivered')
          and not exists (select from parcels where seller_order_id = part.id)) as unsent,
        (select count(*)::int from sellers where handling_days is null or transit_days = '{}') as silent,
        (select count(*)::int from order_lines line join parcel_lines sent on sent.order_line_id = line.id
          where sent.quantity <> line.quantity) as wrong`)
    expect(rows).toEqual([{ unsent: 0, silent: 0, wrong: 0 }])
  })

  test('gets the money back for a return, until the demo is reset', async () => {
    const api = await login()
    const { orders } = await api.getOrders({ userId: customerId, status: 'placed' })
    const { _id: orderId } = orders.find(({ parts }) => parts.every(part => part.deliveryStatus === 'Delivered'))!
    const [part] = (await api.getReturns({ orderId })).available
    const [line] = part!.lines
    const { sellerOrderId } = part!
    const lines = [{ lineId: line!.lineId, quantity: 1 }]
    const reason = { kind: 'return', reason: 'changed_mind', words: 'Not my taste' } as const
    await api.requestReturn({ orderId, sellerOrderId, lines, key: randomUUID(), ...reason })
    const [wanted] = (await api.getReturns({ orderId })).returns

    const market = operatorOf(provider)
    await market('return', 'approve', wanted!.id)
    await market('return', 'received', wanted!.id)

    await vi.waitFor(async () => {
      expect((await api.getReturns({ orderId })).returns).toMatchObject([{ status: 'refunded' }])
      expect((await api.getOrder({ orderId })).order.refundedCents).toBeGreaterThan(0)
    }, PATIENCE)

    await demo.reset()

    const again = await login()
    expect((await again.getReturns({ orderId })).returns).toEqual([])
    expect((await again.getOrder({ orderId })).order.refundedCents).toBe(0)
  })
})

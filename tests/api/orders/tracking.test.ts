import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { orders, sellers } from '#server/db/schema.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { openTrackingLinks } from '#server/orders/tracking.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, KENYA, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const DAY_MS = 24 * 3600_000
let ahead = 0
const shop = await startProvider({ now: () => Date.now() + ahead })
const { db, jobs, customer, api: anonymous, letters, close } = shop
afterAll(close)
const market = operatorOf(shop)

const tokenIn = (text: string) => /\/track-order\?token=([\w.-]+)/.exec(text)?.[1] ?? ''

/** A paid order of a free product, and the token of its mail's link. */
async function mailedOrder(seller?: { id: string }) {
  const ada = await customer()
  const given = seller && { sellerId: seller.id }
  const product = await addShippable(db, { priceCents: 0, shippingPrices: { Kenya: 0 }, name: 'Red kite', ...given })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product, quantity: 2 }]))
  await lettersSent(db)
  const letter = letters.find(({ to, subject }) => to === ada.email && subject.startsWith('Your order is paid'))
  return { ada, orderId, token: tokenIn(letter!.text) }
}

const track = (token: string) => anonymous.trackOrder({ token })
const dead = { status: 422 }

test('the link of a mail shows the order’s progress without a login, and nothing of the customer', async () => {
  const { ada, orderId, token } = await mailedOrder()
  await shipOrder(db, jobs, orderId, { carrier: 'DHL', trackingNumber: 'JD 01' })

  const tracked = await track(token)

  expect(tracked).toMatchObject({
    orderId,
    number: expect.stringMatching(/^PZ-/) as string,
    parts: [
      {
        shopName: 'Ada Shop',
        deliveryStatus: 'Shipped',
        parcels: [{ carrier: 'DHL', trackingNumber: 'JD 01', products: [{ name: 'Red kite', quantity: 2 }] }],
      },
    ],
  })
  const shown = JSON.stringify(tracked)
  for (const secret of [ada.id, ada.email, KENYA.name, KENYA.address, KENYA.phone, KENYA.city])
    expect(shown).not.toContain(secret)
})

test('what the shop still has to send says when it should arrive, as promised with the order', async () => {
  const quick = await addSeller(db, { handlingDays: [1, 2], transitDays: { Kenya: [3, 6] } })
  const { ada, orderId, token } = await mailedOrder(quick)
  await db
    .update(sellers)
    .set({ handlingDays: [20, 30] })
    .where(eq(sellers.id, quick.id))
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  const daysFromPayment = (at = '') => (Date.parse(at) - order!.paidAt!.getTime()) / DAY_MS

  const [tracked] = (await track(token)).parts
  const [part] = (await ada.api.getOrder({ orderId })).sellerOrders

  expect([tracked?.arrival?.from, tracked?.arrival?.until].map(daysFromPayment)).toEqual([4, 8])
  expect(part!.arrival).toEqual(tracked!.arrival)
  await shipOrder(db, jobs, orderId)
  expect((await track(token)).parts[0]!.arrival).toBeUndefined()
  const [unpromised] = (await track((await mailedOrder()).token)).parts
  expect(unpromised!.arrival).toBeUndefined()
})

test('a link does not work once it was changed, has expired, or the customer ended it', async () => {
  const { ada, orderId, token } = await mailedOrder()
  const other = await mailedOrder()
  await expect(track(`${token.slice(0, -4)}AAAA`)).rejects.toMatchObject(dead)
  await expect(track('')).rejects.toMatchObject(dead)

  await ada.api.endTracking({ orderId })

  await expect(track(token)).rejects.toMatchObject(dead)
  await expect(track(other.token)).resolves.toMatchObject({ orderId: other.orderId })
  ahead = 91 * DAY_MS
  await expect(track(other.token)).rejects.toMatchObject({ ...dead, message: 'This link has expired' })
  ahead = 0
})

test('a link does not work once the customer is blocked or erased, or the keys are revoked', async () => {
  const blocked = await mailedOrder()
  const erased = await mailedOrder()
  await market('customer', 'block', blocked.ada.email)
  await shipOrder(db, jobs, erased.orderId)
  await market('customer', 'erase', erased.ada.email, '--yes')

  await expect(track(blocked.token)).rejects.toMatchObject(dead)
  await expect(track(erased.token)).rejects.toMatchObject(dead)
  const [order] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, (await mailedOrder()).orderId))
  const [old, fresh] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const path = await openTrackingLinks({ db, secrets: secretsOf(old) }).pathTo(order!)
  const exchanged = openTrackingLinks({ db, secrets: secretsOf(fresh, old) })
  await expect(exchanged.track(tokenIn(path))).resolves.toMatchObject({ orderId: order!.id })
  const revoked = openTrackingLinks({ db, secrets: secretsOf(fresh) })
  await expect(revoked.track(tokenIn(path))).rejects.toThrow('This link is incomplete or has been revoked')
})

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { MAX_FAILED_PAYMENTS } from '#contract/rules.ts'
import { paymentAttempts } from '#server/db/schema.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const shop = await startPayingShop(startStripe)
afterAll(shop.close)
afterEach(() => assertInvariants(shop.db, shop))

type Waiting = Awaited<ReturnType<typeof shop.waiting>>

async function fail({ start, confirm }: Waiting, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    shop.fake.pay(await start(), { status: 'failed' })
    await confirm()
  }
}

const TOO_MANY = { status: 422, message: 'Too many of your payments have failed. Please try again tomorrow' }

test('after too many failed payments, a customer can pay again the next day, and others at any time', async () => {
  const order = await shop.waiting()
  await fail(order, MAX_FAILED_PAYMENTS)

  await expect(order.start()).rejects.toMatchObject(TOO_MANY)

  const { ada, product } = order
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  await expect(ada.api.startPayment({ orderId })).rejects.toMatchObject(TOO_MANY)
  const another = await shop.waiting()
  shop.fake.pay(await another.start())
  expect(await another.confirm()).toMatchObject({ paymentStatus: 'paid' })
  await shop.db.update(paymentAttempts).set({ createdAt: new Date(Date.now() - 24 * 3600_000) })
  shop.fake.pay(await order.start())
  expect(await order.confirm()).toMatchObject({ paymentStatus: 'paid' })
})

test('a payment that was started before the last of them failed can be continued', async () => {
  const order = await shop.waiting()
  const { ada } = order
  const product = await addShippable(shop.db, { stock: 5 })
  shop.initialStock.set(product.variantId, 5)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  const open = await ada.api.startPayment({ orderId })
  await fail(order, MAX_FAILED_PAYMENTS)

  expect(await ada.api.startPayment({ orderId })).toEqual(open)

  shop.fake.pay(open)
  expect(await ada.api.confirmOrder({ orderId })).toMatchObject({ paymentStatus: 'paid' })
})

test('tries for which the payment provider could not be reached do not count', async () => {
  const order = await shop.waiting()
  await fail(order, MAX_FAILED_PAYMENTS)
  const [attempt] = await order.attempts()
  await shop.db.update(paymentAttempts).set({ providerId: null }).where(eq(paymentAttempts.id, attempt!.id))

  expect(await order.start()).toMatchObject({ provider: 'stripe' })
})

test('a customer is told each time a payment that was being processed fails, also in the same window', async () => {
  const { ada, start, read, steps } = await shop.waiting()
  const attempt = await start()
  for (const status of ['failed', 'processing', 'failed', 'processing', 'failed'] as const) {
    shop.fake.pay(attempt, { status })
    await shop.reconcileNow()
  }

  expect(await steps()).toEqual(['placed', 'failed', 'processing', 'failed', 'failed'])
  expect(await read()).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' })
  const { notifications } = await ada.api.getNotifications({})
  expect(notifications.filter(({ title }) => title === 'Your payment did not go through')).toHaveLength(3)
})

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { cartLinesOf } from '#contract/cart-sums.ts'
import { HOLD_MINUTES, MAX_CART_LINES } from '#contract/rules.ts'
import { cartLines, orders, products } from '#server/db/schema.ts'
import { settle } from '#server/payments/settling.ts'
import { setVariants, stockOf } from '#tests/support/catalogue/catalogue.ts'
import {
  addAttempt,
  addShippable,
  assertInvariants,
  orderOf,
  otherLines,
  reportOf,
} from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, customer, close } = await startProvider()
afterAll(close)
const initialStock = new Map<string, number>()
afterEach(() => assertInvariants(db, { initialStock }))

const linesIn = async ({ api, id }: Customer) => cartLinesOf(await api.getCart({ userId: id }))
const unpaidOf = async ({ api, id }: Customer) => (await api.getUnpaidOrders({ userId: id })).orders

/** Orders two trains and a lamp. */
async function placed() {
  const ada = await customer()
  const train = await addShippable(db, { name: 'Train', shopName: 'Toy Town', stock: 5, priceCents: 1000 })
  const lamp = await addShippable(db, { name: 'Lamp', shopName: 'Lights', stock: 5 })
  for (const { variantId, stock } of [train, lamp]) initialStock.set(variantId, stock)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: train, quantity: 2 }, lamp]))
  const read = async () => (await ada.api.getOrder({ orderId })).order
  return { ada, train, lamp, orderId, read }
}

describe('an unpaid order', () => {
  test('is listed with its sum and the time that is left by the server’s clock', async () => {
    const { ada, orderId, read } = await placed()

    const [order, ...more] = await unpaidOf(ada)

    expect(more).toEqual([])
    expect(order).toMatchObject({ _id: orderId, number: (await read()).number, items: 3, paymentStatus: 'unpaid' })
    expect(order!.priceCents).toBe((await read()).priceCents)
    expect(order!.secondsLeft).toBeLessThanOrEqual(HOLD_MINUTES * 60)
    expect(order!.secondsLeft).toBeGreaterThan(HOLD_MINUTES * 60 - 60)
    expect((await read()).secondsLeft).toBeGreaterThan(HOLD_MINUTES * 60 - 60)
    await db
      .update(orders)
      .set({ heldUntil: new Date(Date.now() - 1000) })
      .where(eq(orders.id, orderId))
    expect(await unpaidOf(ada)).toMatchObject([{ secondsLeft: 0 }])
  })

  test('goes back into the cart with its units, and returns them to the stock once', async () => {
    const { ada, train, lamp, orderId, read } = await placed()

    expect(await ada.api.putBackOrder({ orderId })).toEqual({ message: 'Back in your cart' })
    expect(await ada.api.putBackOrder({ orderId })).toEqual({ message: 'This order is already cancelled' })

    expect(await linesIn(ada)).toMatchObject([
      { quantity: 2, agreedCents: 1000, product: { _id: train.id } },
      { quantity: 1, product: { _id: lamp.id } },
    ])
    expect(await unpaidOf(ada)).toEqual([])
    const { status, timeline } = await read()
    expect(status).toBe('cancelled')
    expect(timeline.map(({ text }) => text)).toEqual(['Order received', 'Cancelled by you'])
    expect(await stockOf(db, train)).toBe(5)
  })

  test('adds its units to lines that are already in the cart', async () => {
    const { ada, train, orderId } = await placed()
    await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 3 })

    await ada.api.putBackOrder({ orderId })

    expect(await linesIn(ada)).toMatchObject([{ quantity: 5, product: { _id: train.id } }, { quantity: 1 }])
  })

  test('shows prices that rose since the order, and products that are no longer sold', async () => {
    const { ada, train, lamp, orderId } = await placed()
    await setVariants(db, train, { priceCents: 1500 })
    await db.update(products).set({ isHidden: true }).where(eq(products.id, lamp.id))

    await ada.api.putBackOrder({ orderId })

    expect(await linesIn(ada)).toMatchObject([
      { agreedCents: 1000, product: { priceCents: 1500 } },
      { isGone: true, product: { name: 'Lamp', shopName: 'Lights' } },
    ])
  })

  test('stays as it is when the cart has no room for it', async () => {
    const { ada, train, orderId, read } = await placed()
    await db.insert(cartLines).values(otherLines(ada.id, MAX_CART_LINES - 1))

    await expect(ada.api.putBackOrder({ orderId })).rejects.toMatchObject({ status: 422, message: 'Your cart is full' })

    expect(await read()).toMatchObject({ status: 'pending' })
    expect(await linesIn(ada)).toHaveLength(MAX_CART_LINES - 1)
    expect(await stockOf(db, train)).toBe(3)
  })

  test('stays as it is while a payment is under way, and once it is paid', async () => {
    const { ada, orderId, read } = await placed()
    const attempt = await addAttempt(db, await read())
    await settle(db, jobs, attempt.id, reportOf(attempt, { status: 'processing' }))
    expect(await unpaidOf(ada)).toMatchObject([{ paymentStatus: 'processing' }])
    await expect(ada.api.putBackOrder({ orderId })).rejects.toMatchObject({
      status: 422,
      message: 'A payment for this order is on its way',
    })

    await settle(db, jobs, attempt.id, reportOf(attempt))

    expect(await unpaidOf(ada)).toEqual([])
    await expect(ada.api.putBackOrder({ orderId })).rejects.toMatchObject({ status: 422 })
    expect(await linesIn(ada)).toEqual([])
  })
})

import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { cartLinesOf } from '#contract/cart-sums.ts'
import { MAX_CART_LINES } from '#contract/rules.ts'
import { cartLines, products } from '#server/db/schema.ts'
import { setVariants } from '#tests/support/catalogue/catalogue.ts'
import { addShippable, orderOf, otherLines } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

const linesIn = async ({ api, id }: Customer) => cartLinesOf(await api.getCart({ userId: id }))

/** Has ordered two trains and a lamp, for nothing. */
async function ordered() {
  const ada = await customer()
  const gift = { stock: 9, priceCents: 0, shippingPrices: { Kenya: 0 } }
  const train = await addShippable(db, { name: 'Train', shopName: 'Toy Town', ...gift })
  const lamp = await addShippable(db, { name: 'Lamp', shopName: 'Lights', ...gift })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: train, quantity: 2 }, lamp]))
  return { ada, train, lamp, orderId }
}

describe('ordering again', () => {
  test('puts the ordered products into the cart once, at the current price, even if the request is repeated', async () => {
    const { ada, train, lamp, orderId } = await ordered()
    await setVariants(db, train, { priceCents: 1500 })

    const answers = await Promise.all([1, 2, 3].map(() => ada.api.orderAgain({ orderId })))

    expect(answers[0]).toEqual({ message: 'In your cart again', notAdded: [] })
    expect(answers[2]).toEqual(answers[0])
    expect(await linesIn(ada)).toMatchObject([
      { quantity: 2, agreedCents: 1500, product: { _id: train.id } },
      { quantity: 1, product: { _id: lamp.id } },
    ])
  })

  test('fills up lines that are in the cart, and leaves larger ones as they are', async () => {
    const { ada, train, lamp, orderId } = await ordered()
    await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 })
    await ada.api.addToCart({ userId: ada.id, productId: lamp.id, quantity: 4 })

    await ada.api.orderAgain({ orderId })

    expect((await linesIn(ada)).map(({ quantity }) => quantity)).toEqual([2, 4])
  })

  test('says which products are no longer sold, sold out, or too few in number', async () => {
    const { ada, train, lamp, orderId } = await ordered()
    await setVariants(db, train, { stock: 1 })
    await setVariants(db, lamp, { stock: 0 })

    expect(await ada.api.orderAgain({ orderId })).toEqual({
      message: 'In your cart again',
      notAdded: ['Only 1 left of Train', 'Lamp is sold out'],
    })
    expect(await linesIn(ada)).toMatchObject([{ quantity: 1, product: { _id: train.id } }])

    await db.update(products).set({ isHidden: true }).where(eq(products.id, train.id))
    await expect(ada.api.orderAgain({ orderId })).rejects.toMatchObject({
      status: 422,
      message: 'Nothing in this order can be bought right now',
      fields: { 0: 'Train is no longer sold', 1: 'Lamp is sold out' },
    })
  })

  test('adds nothing to a cart without room for all of it', async () => {
    const { ada, orderId } = await ordered()
    await db.insert(cartLines).values(otherLines(ada.id, MAX_CART_LINES - 1))

    await expect(ada.api.orderAgain({ orderId })).rejects.toMatchObject({ status: 422, message: 'Your cart is full' })
    expect(await linesIn(ada)).toHaveLength(MAX_CART_LINES - 1)
  })

  test('is only for the order’s own customer', async () => {
    const { orderId } = await ordered()
    const bob = await customer()

    await expect(bob.api.orderAgain({ orderId })).rejects.toMatchObject({ status: 404 })
  })
})

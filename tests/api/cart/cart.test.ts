import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { addToCart } from '#contract/cart.ts'
import { MAX_CART_LINES, MAX_STOCK } from '#contract/rules.ts'
import { cartLines, products } from '#server/db/schema.ts'
import { sweepRemovedLines } from '#server/cart/cart.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, api, customer, request, close } = await startProvider()
afterAll(close)

const cartOf = ({ api, id }: Customer) => api.getCart({ userId: id })
const add = ({ api, id }: Customer, productId: string, quantity = 1) =>
  api.addToCart({ userId: id, productId, quantity })

/** The customer's only line. */
async function lineOf(ada: Customer) {
  const { groups, outOfStock } = await cartOf(ada)
  return [...groups.flatMap(({ products }) => products), ...outOfStock][0]!
}

function change(id: string, values: Partial<typeof products.$inferInsert>) {
  return db.update(products).set(values).where(eq(products.id, id))
}

describe('a cart', () => {
  test('groups lines by shop and sums discounted prices', async () => {
    const ada = await customer()
    const { id: sellerId } = await addSeller(db, { shopName: 'Toy Town' })
    const train = await addProduct(db, { sellerId, shopName: 'Toy Town', priceCents: 9900, discount: 10 })
    const kite = await addProduct(db, { sellerId, shopName: 'Toy Town', priceCents: 1999, discount: 10 })
    const lamp = await addProduct(db, { shopName: 'Lights', priceCents: 500 })

    await add(ada, train.id, 2)
    await add(ada, lamp.id)
    await add(ada, kite.id)

    const cart = await cartOf(ada)
    expect(cart.groups).toMatchObject([
      { shopName: 'Toy Town', products: [{ quantity: 2, product: { _id: train.id } }, { quantity: 1 }] },
      { shopName: 'Lights', products: [{ quantity: 1, product: { _id: lamp.id } }] },
    ])
    expect(cart).toMatchObject({ count: 4, buyableCount: 4, priceCents: 2 * 9000 + 1899 + 500, outOfStock: [] })
  })

  test('is empty for a new customer', async () => {
    expect(await cartOf(await customer())).toEqual({
      groups: [],
      outOfStock: [],
      count: 0,
      buyableCount: 0,
      priceCents: 0,
      shippingCents: 0,
    })
  })

  test('adds up what is in it already, as far as the stock goes', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5 })
    await add(ada, train.id, 2)
    await add(ada, train.id, 3)

    await expect(add(ada, train.id)).rejects.toMatchObject({ status: 422, message: 'Out of stock' })

    expect(await cartOf(ada)).toMatchObject({ count: 5, groups: [{ products: [{ quantity: 5 }] }] })
  })

  test('takes no more than the stock when ten clicks come at once', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 4 })

    const clicks = await Promise.allSettled(Array.from({ length: 10 }, () => add(ada, train.id)))

    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(await cartOf(ada)).toMatchObject({ count: 4 })
  })

  test.each([0, -1, 1.5, MAX_STOCK + 1])('refuses %d units as malformed', async quantity => {
    const ada = await customer()
    const { id: productId } = await addProduct(db)
    const answer = await request(`/api${addToCart.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ userId: ada.id, productId, quantity }),
    })

    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { fields: object }).fields).toHaveProperty('quantity')
    expect(await cartOf(ada)).toMatchObject({ count: 0 })
  })

  test('refuses a billion units of what has five', async () => {
    const ada = await customer()
    const { id } = await addProduct(db)
    await expect(add(ada, id, MAX_STOCK)).rejects.toMatchObject({ status: 422, message: 'Out of stock' })
  })

  test('refuses what is hidden or does not exist', async () => {
    const ada = await customer()
    const hidden = await addProduct(db, { isHidden: true })
    for (const id of [hidden.id, 'nothing']) {
      await expect(add(ada, id)).rejects.toMatchObject({ status: 404, message: 'Product not found' })
    }
  })

  test('holds a bounded number of lines; more of what is in it is always welcome', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 2 })
    await add(ada, train.id)
    const seen = { slug: 'x', name: 'x', category: 'Toys', brand: '', sellerId: 's', shopName: 's', picture: undefined }
    const others = Array.from({ length: MAX_CART_LINES - 1 }, (_, at) => `other-${at}`)
    await db
      .insert(cartLines)
      .values(others.map(productId => ({ userId: ada.id, productId, quantity: 1, agreedCents: 1, seen })))
    const kite = await addProduct(db)

    await expect(add(ada, kite.id)).rejects.toMatchObject({ status: 422, message: 'Your cart is full' })
    await add(ada, train.id)

    expect(await cartOf(ada)).toMatchObject({ count: MAX_CART_LINES + 1 })
  })
})

describe('a quantity', () => {
  test('rises to the stock and no further', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 2 })
    await add(ada, train.id)
    const { _id: lineId } = await lineOf(ada)

    await ada.api.increaseQuantity({ lineId })
    await expect(ada.api.increaseQuantity({ lineId })).rejects.toMatchObject({ status: 422, message: 'Out of stock' })

    expect(await lineOf(ada)).toMatchObject({ quantity: 2 })
  })

  test('falls to 1 and no further', async () => {
    const ada = await customer()
    const train = await addProduct(db)
    await add(ada, train.id, 2)
    const { _id: lineId } = await lineOf(ada)

    await ada.api.decreaseQuantity({ lineId })
    await expect(ada.api.decreaseQuantity({ lineId })).rejects.toMatchObject({ status: 422 })

    expect(await lineOf(ada)).toMatchObject({ quantity: 1 })
  })
})

describe('a removed line', () => {
  test('is gone, and comes back as it was', async () => {
    const ada = await customer()
    const train = await addProduct(db)
    await add(ada, train.id, 3)
    const line = await lineOf(ada)

    await ada.api.removeCartLine({ lineId: line._id })
    expect(await cartOf(ada)).toMatchObject({ count: 0, groups: [] })
    await expect(ada.api.increaseQuantity({ lineId: line._id })).rejects.toMatchObject({ status: 404 })

    await ada.api.restoreCartLine({ lineId: line._id })
    expect(await lineOf(ada)).toEqual(line)
  })

  test('counts for nothing when the product is added again', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5 })
    await add(ada, train.id, 4)
    const { _id: lineId } = await lineOf(ada)
    await ada.api.removeCartLine({ lineId })

    await add(ada, train.id, 5)
    await ada.api.restoreCartLine({ lineId })

    expect(await cartOf(ada)).toMatchObject({ count: 5 })
  })

  test('is forgotten after a while', async () => {
    const ada = await customer()
    const train = await addProduct(db)
    await add(ada, train.id)
    const { _id: lineId } = await lineOf(ada)
    await ada.api.removeCartLine({ lineId })

    await sweepRemovedLines(db, new Date(Date.now() + 1000))

    await expect(ada.api.restoreCartLine({ lineId })).rejects.toMatchObject({ status: 404 })
  })
})

describe('what has changed since a line was added', () => {
  test('a stock below the quantity makes it one that cannot be bought', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5, priceCents: 1000 })
    const kite = await addProduct(db, { priceCents: 300 })
    await add(ada, train.id, 5)
    await add(ada, kite.id)

    await change(train.id, { stock: 4 })

    const cart = await cartOf(ada)
    expect(cart).toMatchObject({ count: 6, buyableCount: 1, priceCents: 300 })
    expect(cart.outOfStock).toMatchObject([{ quantity: 5, product: { _id: train.id, stock: 4 }, isGone: false }])
  })

  test('such a line can be brought down to what is there', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5 })
    await add(ada, train.id, 5)
    await change(train.id, { stock: 4 })

    await ada.api.decreaseQuantity({ lineId: (await lineOf(ada))._id })

    expect(await cartOf(ada)).toMatchObject({ outOfStock: [], buyableCount: 4 })
  })

  test('the price counts as it is now, beside what the customer agreed to', async () => {
    const ada = await customer()
    const train = await addProduct(db, { priceCents: 1000 })
    await add(ada, train.id, 2)

    await change(train.id, { priceCents: 1250 })

    expect(await lineOf(ada)).toMatchObject({ agreedCents: 1000, product: { priceCents: 1250 } })
    expect(await cartOf(ada)).toMatchObject({ priceCents: 2500 })

    await ada.api.acceptCartPrices({ userId: ada.id })
    expect(await lineOf(ada)).toMatchObject({ agreedCents: 1250 })
  })

  test.each(['hidden', 'deleted'])('a %s product is shown as it was, and cannot be bought', async how => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Old train', shopName: 'Old Shop', priceCents: 700 })
    await add(ada, train.id, 2)

    if (how === 'hidden') await change(train.id, { isHidden: true })
    else await db.delete(products).where(eq(products.id, train.id))

    const cart = await cartOf(ada)
    expect(cart).toMatchObject({ count: 2, buyableCount: 0, priceCents: 0, groups: [] })
    expect(cart.outOfStock).toMatchObject([
      { isGone: true, product: { name: 'Old train', shopName: 'Old Shop', priceCents: 700, stock: 0 } },
    ])
    const { _id: lineId } = await lineOf(ada)
    await expect(ada.api.increaseQuantity({ lineId })).rejects.toMatchObject({ status: 422 })
    await ada.api.removeCartLine({ lineId })
    expect(await cartOf(ada)).toMatchObject({ count: 0 })
  })
})

describe('a cart is its owner’s', () => {
  test('another customer’s is as good as missing', async () => {
    const [ada, mallory] = [await customer(), await customer()]
    const train = await addProduct(db)
    await add(ada, train.id, 2)
    const { _id: lineId } = await lineOf(ada)

    const actions = ['increaseQuantity', 'decreaseQuantity', 'removeCartLine', 'restoreCartLine'] as const
    for (const action of actions) {
      const refusal = { status: 404, message: 'This is not in your cart' }
      await expect(mallory.api[action]({ lineId })).rejects.toMatchObject(refusal)
      await expect(mallory.api[action]({ lineId: 'nothing' })).rejects.toMatchObject(refusal)
    }
    const own = { status: 404, message: 'There is nothing at this address' }
    await expect(mallory.api.getCart({ userId: ada.id })).rejects.toMatchObject(own)
    await expect(mallory.api.acceptCartPrices({ userId: ada.id })).rejects.toMatchObject(own)
    await expect(mallory.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 })).rejects.toMatchObject(own)

    expect(await lineOf(ada)).toMatchObject({ quantity: 2 })
    await expect(api.getCart({ userId: ada.id })).rejects.toMatchObject({ status: 409, code: 'NO_TOKEN' })
  })
})

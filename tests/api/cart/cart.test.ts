import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { addToCart } from '#contract/cart.ts'
import { MAX_CART_LINES, MAX_STOCK } from '#contract/rules.ts'
import { cartLines, products } from '#server/db/schema.ts'
import { sweepRemovedLines } from '#server/cart/cart.ts'
import { addProduct, addSeller, picture, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { otherLines } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, api, customer, request, close } = await startProvider()
afterAll(close)

const cartOf = ({ api, id }: Customer) => api.getCart({ userId: id })
const add = ({ api, id }: Customer, productId: string, quantity = 1) =>
  api.addToCart({ userId: id, productId, quantity })

/** Returns the customer’s only line. */
async function lineOf(ada: Customer) {
  const { groups, outOfStock } = await cartOf(ada)
  return [...groups.flatMap(({ products }) => products), ...outOfStock][0]!
}

function change(id: string, values: Partial<typeof products.$inferInsert>) {
  return db.update(products).set(values).where(eq(products.id, id))
}

describe('the cart', () => {
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

  test('adds to the quantity already in the cart, up to the stock', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5 })
    await add(ada, train.id, 2)
    await add(ada, train.id, 3)

    await expect(add(ada, train.id)).rejects.toMatchObject({ status: 422, message: 'Out of stock' })

    expect(await cartOf(ada)).toMatchObject({ count: 5, groups: [{ products: [{ quantity: 5 }] }] })
  })

  test('adds only as many units as are in stock when ten clicks arrive at once', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 4 })

    const clicks = await Promise.allSettled(Array.from({ length: 10 }, () => add(ada, train.id)))

    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(await cartOf(ada)).toMatchObject({ count: 4 })
  })

  test.each([0, -1, 1.5, MAX_STOCK + 1])('rejects a quantity of %d as malformed', async quantity => {
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

  test('rejects a billion units of a product that has five in stock', async () => {
    const ada = await customer()
    const { id } = await addProduct(db)
    await expect(add(ada, id, MAX_STOCK)).rejects.toMatchObject({ status: 422, message: 'Out of stock' })
  })

  test('rejects products that are hidden or do not exist', async () => {
    const ada = await customer()
    const hidden = await addProduct(db, { isHidden: true })
    for (const id of [hidden.id, 'nothing']) {
      await expect(add(ada, id)).rejects.toMatchObject({ status: 404, message: 'Product not found' })
    }
  })

  test('holds a limited number of lines, but more units of a product in the cart can still be added', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 2 })
    await add(ada, train.id)
    await db.insert(cartLines).values(otherLines(ada.id, MAX_CART_LINES - 1))
    const kite = await addProduct(db)

    await expect(add(ada, kite.id)).rejects.toMatchObject({ status: 422, message: 'Your cart is full' })
    await add(ada, train.id)

    expect(await cartOf(ada)).toMatchObject({ count: MAX_CART_LINES + 1 })
  })
})

describe('a removed cart line', () => {
  test('is gone from the cart and can be restored with its quantity', async () => {
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

  test('does not add to the quantity when the product is added again and then restored', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5 })
    await add(ada, train.id, 4)
    const { _id: lineId } = await lineOf(ada)
    await ada.api.removeCartLine({ lineId })

    await add(ada, train.id, 5)
    await ada.api.restoreCartLine({ lineId })

    expect(await cartOf(ada)).toMatchObject({ count: 5 })
  })

  test('cannot be restored after some time', async () => {
    const ada = await customer()
    const train = await addProduct(db)
    await add(ada, train.id)
    const { _id: lineId } = await lineOf(ada)
    await ada.api.removeCartLine({ lineId })

    await sweepRemovedLines(db, new Date(Date.now() + 1000))

    await expect(ada.api.restoreCartLine({ lineId })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a cart line whose product has changed', () => {
  test('is listed as out of stock when the stock falls below its quantity', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5, priceCents: 1000 })
    const kite = await addProduct(db, { priceCents: 300 })
    await add(ada, train.id, 5)
    await add(ada, kite.id)

    await setVariants(db, train, { stock: 4 })

    const cart = await cartOf(ada)
    expect(cart).toMatchObject({ count: 6, buyableCount: 1, priceCents: 300 })
    expect(cart.outOfStock).toMatchObject([{ quantity: 5, product: { _id: train.id, stock: 4 }, isGone: false }])
  })

  test('can be bought again when the customer lowers its quantity to the stock', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5 })
    await add(ada, train.id, 5)
    await setVariants(db, train, { stock: 4 })

    await ada.api.decreaseQuantity({ lineId: (await lineOf(ada))._id })

    expect(await cartOf(ada)).toMatchObject({ outOfStock: [], buyableCount: 4 })
  })

  test('counts with the current price and shows the price the customer agreed to', async () => {
    const ada = await customer()
    const train = await addProduct(db, { priceCents: 1000 })
    await add(ada, train.id, 2)

    await setVariants(db, train, { priceCents: 1250 })

    expect(await lineOf(ada)).toMatchObject({ agreedCents: 1000, product: { priceCents: 1250 } })
    expect(await cartOf(ada)).toMatchObject({ priceCents: 2500 })

    await ada.api.acceptCartPrices({ userId: ada.id })
    expect(await lineOf(ada)).toMatchObject({ agreedCents: 1250 })
  })

  test.each(['hidden', 'deleted'])(
    'of a %s product keeps its name, picture and price but cannot be bought',
    async how => {
      const ada = await customer()
      const shown = { pictures: [picture('train')] }
      const train = await addProduct(db, { name: 'Old train', shopName: 'Old Shop', priceCents: 700, ...shown })
      await add(ada, train.id, 2)

      if (how === 'hidden') await change(train.id, { isHidden: true })
      else await db.delete(products).where(eq(products.id, train.id))

      const cart = await cartOf(ada)
      expect(cart).toMatchObject({ count: 2, buyableCount: 0, priceCents: 0, groups: [] })
      expect(cart.outOfStock).toMatchObject([
        { isGone: true, product: { name: 'Old train', shopName: 'Old Shop', priceCents: 700, stock: 0 } },
      ])
      expect(cart.outOfStock[0]!.product.images).toEqual([expect.stringContaining(picture('train').hash)])
      const { _id: lineId } = await lineOf(ada)
      await expect(ada.api.increaseQuantity({ lineId })).rejects.toMatchObject({ status: 422 })
      await ada.api.removeCartLine({ lineId })
      expect(await cartOf(ada)).toMatchObject({ count: 0 })
    },
  )
})

describe('another customer’s cart', () => {
  test('cannot be read or changed; requests get 404 as for a missing cart', async () => {
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

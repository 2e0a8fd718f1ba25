import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { addToCart } from '#contract/cart.ts'
import { cartLinesOf } from '#contract/cart-sums.ts'
import { cartLines, products, variants } from '#server/db/schema.ts'
import { addShoe, addProduct, picture } from '#tests/support/catalogue/catalogue.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, request, customer, close } = await startProvider()
afterAll(close)

const add = ({ api, id }: Customer, productId: string, variantId?: string, quantity = 1) =>
  api.addToCart({ userId: id, productId, variantId, quantity })
const linesIn = async ({ api, id }: Customer) => cartLinesOf(await api.getCart({ userId: id }))

/** Adds a shoe in the sizes 42 (10 in stock), 43 (3) and 44 (none). */
async function openShoe() {
  const { id, variantIds } = await addShoe(
    db,
    { 42: { stock: 10 }, 43: { stock: 3, priceCents: 4999, discount: 20, picture: picture('43') }, 44: { stock: 0 } },
    { pictures: [picture('42'), picture('43')] },
  )
  const [small, large, soldOut] = variantIds as [string, string, string]
  return { id, small, large, soldOut }
}

describe('a product with several variants', () => {
  test('cannot be put into the cart before one is chosen', async () => {
    const ada = await customer()
    const shoe = await openShoe()

    await expect(add(ada, shoe.id)).rejects.toMatchObject({
      status: 422,
      code: 'CHOOSE_OPTIONS',
      message: 'Please choose Size and Colour',
      fields: { Size: '42, 43, 44', Colour: 'Blue' },
    })
    expect(await linesIn(ada)).toEqual([])
  })

  test('is not found while it is hidden', async () => {
    const ada = await customer()
    const shoe = await openShoe()
    await db.update(products).set({ isHidden: true }).where(eq(products.id, shoe.id))

    await expect(add(ada, shoe.id)).rejects.toMatchObject({ status: 404 })
    await expect(add(ada, shoe.id, shoe.small)).rejects.toMatchObject({ status: 404 })
  })

  test('has a line for each variant, with the variant’s figures', async () => {
    const ada = await customer()
    const shoe = await openShoe()

    await add(ada, shoe.id, shoe.small, 2)
    await add(ada, shoe.id, shoe.large)
    await add(ada, shoe.id, shoe.small)

    const lines = await linesIn(ada)
    const of = (size: string, _id: string) => ({
      _id,
      title: `Size ${size}, Blue`,
      options: { Size: size, Colour: 'Blue' },
      sku: `SHOE-${size}`,
    })
    expect(lines).toMatchObject([
      { quantity: 3, product: { priceCents: 1999, discount: 0, stock: 10 }, variant: of('42', shoe.small) },
      { quantity: 1, product: { priceCents: 4999, discount: 20, stock: 3 }, variant: of('43', shoe.large) },
    ])
    const hashes = lines.map(({ product }) => product.images.map(path => /[0-9a-f]{64}/.exec(path)?.[0]))
    const [first, second] = [picture('42').hash, picture('43').hash]
    expect(hashes).toEqual([
      [first, second],
      [second, first],
    ])
  })

  test('cannot be put into the cart as a variant of another product', async () => {
    const ada = await customer()
    const [shoe, other] = [await openShoe(), await openShoe()]

    await expect(add(ada, shoe.id, other.small)).rejects.toMatchObject({ status: 404 })
    await expect(add(ada, shoe.id, shoe.soldOut)).rejects.toMatchObject({ status: 422, message: 'Out of stock' })
  })

  test('sells one that may be sold without stock', async () => {
    const ada = await customer()
    const shoe = await openShoe()
    await db.update(variants).set({ sellsWithoutStock: true }).where(eq(variants.id, shoe.soldOut))

    await add(ada, shoe.id, shoe.soldOut, 7)

    expect(await linesIn(ada)).toMatchObject([{ quantity: 7, variant: { sku: 'SHOE-44' } }])
  })
})

describe('the variant of a cart line', () => {
  test('can be changed in place, at the price of the new one', async () => {
    const ada = await customer()
    const shoe = await openShoe()
    await add(ada, shoe.id, shoe.small, 2)
    const [line] = await linesIn(ada)

    await ada.api.changeCartVariant({ lineId: line!._id, variantId: shoe.large })

    expect(await linesIn(ada)).toMatchObject([
      { _id: line!._id, quantity: 2, agreedCents: 4099, variant: { _id: shoe.large, title: 'Size 43, Blue' } },
    ])
  })

  test('joins the line of the new variant', async () => {
    const ada = await customer()
    const shoe = await openShoe()
    await add(ada, shoe.id, shoe.large)
    await add(ada, shoe.id, shoe.small, 2)
    const [, line] = await linesIn(ada)

    await ada.api.changeCartVariant({ lineId: line!._id, variantId: shoe.large })

    expect(await linesIn(ada)).toMatchObject([{ _id: line!._id, quantity: 3, variant: { _id: shoe.large } }])
  })

  test('takes the place of a removed line without its units', async () => {
    const ada = await customer()
    const shoe = await openShoe()
    await add(ada, shoe.id, shoe.large, 3)
    await ada.api.removeCartLine({ lineId: (await linesIn(ada))[0]!._id })
    await add(ada, shoe.id, shoe.small)
    const [line] = await linesIn(ada)

    await ada.api.changeCartVariant({ lineId: line!._id, variantId: shoe.large })

    expect(await linesIn(ada)).toMatchObject([{ quantity: 1, variant: { _id: shoe.large } }])
  })

  test('does not change when there are too few units', async () => {
    const ada = await customer()
    const shoe = await openShoe()
    await add(ada, shoe.id, shoe.large, 2)
    await add(ada, shoe.id, shoe.small, 2)
    const before = await linesIn(ada)

    const change = ada.api.changeCartVariant({ lineId: before[1]!._id, variantId: shoe.large })

    await expect(change).rejects.toMatchObject({ status: 422, message: 'Only 3 left of Shoe (Size 43, Blue)' })
    expect(await linesIn(ada)).toEqual(before)
  })

  test('does not become another product’s, nor in another customer’s cart', async () => {
    const [ada, grace] = [await customer(), await customer()]
    const [shoe, other] = [await openShoe(), await openShoe()]
    await add(ada, shoe.id, shoe.small)
    const [line] = await linesIn(ada)
    const lineId = line!._id

    await expect(ada.api.changeCartVariant({ lineId, variantId: other.large })).rejects.toMatchObject({ status: 404 })
    await expect(grace.api.changeCartVariant({ lineId, variantId: shoe.large })).rejects.toMatchObject({ status: 404 })
    expect(await linesIn(ada)).toEqual([line])
  })
})

describe('a line from before variants could be chosen', () => {
  async function withOldLine() {
    const ada = await customer()
    const shoe = await openShoe()
    await add(ada, shoe.id, shoe.small, 2)
    await db.update(cartLines).set({ variantId: '' }).where(eq(cartLines.productId, shoe.id))
    return { ada, shoe }
  }

  test('stays in the cart but cannot be bought', async () => {
    const { ada } = await withOldLine()

    const cart = await ada.api.getCart({ userId: ada.id })

    expect(cart).toMatchObject({ groups: [], count: 2, buyableCount: 0 })
    expect(cart.outOfStock).toMatchObject([{ quantity: 2, isGone: false, product: { name: 'Shoe', variantCount: 3 } }])
    expect(cart.outOfStock[0]?.variant).toBeUndefined()
  })

  test('stays in the cart, without units to buy, if the product has one variant only', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train' })
    await add(ada, train.id)
    await db.update(cartLines).set({ variantId: '' }).where(eq(cartLines.productId, train.id))

    const [line] = await linesIn(ada)

    expect(line).toMatchObject({ isGone: false, product: { name: 'Train', stock: 0, variantCount: 1 } })
    expect(line?.variant).toBeUndefined()
  })

  test('waits like one whose variant is no longer sold', async () => {
    const ada = await customer()
    const shoe = await openShoe()
    await add(ada, shoe.id, shoe.small, 2)
    await db.delete(variants).where(eq(variants.id, shoe.small))

    const cart = await ada.api.getCart({ userId: ada.id })

    expect(cart.outOfStock).toMatchObject([{ quantity: 2, isGone: false, product: { name: 'Shoe', variantCount: 2 } }])
    expect(cart.outOfStock[0]?.variant).toBeUndefined()
    await ada.api.changeCartVariant({ lineId: cart.outOfStock[0]!._id, variantId: shoe.large })
    expect(await ada.api.getCart({ userId: ada.id })).toMatchObject({ buyableCount: 2, outOfStock: [] })
  })

  test('can be bought once one is chosen', async () => {
    const { ada, shoe } = await withOldLine()
    const [line] = await linesIn(ada)

    await ada.api.changeCartVariant({ lineId: line!._id, variantId: shoe.large })

    expect(await ada.api.getCart({ userId: ada.id })).toMatchObject({
      buyableCount: 2,
      outOfStock: [],
      groups: [{ products: [{ quantity: 2, variant: { _id: shoe.large } }] }],
    })
  })
})

test('a line whose only variant was replaced by another one is no longer sold', async () => {
  const ada = await customer()
  const train = await addProduct(db, { name: 'Old train' })
  await add(ada, train.id)
  await db.insert(variants).values({ productId: train.id, priceCents: 500, stock: 5, position: 1 })
  await db.delete(variants).where(eq(variants.id, train.variantId))

  expect(await linesIn(ada)).toMatchObject([
    { isGone: true, product: { name: 'Old train', priceCents: 1999, images: [] } },
  ])
})

test('a cart does not repeat the descriptions of its products', async () => {
  const ada = await customer()
  const shoe = await openShoe()
  for (const variantId of [shoe.small, shoe.large]) await add(ada, shoe.id, variantId)
  await db.update(products).set({ description: 'A long text' }).where(eq(products.id, shoe.id))
  await db.update(cartLines).set({ variantId: '' }).where(eq(cartLines.variantId, shoe.large))

  expect((await linesIn(ada)).map(({ product }) => product.description)).toEqual(['', ''])
})

test('a cart names the variant beside the product, which has the variant’s figures', async () => {
  const { api, id: userId, token } = await customer()
  const shoe = await openShoe()
  const train = await addProduct(db)
  const post = (body: object) =>
    request(`/api${addToCart.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userId, quantity: 1, ...body }),
    })

  const refused = await post({ productId: shoe.id })
  expect(refused.status).toBe(422)
  expect(await refused.json()).toEqual({
    error: 'Please choose Size and Colour',
    code: 'CHOOSE_OPTIONS',
    fields: { Size: '42, 43, 44', Colour: 'Blue' },
  })
  expect((await post({ productId: shoe.id, variantId: shoe.large })).status).toBe(201)
  expect((await post({ productId: train.id })).status).toBe(201)

  const headers = { authorization: `Bearer ${token}` }
  const cart = await (await request(`/api/home/product/get-card-product/${userId}`, { headers })).json()
  expect(cart).toMatchObject({
    card_products: [
      {
        products: [
          {
            productInfo: { _id: shoe.id, price: 49.99, discount: 20, stock: 3 },
            variant: {
              _id: shoe.large,
              title: 'Size 43, Blue',
              options: { Size: '43', Colour: 'Blue' },
              sku: 'SHOE-43',
            },
          },
        ],
      },
      { products: [{ productInfo: { _id: train.id, price: 19.99, stock: 5 } }] },
    ],
  })
  expect(await api.getCart({ userId })).toMatchObject({ priceCents: 4099 + 1999 })
})

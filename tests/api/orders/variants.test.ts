import { parse } from 'csv-parse/sync'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { cartLinesOf } from '#contract/cart-sums.ts'
import { cartLines, notifications, orders, products, variants } from '#server/db/schema.ts'
import { addSeller, addShoe, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, assertInvariants, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
const { db, customer, jobs, letters, close } = shop
afterAll(close)

const market = operatorOf(shop)

/** Adds a shoe in the sizes 42 (5 in stock) and 43 (3, at a higher price). */
async function openShoe(product: Parameters<typeof addShoe>[2] = {}) {
  const shoe = await addShoe(db, { 42: { stock: 5 }, 43: { stock: 3, priceCents: 2499 } }, product)
  const [small, large] = shoe.variantIds as [string, string]
  return { shoe, small, large, dear: { ...shoe, priceCents: 2499 } }
}

async function pay(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  await payOrder(db, jobs, { _id: orderId, priceCents: order!.priceCents })
}

describe('an order of a product with several variants', () => {
  test('names one, takes only its units, and returns them when it is cancelled', async () => {
    const ada = await customer()
    const { dear, shoe, large } = await openShoe()

    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: dear, variantId: large, quantity: 2 }]))

    expect(await stocksOf(db, shoe)).toEqual([5, 1])
    const { groups } = (await ada.api.getOrder({ orderId })).order
    expect(groups).toMatchObject([
      {
        products: [
          {
            quantity: 2,
            productInfo: { _id: dear.id, priceCents: 2499 },
            variant: { _id: large, title: 'Size 43, Blue', options: { Size: '43', Colour: 'Blue' }, sku: 'SHOE-43' },
          },
        ],
      },
    ])
    await assertInvariants(db)
    await ada.api.cancelOrder({ orderId })
    expect(await stocksOf(db, shoe)).toEqual([5, 3])
    await assertInvariants(db)
  })

  test('is rejected without one, with the values of each option', async () => {
    const ada = await customer()
    const { shoe } = await openShoe()

    await expect(ada.api.placeOrder(orderOf(ada.id, [shoe]))).rejects.toMatchObject({
      status: 422,
      code: 'CHOOSE_OPTIONS',
      message: 'Please choose Size and Colour',
      fields: { Size: '42, 43', Colour: 'Blue' },
    })
    expect(await stocksOf(db, shoe)).toEqual([5, 3])
  })

  test('is rejected with a variant of another product', async () => {
    const ada = await customer()
    const [{ shoe }, other] = [await openShoe(), await openShoe()]

    await expect(
      ada.api.placeOrder(orderOf(ada.id, [{ product: shoe, variantId: other.small }])),
    ).rejects.toMatchObject({ status: 422, message: 'Out of stock' })
    expect(await stocksOf(db, other.shoe)).toEqual([5, 3])
  })

  test('takes the variant of its cart line', async () => {
    const ada = await customer()
    const { dear, shoe, small, large } = await openShoe()
    await ada.api.addToCart({ userId: ada.id, productId: dear.id, variantId: large, quantity: 1 })
    await ada.api.addToCart({ userId: ada.id, productId: dear.id, variantId: small, quantity: 1 })
    const [, line] = cartLinesOf(await ada.api.getCart({ userId: ada.id })).toSorted((a, b) =>
      a.variant!.sku < b.variant!.sku ? -1 : 1,
    )

    await ada.api.placeOrder(orderOf(ada.id, [{ product: dear, lineId: line!._id }]))

    expect(await stocksOf(db, shoe)).toEqual([5, 2])
    expect(cartLinesOf(await ada.api.getCart({ userId: ada.id }))).toMatchObject([{ variant: { _id: small } }])
  })

  test('is rejected if another device has chosen another variant for the cart line, which stays', async () => {
    const ada = await customer()
    const { shoe, small, large } = await openShoe()
    await ada.api.addToCart({ userId: ada.id, productId: shoe.id, variantId: small, quantity: 1 })
    const [line] = cartLinesOf(await ada.api.getCart({ userId: ada.id }))
    const other = await addShippable(db)
    const stale = orderOf(ada.id, [other, { product: shoe, variantId: small, lineId: line!._id }])
    await ada.api.changeCartVariant({ lineId: line!._id, variantId: large })

    await expect(ada.api.placeOrder(stale)).rejects.toMatchObject({
      status: 422,
      message: 'Your cart has changed in the meantime',
    })

    expect(await stocksOf(db, shoe)).toEqual([5, 3])
    expect(cartLinesOf(await ada.api.getCart({ userId: ada.id }))).toMatchObject([{ variant: { _id: large } }])
  })

  test('is rejected for a cart line from before variants could be chosen', async () => {
    const ada = await customer()
    const { shoe, small } = await openShoe()
    await ada.api.addToCart({ userId: ada.id, productId: shoe.id, variantId: small, quantity: 1 })
    await db.update(cartLines).set({ variantId: '' }).where(eq(cartLines.productId, shoe.id))
    const [line] = cartLinesOf(await ada.api.getCart({ userId: ada.id }))

    const order = ada.api.placeOrder(orderOf(ada.id, [{ product: shoe, lineId: line!._id }]))

    await expect(order).rejects.toMatchObject({ status: 422, code: 'CHOOSE_OPTIONS' })
  })

  test('takes the variant that it names for such a line, or that its line has', async () => {
    const ada = await customer()
    const { shoe, small } = await openShoe()
    const addLine = async () => {
      await ada.api.addToCart({ userId: ada.id, productId: shoe.id, variantId: small, quantity: 1 })
      const [line] = cartLinesOf(await ada.api.getCart({ userId: ada.id }))
      return orderOf(ada.id, [{ product: shoe, variantId: small, lineId: line!._id }])
    }

    await ada.api.placeOrder(await addLine())
    const order = await addLine()
    await db.update(cartLines).set({ variantId: '' }).where(eq(cartLines.userId, ada.id))
    await ada.api.placeOrder(order)

    expect(await stocksOf(db, shoe)).toEqual([3, 3])
    expect(cartLinesOf(await ada.api.getCart({ userId: ada.id }))).toEqual([])
  })

  test('says which variant has too few units left', async () => {
    const ada = await customer()
    const { dear, shoe, small, large } = await openShoe()

    const order = orderOf(ada.id, [
      { product: shoe, variantId: small, quantity: 5 },
      { product: dear, variantId: large, quantity: 4 },
    ])

    await expect(ada.api.placeOrder(order)).rejects.toMatchObject({
      message: 'Out of stock',
      fields: { 'products.1.products.0': 'Only 3 left of Shoe (Size 43, Blue)' },
    })
  })

  test('names every product that is no longer sold', async () => {
    const ada = await customer()
    const [{ shoe }, other] = [await openShoe(), await openShoe()]
    const order = orderOf(ada.id, [shoe, other.shoe])
    await db.delete(products).where(inArray(products.id, [shoe.id, other.shoe.id]))

    const gone = 'This product is no longer sold'
    await expect(ada.api.placeOrder(order)).rejects.toMatchObject({
      fields: { 'products.0.products.0': gone, 'products.1.products.0': gone },
    })
  })

  test('keeps the variant’s name and SKU when the variant is deleted', async () => {
    const ada = await customer()
    const { shoe, small } = await openShoe()
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: shoe, variantId: small }]))

    await db.delete(variants).where(eq(variants.id, small))

    expect((await ada.api.getOrder({ orderId })).order.groups).toMatchObject([
      { products: [{ variant: { title: 'Size 42, Blue', sku: 'SHOE-42' } }] },
    ])
  })
})

test('shops’ mails, lists and commands name the variant with its SKU, customers’ mails and pages without it', async () => {
  const ada = await customer()
  const { id: sellerId } = await addSeller(db, { key: 'cobbler', shopName: 'Cobbler', email: 'cobbler@shops.test' })
  const { shoe, dear, small, large } = await openShoe({ sellerId, shopName: 'Cobbler' })
  const goods = [
    { product: shoe, variantId: small },
    { product: dear, variantId: large, quantity: 2 },
  ]
  const order = orderOf(ada.id, goods)
  const { orderId } = await ada.api.placeOrder(order)
  await pay(orderId)
  const named = 'Shoe (Size 43, Blue, SKU SHOE-43)'
  const forCustomer = 'Shoe (Size 43, Blue)'

  await lettersSent(db)
  const toShop = letters.filter(({ to }) => to === 'cobbler@shops.test')
  expect(toShop.map(({ subject }) => subject)).toEqual([expect.stringContaining('You have an order to ship')])
  const toCustomer = letters.filter(({ to, subject }) => to === ada.email && subject.startsWith('Your order is paid'))
  for (const [sent, name] of [
    [toShop, named],
    [toCustomer, forCustomer],
  ] as const) {
    expect(sent).toHaveLength(1)
    expect(sent[0]!.text).toContain(`2 × ${name}: $49.98`)
    expect(sent[0]!.html).toContain(`2 × ${name}<`)
  }
  const { orders: listed } = await ada.api.getOrders({ userId: ada.id, status: 'all' })
  expect(listed[0]!.parts[0]!.products.map(({ name }) => name)).toEqual(['Shoe (Size 42, Blue)', forCustomer])
  expect((await market('order', 'show', orderId)).out).toContain(`\n  2. 2 × ${named}\n`)
  expect((await market('order', 'list', '--to-ship', '--shop', 'cobbler')).out).toContain(`\n  2 × ${named}\n`)
  const { out } = await market('order', 'list', '--to-ship', '--shop', 'cobbler', '--csv')
  expect(parse(out, { columns: true })).toMatchObject([
    { product: 'Shoe', variant: 'Size 42, Blue', SKU: 'SHOE-42', quantity: '1' },
    { product: 'Shoe', variant: 'Size 43, Blue', SKU: 'SHOE-43', quantity: '2' },
  ])
  await market('order', 'ship', orderId)
  await market('order', 'deliver', orderId)
  const told = await db.select().from(notifications).where(eq(notifications.userId, ada.id))
  const first = 'Shoe (Size 42, Blue) and 1 more'
  expect(told.map(({ message }) => message).toSorted()).toEqual([
    `Cobbler has delivered ${first}. We hope you like it.`,
    `Cobbler has shipped ${first}.`,
    `We have received your payment of $79.97 for ${first}. The shops are preparing your order.`,
  ])
})

test('the notification of a cancelled order names the variant', async () => {
  const ada = await customer()
  const { shoe, small } = await openShoe()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: shoe, variantId: small }]))

  await ada.api.cancelOrder({ orderId })

  const [told] = await db.select().from(notifications).where(eq(notifications.userId, ada.id))
  expect(told?.message).toMatch(/^Your order of Shoe \(Size 42, Blue\) for \$[\d.]+ is cancelled, as you asked\./)
})

test('ordering again names a sold-out variant as its customer knows it', async () => {
  const ada = await customer()
  const { shoe, small } = await openShoe()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: shoe, variantId: small }]))
  await db.update(variants).set({ stock: 0 }).where(eq(variants.id, small))

  await expect(ada.api.orderAgain({ orderId })).rejects.toMatchObject({
    fields: { 0: 'Shoe (Size 42, Blue) is sold out' },
  })
})

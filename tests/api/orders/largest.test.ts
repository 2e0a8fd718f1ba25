import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { MAX_CART_LINES, MAX_ORDER_CENTS, MAX_PRICE_CENTS, MAX_STOCK } from '#contract/rules.ts'
import { readHoldLimits } from '#server/orders/hold-limits.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

/** The largest that an operator can choose. */
const HOLD_LIMITS = 'units=999999999,value=999999999'
const TOO_LARGE = { status: 422, message: 'This order is too large' }

const { db, customer, close } = await startProvider({ holdLimits: readHoldLimits(HOLD_LIMITS) })
afterAll(close)
afterEach(() => assertInvariants(db))

describe('the largest order', () => {
  test('has as many products as a cart', async () => {
    const ada = await customer()
    const { id: sellerId } = await addSeller(db)
    const gifts = []
    for (let count = 0; count <= MAX_CART_LINES; count += 1)
      gifts.push(await addShippable(db, { sellerId, priceCents: 0, shippingPrices: { Kenya: 0 } }))
    const order = orderOf(ada.id, gifts)
    const products = order.groups.flatMap(group => group.products)
    const [first, ...others] = products
    const inGroups = (...groups: (typeof products)[]) => ({
      ...order,
      groups: groups.map(each => ({ products: each })),
    })

    await expect(ada.api.placeOrder(inGroups([first!], others))).rejects.toMatchObject({
      status: 422,
      message: `An order has at most ${MAX_CART_LINES} products`,
    })
    await expect(ada.api.placeOrder(inGroups(others))).resolves.toHaveProperty('orderId')
  })

  test('costs as much as payments can have', async () => {
    const ada = await customer()
    const quantity = Math.floor(MAX_ORDER_CENTS / MAX_PRICE_CENTS)
    const rest = MAX_ORDER_CENTS - quantity * MAX_PRICE_CENTS
    const [most, more] = await Promise.all(
      [rest, rest + 1].map(Kenya =>
        addShippable(db, { priceCents: MAX_PRICE_CENTS, stock: quantity, shippingPrices: { Kenya } }),
      ),
    )

    await expect(ada.api.placeOrder(orderOf(ada.id, [{ product: more!, quantity }]))).rejects.toMatchObject(TOO_LARGE)
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: most!, quantity }]))
    expect((await ada.api.getOrder({ orderId })).order).toMatchObject({ priceCents: MAX_ORDER_CENTS })
  })

  test('has as many units as a product can have in stock', async () => {
    const ada = await customer()
    const gift = { priceCents: 0, shippingPrices: { Kenya: 0 } }
    const [sand, shovel] = [await addShippable(db, { ...gift, stock: MAX_STOCK }), await addShippable(db, gift)]
    const grains = { product: sand, quantity: MAX_STOCK - 1 }
    const orderWith = (shovels: number) => orderOf(ada.id, [grains, { product: shovel, quantity: shovels }])

    await expect(ada.api.placeOrder(orderWith(2))).rejects.toMatchObject(TOO_LARGE)
    const { orderId } = await ada.api.placeOrder(orderWith(1))
    expect((await ada.api.getOrder({ orderId })).order).toMatchObject({ items: MAX_STOCK })
  })
})

import { afterAll, describe, expect, test } from 'vitest'
import { cartLinesOf } from '#contract/cart-sums.ts'
import { MAX_PRICE_CENTS, MAX_STOCK } from '#contract/rules.ts'
import { addProduct, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

const add = ({ api, id }: Customer, productId: string, quantity = 1) =>
  api.addToCart({ userId: id, productId, quantity })
/** Returns the customer’s only line. */
const lineOf = async ({ api, id }: Customer) => cartLinesOf(await api.getCart({ userId: id }))[0]!

describe('the quantity of a cart line', () => {
  test('increases up to the stock and no further', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 2 })
    await add(ada, train.id)
    const { _id: lineId } = await lineOf(ada)

    await ada.api.increaseQuantity({ lineId })
    await expect(ada.api.increaseQuantity({ lineId })).rejects.toMatchObject({ status: 422, message: 'Out of stock' })

    expect(await lineOf(ada)).toMatchObject({ quantity: 2 })
  })

  test('decreases to 1 and no further', async () => {
    const ada = await customer()
    const train = await addProduct(db)
    await add(ada, train.id, 2)
    const { _id: lineId } = await lineOf(ada)

    await ada.api.decreaseQuantity({ lineId })
    await expect(ada.api.decreaseQuantity({ lineId })).rejects.toMatchObject({ status: 422 })

    expect(await lineOf(ada)).toMatchObject({ quantity: 1 })
  })

  test('is set to any number up to the stock; beyond it, the error says how many are left', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train', stock: 40 })
    await add(ada, train.id)
    const { _id: lineId } = await lineOf(ada)

    await ada.api.setQuantity({ lineId, quantity: 40 })
    await expect(ada.api.setQuantity({ lineId, quantity: 41 })).rejects.toMatchObject({
      status: 422,
      message: 'Only 40 left of Train',
    })
    await expect(ada.api.setQuantity({ lineId, quantity: 0 })).rejects.toMatchObject({ status: 400 })
    expect(await lineOf(ada)).toMatchObject({ quantity: 40 })

    await setVariants(db, train, { stock: 0 })
    await expect(ada.api.setQuantity({ lineId, quantity: 3 })).rejects.toMatchObject({ message: 'Out of stock' })
    await ada.api.removeCartLine({ lineId })
    await expect(ada.api.setQuantity({ lineId, quantity: 3 })).rejects.toMatchObject({ status: 404 })
  })

  test('can be so high that the sum is inexact: the cart is shown, and the line can be removed', async () => {
    const ada = await customer()
    const train = await addProduct(db, { priceCents: MAX_PRICE_CENTS })
    await setVariants(db, train, { sellsWithoutStock: true })

    await add(ada, train.id, MAX_STOCK)

    const { _id: lineId, quantity } = await lineOf(ada)
    expect(quantity).toBe(MAX_STOCK)
    await ada.api.removeCartLine({ lineId })
    expect(await ada.api.getCart({ userId: ada.id })).toMatchObject({ count: 0, priceCents: 0 })
  })
})

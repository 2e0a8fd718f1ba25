import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { cartLinesOf } from '#contract/cart-sums.ts'
import { MAX_CART_LINES, MAX_SAVED_LINES } from '#contract/rules.ts'
import { cartLines, products, savedLines } from '#server/db/schema.ts'
import { addProduct, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { otherLines } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

const add = ({ api, id }: Customer, productId: string, quantity = 1) =>
  api.addToCart({ userId: id, productId, quantity })
const linesIn = async ({ api, id }: Customer) => cartLinesOf(await api.getCart({ userId: id }))
const savedBy = async ({ api, id }: Customer) => (await api.getSavedLines({ userId: id })).lines

/** Adds a product to the customer’s cart and puts it aside. Returns the saved line’s id. */
async function putAside(ada: Customer, productId: string, quantity = 1): Promise<string> {
  await add(ada, productId, quantity)
  const line = (await linesIn(ada)).find(({ product }) => product._id === productId)
  await ada.api.saveForLater({ lineId: line!._id })
  return (await savedBy(ada)).find(({ product }) => product._id === productId)!._id
}

describe('saved for later', () => {
  test('is out of the cart, keeps its units, and moves back', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5, priceCents: 1000 })

    const savedId = await putAside(ada, train.id, 2)

    expect(await linesIn(ada)).toEqual([])
    expect(await savedBy(ada)).toMatchObject([{ quantity: 2, product: { _id: train.id, stock: 5 }, agreedCents: 1000 }])
    expect(await ada.api.moveToCart({ savedId })).toEqual({ message: 'Moved to your cart' })
    expect(await savedBy(ada)).toEqual([])
    expect(await linesIn(ada)).toMatchObject([{ quantity: 2, product: { _id: train.id } }])
  })

  test('is one line for each variant, in the list and in the cart', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 9 })
    await putAside(ada, train.id, 2)
    const savedId = await putAside(ada, train.id, 3)
    expect(await savedBy(ada)).toMatchObject([{ quantity: 5 }])
    await add(ada, train.id)

    await ada.api.moveToCart({ savedId })

    expect(await linesIn(ada)).toMatchObject([{ quantity: 6 }])
  })

  test('takes only the units that are left, and says that there are fewer', async () => {
    const ada = await customer()
    const train = await addProduct(db, { stock: 5 })
    const savedId = await putAside(ada, train.id, 4)
    await add(ada, train.id)
    await setVariants(db, train, { stock: 3 })

    const { message } = await ada.api.moveToCart({ savedId })

    expect(message).toBe('Moved to your cart, but 2 fewer: there are no more in stock')
    expect(await linesIn(ada)).toMatchObject([{ quantity: 3 }])
  })

  test('stays in the list when nothing is left, or the cart has all that are left', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train', stock: 2 })
    const savedId = await putAside(ada, train.id, 2)
    await add(ada, train.id, 2)
    await expect(ada.api.moveToCart({ savedId })).rejects.toMatchObject({
      status: 422,
      message: 'Only 2 left of Train',
    })

    await setVariants(db, train, { stock: 0 })

    await expect(ada.api.moveToCart({ savedId })).rejects.toMatchObject({ status: 422, message: 'Out of stock' })
    expect(await savedBy(ada)).toMatchObject([{ _id: savedId, quantity: 2 }])
  })

  test('shows a new price before the customer agrees to it, and that a product is no longer sold', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train', priceCents: 1000 })
    const savedId = await putAside(ada, train.id)
    await setVariants(db, train, { priceCents: 1200 })
    expect(await savedBy(ada)).toMatchObject([{ agreedCents: 1000, product: { priceCents: 1200 } }])

    await db.update(products).set({ isHidden: true }).where(eq(products.id, train.id))

    expect(await savedBy(ada)).toMatchObject([{ isGone: true, product: { name: 'Train', stock: 0 } }])
    await expect(ada.api.moveToCart({ savedId })).rejects.toMatchObject({ status: 404, message: 'Product not found' })
    await ada.api.removeSavedLine({ savedId })
    expect(await savedBy(ada)).toEqual([])
    await expect(ada.api.removeSavedLine({ savedId })).rejects.toMatchObject({ status: 404 })
  })

  test('has a limited number of lines, and leaves the line in the cart beyond it', async () => {
    const ada = await customer()
    await db.insert(savedLines).values(otherLines(ada.id, MAX_SAVED_LINES))
    const train = await addProduct(db)
    await add(ada, train.id)
    const [line] = await linesIn(ada)

    const save = ada.api.saveForLater({ lineId: line!._id })

    await expect(save).rejects.toMatchObject({ status: 422, message: 'Your list for later is full' })
    expect(await linesIn(ada)).toHaveLength(1)
  })

  test('stays in the list when the cart is full', async () => {
    const ada = await customer()
    const train = await addProduct(db)
    const savedId = await putAside(ada, train.id)
    await db.insert(cartLines).values(otherLines(ada.id, MAX_CART_LINES))

    await expect(ada.api.moveToCart({ savedId })).rejects.toMatchObject({ status: 422, message: 'Your cart is full' })

    expect(await savedBy(ada)).toHaveLength(1)
  })
})

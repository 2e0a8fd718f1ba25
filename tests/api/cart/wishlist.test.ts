import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { addToWishlist } from '#contract/wishlist.ts'
import { MAX_WISHLIST_ITEMS } from '#contract/rules.ts'
import { products, wishlistItems } from '#server/db/schema.ts'
import { addProduct, addSeller, picture, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, api, customer, request, close } = await startProvider()
afterAll(close)

const save = ({ api, id }: Customer, productId: string) => api.addToWishlist({ userId: id, productId })
const wishlistOf = ({ api, id }: Customer) => api.getWishlist({ userId: id })

async function addMany(count: number): Promise<{ id: string }[]> {
  const { id, slug, handle, finalCents, search, ...like } = await addProduct(db)
  const rows = Array.from({ length: count }, () => randomUUID()).map(name => ({ ...like, handle: name, slug: name }))
  return db.insert(products).values(rows).returning({ id: products.id })
}

/** Saves the products directly in the database, without calling the API. */
async function fill({ id: userId }: Customer, saved: { id: string }[]): Promise<void> {
  await db.insert(wishlistItems).values(saved.map(({ id }) => ({ userId, productId: id })))
}

describe('the wishlist', () => {
  test('shows saved products with their current price, newest first', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train', priceCents: 1000, pictures: [picture('train')] })
    const kite = await addProduct(db, { name: 'Kite', discount: 10, rating: 4.5, shopName: 'Kites' })
    await save(ada, train.id)
    await save(ada, kite.id)

    await setVariants(db, train, { priceCents: 1200 })

    const { items, count } = await wishlistOf(ada)
    expect(count).toBe(2)
    expect(items).toMatchObject([
      { productId: kite.id, name: 'Kite', discount: 10, rating: 4.5, slug: kite.slug, shopName: 'Kites' },
      { productId: train.id, priceCents: 1200, image: `/media/${picture('train').hash}/640.webp`, stock: 5 },
    ])
  })

  test('ignores the product data that a client sends and shows the stored data', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train', priceCents: 1000 })

    const answer = await request(`/api${addToWishlist.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ userId: ada.id, productId: train.id, name: '<b>', price: -1, rating: [5], slug: null }),
    })

    expect(answer.status).toBe(201)
    expect((await wishlistOf(ada)).items).toMatchObject([{ name: 'Train', priceCents: 1000, slug: train.slug }])
  })

  test('holds a product only once, however often it is saved', async () => {
    const ada = await customer()
    const { id } = await addProduct(db)

    await Promise.all([save(ada, id), save(ada, id), save(ada, id)])

    expect(await wishlistOf(ada)).toMatchObject({ count: 1 })
  })

  test('no longer shows products that were removed, hidden or deleted', async () => {
    const ada = await customer()
    const { id: sellerId } = await addSeller(db)
    const [train, kite, lamp] = [
      await addProduct(db, { sellerId }),
      await addProduct(db, { sellerId }),
      await addProduct(db, { sellerId }),
    ]
    for (const { id } of [train, kite, lamp]) await save(ada, id)
    const item = (await wishlistOf(ada)).items.find(({ productId }) => productId === train.id)!

    expect(await ada.api.removeFromWishlist({ itemId: item._id })).toMatchObject({ itemId: item._id })
    await db.update(products).set({ isHidden: true }).where(eq(products.id, kite.id))
    await db.delete(products).where(eq(products.id, lamp.id))

    expect(await wishlistOf(ada)).toEqual({ items: [], count: 0 })
    await expect(ada.api.removeFromWishlist({ itemId: item._id })).rejects.toMatchObject({ status: 404 })
  })

  test('loses a product by the id of the product, too, as when its item is not known yet', async () => {
    const ada = await customer()
    const { id } = await addProduct(db)
    await save(ada, id)
    const [item] = (await wishlistOf(ada)).items

    expect(await ada.api.removeFromWishlist({ itemId: id })).toMatchObject({ itemId: item!._id })

    expect(await wishlistOf(ada)).toEqual({ items: [], count: 0 })
    await expect(ada.api.removeFromWishlist({ itemId: id })).rejects.toMatchObject({ status: 404 })
  })

  test('rejects products that are hidden or do not exist, and products beyond its limit', async () => {
    const ada = await customer()
    const hidden = await addProduct(db, { isHidden: true })
    for (const id of [hidden.id, 'nothing']) {
      await expect(save(ada, id)).rejects.toMatchObject({ status: 404, message: 'Product not found' })
    }

    const [last, ...rest] = await addMany(MAX_WISHLIST_ITEMS + 1)
    await fill(ada, rest)

    await expect(save(ada, last!.id)).rejects.toMatchObject({ status: 422, message: 'Your wishlist is full' })
    await save(ada, rest[0]!.id)
    expect(await wishlistOf(ada)).toMatchObject({ count: MAX_WISHLIST_ITEMS })

    // What the customer cannot see, she cannot remove either.
    await db.update(products).set({ isHidden: true }).where(eq(products.id, rest[1]!.id))
    await save(ada, last!.id)
    expect(await wishlistOf(ada)).toMatchObject({ count: MAX_WISHLIST_ITEMS })
  })

  test('stays within its limit when many products are saved at once', async () => {
    const ada = await customer()
    const many = await addMany(MAX_WISHLIST_ITEMS + 9)
    await fill(ada, many.slice(10))

    await Promise.allSettled(many.slice(0, 10).map(({ id }) => save(ada, id)))

    expect(await wishlistOf(ada)).toMatchObject({ count: MAX_WISHLIST_ITEMS })
  })

  test('cannot be read or changed by another customer', async () => {
    const [ada, mallory] = [await customer(), await customer()]
    const { id } = await addProduct(db)
    await save(ada, id)
    const [item] = (await wishlistOf(ada)).items

    for (const itemId of [item!._id, id, 'nothing']) {
      await expect(mallory.api.removeFromWishlist({ itemId })).rejects.toMatchObject({
        status: 404,
        message: 'This is not on your wishlist',
      })
    }
    const own = { status: 404, message: 'There is nothing at this address' }
    await expect(mallory.api.getWishlist({ userId: ada.id })).rejects.toMatchObject(own)
    await expect(mallory.api.addToWishlist({ userId: ada.id, productId: id })).rejects.toMatchObject(own)
    await expect(api.getWishlist({ userId: ada.id })).rejects.toMatchObject({ status: 409, code: 'NO_TOKEN' })
    expect(await wishlistOf(ada)).toMatchObject({ count: 1 })
  })
})

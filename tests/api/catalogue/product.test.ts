import { afterAll, describe, expect, test } from 'vitest'
import { addProduct, addSeller, picture } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, pagesApi, close } = await startProvider()
afterAll(close)

const missing = { status: 404, message: 'Product not found' }

describe('related products', () => {
  test('are empty when there is no other product', async () => {
    const only = await addProduct(db, { category: 'Lonely' })

    expect(await api.getProduct({ id: only.id })).toMatchObject({ related: [], fromSameShop: [] })
  })

  test('are the top-selling ones when the category has no other product', async () => {
    const only = await addProduct(db, { category: 'Unique' })
    const best = await addProduct(db, { category: 'Elsewhere', unitsSold: 9000 })

    const { related } = await api.getProduct({ id: only.id })

    expect(related[0]?._id).toBe(best.id)
    expect(related.map(({ _id }) => _id)).not.toContain(only.id)
  })

  test('are never sold out', async () => {
    const drum = await addProduct(db, { category: 'Drums' })
    const quiet = await addProduct(db, { category: 'Drums', unitsSold: 1 })
    await addProduct(db, { category: 'Drums', unitsSold: 99, stock: 0 })

    const { related } = await api.getProduct({ id: drum.id })

    expect(related.map(({ _id }) => _id)).toEqual([quiet.id])
  })

  test('are of the same category, top-selling first, without the product itself and hidden ones', async () => {
    const kite = await addProduct(db, { category: 'Kites', unitsSold: 50 })
    const slow = await addProduct(db, { category: 'Kites', unitsSold: 1 })
    const fast = await addProduct(db, { category: 'Kites', unitsSold: 7 })
    await addProduct(db, { category: 'Kites', isHidden: true })

    const { related } = await api.getProduct({ id: kite.id })

    expect(related.map(({ _id }) => _id)).toEqual([fast.id, slow.id])
  })
})

describe('more products of a shop', () => {
  test('are the top-selling ones, with those that are sold out last', async () => {
    const { id: sellerId } = await addSeller(db)
    const shown = await addProduct(db, { sellerId })
    const soldOut = await addProduct(db, { sellerId, unitsSold: 90, stock: 0 })
    const slow = await addProduct(db, { sellerId, unitsSold: 1 })
    const fast = await addProduct(db, { sellerId, unitsSold: 7 })

    const { fromSameShop } = await api.getProduct({ id: shown.id })

    expect(fromSameShop.map(({ _id }) => _id)).toEqual([fast.id, slow.id, soldOut.id])
  })
})

describe('a product', () => {
  test('comes with what its page says about the shop', async () => {
    const seller = await addSeller(db, { isVerified: true, rating: 4.4, replyHours: 20, picture: picture('shop') })
    const { id } = await addProduct(db, { sellerId: seller.id })

    const { shop } = await api.getProduct({ id })

    expect(shop).toMatchObject({ isVerified: true, rating: 4.4, replyHours: 20 })
    expect(shop?.image).toMatch(/^\/media\//)
  })

  test('is the same for a server-rendered page as over HTTP', async () => {
    const seller = await addSeller(db, { shippingRates: { Kenya: 500 } })
    const { id } = await addProduct(db, { sellerId: seller.id, priceCents: 1999, pictures: [picture('a')] })

    expect(await pagesApi.getProduct({ id })).toEqual(await api.getProduct({ id }))
  })

  test('has every field that the product page shows, under our names', async () => {
    const seller = await addSeller(db, { shopName: 'Kite & Co', shippingRates: { Kenya: 500, Ghana: 700 } })
    const stored = picture('kite')
    const kite = await addProduct(db, {
      name: 'Red kite',
      slug: 'red-kite',
      category: 'Red kites',
      brand: 'Windy',
      sellerId: seller.id,
      shopName: seller.shopName,
      priceCents: 1999,
      discount: 12.5,
      stock: 3,
      description: '<p>Flies &amp; flies.</p>',
      pictures: [stored, { source: 'https://elsewhere.example/kite.jpg' }],
      banner: { title: 'Sale', description: 'All kites', link: '/products?category=Kites', picture: stored },
      isPromoted: true,
      shippingPrices: { Kenya: 150, France: 900 },
      rating: 4.5,
      ratingCount: 2,
    })
    const image = `/media/${stored.hash}/640.webp`

    const { product } = await api.getProduct({ id: kite.id })

    expect(product).toEqual({
      _id: kite.id,
      slug: 'red-kite',
      name: 'Red kite',
      category: 'Red kites',
      brand: 'Windy',
      priceCents: 1999,
      discount: 12.5,
      stock: 3,
      description: '<p>Flies &amp; flies.</p>',
      images: [image],
      rating: 4.5,
      ratingCount: 2,
      sellerId: seller.id,
      shopName: 'Kite & Co',
      isPromoted: true,
      banner: { _id: kite.id, image, title: 'Sale', description: 'All kites', link: '/products?category=Kites' },
      shippingPrices: { Kenya: 150, Ghana: 700, France: 900 },
      highestCents: 1799,
      variantCount: 1,
      colourCount: 0,
      variants: [],
    })
  })

  test('is found by its id or its slug; the id has priority', async () => {
    const train = await addProduct(db)
    const impostor = await addProduct(db, { slug: train.id })

    expect((await api.getProduct({ id: train.slug })).product._id).toBe(train.id)
    expect((await api.getProduct({ id: train.id })).product._id).toBe(train.id)
    expect((await api.getProduct({ id: impostor.id })).product._id).toBe(impostor.id)
  })

  test('has its variants in the seller’s order', async () => {
    const shirt = await addProduct(db, {
      variants: [
        { position: 1, options: [['Size', 'L']], priceCents: 2000, discount: 10, stock: 1, sku: 'shirt-l' },
        { position: 0, options: [['Size', 'S']], priceCents: 1999, stock: 0 },
      ],
    })
    const [large, small] = shirt.variantIds

    const { product } = await api.getProduct({ id: shirt.slug })

    const about = (id = '', size = '') => ({ _id: id, title: `Size ${size}`, options: { Size: size }, barcode: '' })
    expect(product.variants).toEqual([
      { ...about(small, 'S'), sku: '', priceCents: 1999, discount: 0, stock: 0 },
      { ...about(large, 'L'), sku: 'shirt-l', priceCents: 2000, discount: 10, stock: 1 },
    ])
  })

  test('has no banner without a stored picture', async () => {
    const train = await addProduct(db, {
      banner: { title: 'Sale', description: '', picture: { source: 'https://elsewhere.example/banner.jpg' } },
    })

    expect((await api.getProduct({ id: train.id })).product.banner).toBeNull()
  })

  test('shows other products of its shop, top-selling first', async () => {
    const { id: sellerId } = await addSeller(db)
    const train = await addProduct(db, { sellerId })
    const slow = await addProduct(db, { sellerId, unitsSold: 1 })
    const fast = await addProduct(db, { sellerId, unitsSold: 5 })
    await addProduct(db, { sellerId, isHidden: true })

    const { fromSameShop } = await api.getProduct({ id: train.id })

    expect(fromSameShop.map(({ _id }) => _id)).toEqual([fast.id, slow.id])
  })

  test.each(['no-such-product', '%', "' or 1=1 --", '😀', 'a/b', '..%2f'])('returns 404 for the id %j', async id => {
    await expect(api.getProduct({ id })).rejects.toMatchObject(missing)
    await expect(api.getAvailability({ id })).rejects.toMatchObject(missing)
  })

  test('returns 404 while it is hidden', async () => {
    const { id, slug } = await addProduct(db, { isHidden: true })

    await expect(api.getProduct({ id })).rejects.toMatchObject(missing)
    await expect(api.getProduct({ id: slug })).rejects.toMatchObject(missing)
    await expect(api.getAvailability({ id })).rejects.toMatchObject(missing)
  })

  test('returns the current stock', async () => {
    const { id, slug } = await addProduct(db, { stock: 42 })

    expect(await api.getAvailability({ id })).toEqual({ stock: 42, variants: [] })
    expect(await api.getAvailability({ id: slug })).toEqual({ stock: 42, variants: [] })
  })
})

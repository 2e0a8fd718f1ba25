import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { slugOf } from '#contract/rules.ts'
import { sellers, variants } from '#server/db/schema.ts'
import { addReview, addShoe, setVariants, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { openOperatedShop } from '#tests/support/provider/operated-shop.ts'
import { addShippable, assertInvariants } from '#tests/support/provider/ordering.ts'

const { db, api, customer, market, purgedBy, audited, openShop, place, pay } = await openOperatedShop()

describe('the operator’s product commands', () => {
  test('list and show a product with its orders and carts', async () => {
    const ada = await customer()
    const { product } = await openShop('shelf', 'Shelf')
    await addShippable(db, { sellerId: product.sellerId, slug: 'shelf-secret', shopName: 'Shelf', isHidden: true })
    await place(ada, product)
    await addReview(db, product.id)

    expect((await market('product', 'list', '--shop', 'shelf')).out).toBe(
      'shelf-secret  $19.99  5 in stock  Shelf  hidden\nshelf-teapot  $19.99  4 in stock  Shelf\n',
    )
    expect((await market('product', 'list', '--hidden', 'shelf')).out).toMatch(/^shelf-secret .*\n$/)
    const { out } = await market('product', 'show', 'shelf-teapot')
    expect(out).toContain('shelf-teapot: $19.99, 4 in stock, visible\n')
    expect(out).toContain('Ships to Kenya for $5.00\nIn 1 order and 0 carts\n')
    await market('seller', 'hide', 'shelf')
    expect((await market('product', 'list', 'shelf-teapot')).out).toContain('Shelf  hidden with its shop\n')
  })

  test('say that a product is sold without stock', async () => {
    const { product } = await openShop('endless', 'Endless')
    for (const [stock, units] of [
      [4, '4 in stock, sold without stock too'],
      [0, 'sold without stock'],
    ] as const) {
      await setVariants(db, product, { stock, sellsWithoutStock: true })
      expect((await market('product', 'list', product.slug)).out).toBe(`endless-teapot  $19.99  ${units}  Endless\n`)
      const { out } = await market('product', 'show', product.slug)
      expect(out).toContain(`endless-teapot: $19.99, ${units}, visible\n`)
    }
  })

  test('remove a product: orders keep it, carts show it as no longer sold, the shop’s rating drops it', async () => {
    const ada = await customer()
    const { seller, product } = await openShop('sold-out', 'Sold Out')
    const orderId = await place(ada, product)
    await ada.api.addToCart({ userId: ada.id, productId: product.id, quantity: 1 })
    await ada.api.submitReview({ productId: product.id, rating: 5, review: 'A good pot', name: 'Ada' })

    expect(await market('product', 'remove', 'sold-out-teapot')).toEqual({
      code: 3,
      out: '',
      err: "This removes sold-out-teapot of Sold Out with 1 review; 1 order keeps what was bought, 1 cart says that it is no longer sold. 'product set sold-out-teapot hidden=true' only hides it.\n",
    })
    expect(await purgedBy('product', 'remove', 'sold-out-teapot', '--yes')).toContain(`product:${product.id}`)

    await expect(api.getProduct({ id: product.slug })).rejects.toMatchObject({ status: 404 })
    expect((await ada.api.getCart({ userId: ada.id })).outOfStock).toMatchObject([{ isGone: true }])
    await pay(ada, orderId)
    expect((await ada.api.getOrder({ orderId })).sellerOrders).toMatchObject([
      { products: [{ productInfo: { name: 'Sold Out teapot' } }] },
    ])
    expect(await market('order', 'refund', orderId)).toMatchObject({ code: 0 })
    const [rated] = await db.select().from(sellers).where(eq(sellers.id, seller.id))
    expect(rated?.rating).toBe(0)
    expect(await audited('product_removed')).toMatchObject([{ details: { slug: 'sold-out-teapot' } }])
    expect(await market('product', 'remove', 'sold-out-teapot', '--yes')).toMatchObject({
      code: 1,
      err: "No product has the slug 'sold-out-teapot': 'product list TEXT' finds it by a part of its name\n",
    })
    await assertInvariants(db)
  })
})

describe('a product with several variants', () => {
  async function openShoe(slug: string) {
    const { seller } = await openShop(slug, slug)
    const sizes = { 42: { stock: 2 }, 43: { stock: 3 }, 44: { stock: 0, priceCents: 2999, sellsWithoutStock: true } }
    const product = await addShoe(db, sizes, { slug: `${slug}-shoe`, sellerId: seller.id, shopName: slug })
    return { slug: product.slug, product }
  }
  const variantsOf = async (id: string) => (await api.getProduct({ id })).product.variants

  test('is shown with the price, stock and SKU of each', async () => {
    const { slug, product } = await openShoe('shown')
    await db.update(variants).set({ stock: -3 }).where(eq(variants.id, product.variantIds[2]!))

    expect((await market('product', 'show', slug)).out).toContain(
      [
        '3 variants, 0 pictures, 0 reviews (0 of 5)',
        '  Size 42, Blue, SKU SHOE-42: $19.99, 2 in stock',
        '  Size 43, Blue, SKU SHOE-43: $19.99, 3 in stock',
        '  Size 44, Blue, SKU SHOE-44: $29.99, sold without stock, 3 owed',
        'Ships to Kenya for $5.00',
      ].join('\n'),
    )
  })

  test('gets another price and stock for the variant with a SKU', async () => {
    const { slug } = await openShoe('set')

    const { code, out } = await market('product', 'set', slug, '--variant', 'SHOE-43', 'price=25', 'stock=9')

    expect({ code, out }).toEqual({ code: 0, out: `${slug}: $19.99, 11 in stock, sold without stock too, visible\n` })
    expect((await variantsOf(slug)).map(({ priceCents, stock, sku }) => [sku, priceCents, stock])).toMatchObject([
      ['SHOE-42', 1999, 2],
      ['SHOE-43', 2500, 9],
      ['SHOE-44', 2999, expect.any(Number)],
    ])
    const [audit] = (await audited('product_changed')).filter(({ details }) => details.slug === slug)
    expect(audit?.details).toMatchObject({ variant: 'SHOE-43', priceCents: 2500, stock: 9 })
  })

  test('gets another price for all that cost as much as the cheapest', async () => {
    const { slug } = await openShoe('repriced')

    await market('product', 'set', slug, 'price=15')

    expect((await variantsOf(slug)).map(({ priceCents }) => priceCents)).toEqual([1500, 1500, 2999])
  })

  test('gets another discount for all, and a price only for the cheapest', async () => {
    const { slug } = await openShoe('discounted')

    await market('product', 'set', slug, 'price=15', 'discount=10')

    expect((await variantsOf(slug)).map(({ priceCents, discount }) => [priceCents, discount])).toEqual([
      [1500, 10],
      [1500, 10],
      [2999, 10],
    ])
  })

  test.each(['SHOE-43', 'Size 43, Blue', 'size 43,  BLUE', '43 / blue'])(
    'gets another stock for the variant that is called %s',
    async name => {
      const { slug, product } = await openShoe(`called-${slugOf(name)}-${name.length}`)

      expect(await market('product', 'set', slug, '--variant', name, 'stock=9')).toMatchObject({ code: 0 })

      expect(await stocksOf(db, product)).toEqual([2, 9, 0])
    },
  )

  test('gets another stock for one of the variants with a shared SKU or without one', async () => {
    const { slug, product } = await openShoe('shared')
    const setSku = (sku: string) => db.update(variants).set({ sku }).where(eq(variants.productId, product.id))
    const set = (...words: string[]) => market('product', 'set', slug, ...words)
    const titles = "'Size 42, Blue', 'Size 43, Blue', 'Size 44, Blue'"

    await setSku('SHOE')
    expect(await set('--variant', 'SHOE', 'stock=4')).toMatchObject({
      code: 1,
      err: `${slug} has 3 variants called 'SHOE': name one with --variant: ${titles}\n`,
    })
    expect(await set('--variant', 'size 42, blue', 'stock=4')).toMatchObject({ code: 0 })
    await setSku('')
    expect(await set('--variant', '', 'price=1')).toMatchObject({
      code: 1,
      err: `No variant of ${slug} is called '': its variants are ${titles}\n`,
    })
    expect(await set('--variant', '44 / Blue', 'stock=7')).toMatchObject({ code: 0 })

    expect(await stocksOf(db, product)).toEqual([4, 3, 7])
  })

  test('gets no stock without a name, or with an unknown one, and lists the names of its variants', async () => {
    const { slug, product } = await openShoe('unclear')

    expect(await market('product', 'set', slug, 'stock=4')).toMatchObject({
      code: 1,
      err: `${slug} has 3 variants: name one with --variant: 'SHOE-42', 'SHOE-43', 'SHOE-44'\n`,
    })
    expect(await market('product', 'set', slug, '--variant', 'SHOE-50', 'stock=4')).toMatchObject({
      code: 1,
      err: `No variant of ${slug} is called 'SHOE-50': its variants are 'SHOE-42', 'SHOE-43', 'SHOE-44'\n`,
    })
    expect(await stocksOf(db, product)).toEqual([2, 3, 0])
  })

  test('with a single variant is changed without naming it', async () => {
    const { product } = await openShop('plain', 'Plain')

    expect(await market('product', 'set', product.slug, '--variant', 'Medium', 'stock=4')).toMatchObject({
      code: 1,
      err: `No variant of ${product.slug} is called 'Medium': it has only one, leave --variant out\n`,
    })
  })
})

test('a hidden review is not listed and does not count in the rating until it is shown again', async () => {
  const { product } = await openShop('reviewed', 'Reviewed')
  const kind = await addReview(db, product.id, { rating: 5 })
  const { id } = await addReview(db, product.id, { rating: 1, review: 'Buy at evil.example', name: 'Mallory' })
  await market('review', 'hide', kind.id)
  await market('review', 'hide', kind.id, '--off')
  const seen = async () => {
    const { reviews, countByRating } = await api.getReviews({ productId: product.id })
    const { rating, ratingCount } = (await api.getProduct({ id: product.id })).product
    return { reviews: reviews.map(each => each.name), ones: countByRating.at(-1)?.count, rating, ratingCount }
  }
  expect(await seen()).toEqual({ reviews: ['Mallory', 'Grace'], ones: 1, rating: 3, ratingCount: 2 })
  expect((await market('review', 'list', product.slug)).out).toContain(
    `${id}  ${new Date().toISOString().slice(0, 10)}  1 of 5  shown  reviewed-teapot  no pictures  Mallory: Buy at evil.example\n`,
  )

  expect((await market('review', 'hide', id)).out).toBe('The review of reviewed-teapot by Mallory is hidden now\n')
  expect(await seen()).toEqual({ reviews: ['Grace'], ones: 0, rating: 5, ratingCount: 1 })
  expect((await market('review', 'list', product.slug)).out).toContain('1 of 5  hidden  reviewed-teapot')
  expect(await purgedBy('review', 'hide', id, '--off')).toContain(`product:${product.id}`)
  expect(await seen()).toMatchObject({ rating: 3, ratingCount: 2 })
  expect(await market('review', 'hide', 'none')).toMatchObject({ code: 1 })
  expect(await audited('review_hidden')).toHaveLength(2)
})

test('a hidden product does not count in the rating of its shop until it is shown again', async () => {
  const { seller, product } = await openShop('two-pots', 'Two Pots')
  const other = await addShippable(db, { sellerId: seller.id, shopName: 'Two Pots', slug: 'two-pots-kettle' })
  for (const [productId, rating] of [
    [product.id, 5],
    [other.id, 2],
  ] as const)
    await (await customer()).api.submitReview({ productId, rating, review: 'I use it daily.' })
  const rated = async () => (await api.getSellerProducts({ sellerId: seller.id })).seller

  expect(await rated()).toMatchObject({ rating: 3.5, ratingCount: 2 })
  await market('product', 'set', 'two-pots-kettle', 'hidden=true')
  expect(await rated()).toMatchObject({ rating: 5, ratingCount: 1 })
  await market('product', 'set', 'two-pots-kettle', 'hidden=false')
  expect(await rated()).toMatchObject({ rating: 3.5, ratingCount: 2 })
})

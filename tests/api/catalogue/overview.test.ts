import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { discountedCents } from '#contract/rules.ts'
import { categories } from '#server/db/schema.ts'
import { addCategory, addProduct, addSeller, picture } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, close } = await startProvider()
afterAll(close)

const names = (products: { name: string }[]) => products.map(({ name }) => name)

describe('a catalogue without products', () => {
  test('returns empty lists and the default price range', async () => {
    await addCategory(db, 'Empty')

    expect(await api.getCategories({})).toEqual({ categories: [] })
    expect(await api.getHomeProducts({})).toEqual({ products: [], latest: [], topRated: [], onDiscount: [] })
    expect(await api.getPriceRange({})).toEqual({ latest: [], priceRange: { low: 0, high: 100 }, destinations: [] })
  })
})

describe('the catalogue with products', () => {
  beforeAll(async () => {
    const { id: sellerId } = await addSeller(db)
    for (let number = 1; number <= 14; number += 1) {
      await addProduct(db, {
        name: `P${number}`,
        category: number % 2 ? 'clocks' : 'Bells',
        sellerId,
        priceCents: 50_00 + number,
        unitsSold: number,
        rating: number <= 11 ? number / 3 : 0,
        discount: number > 11 ? 0 : 12 - number,
        createdAt: new Date(Date.UTC(2025, 0, number)),
      })
    }
    const best = { unitsSold: 1000, rating: 5, discount: 90, priceCents: 1, category: 'Secret' }
    await addProduct(db, { name: 'Hidden', isHidden: true, sellerId, ...best })
    await addProduct(db, { name: 'Sold out', stock: 0, sellerId, ...best, category: 'Bells', priceCents: 100_00 })
    const old = { sellerId, category: 'Bells', createdAt: new Date(0) }
    await addProduct(db, { name: 'Not a dollar off', priceCents: 900, discount: 11.1, ...old })
    await addProduct(db, { name: 'Dear', priceCents: 100_01, ...old })
  })

  test('lists the categories that have visible products, sorted by name', async () => {
    const found = await api.getCategories({})

    expect(found.categories).toEqual([
      { name: 'Bells', image: '', productCount: expect.any(Number) },
      { name: 'clocks', image: '/category-pictures/watches.svg', productCount: 7 },
    ])
  })

  test('shows the top-selling products first on the home page', async () => {
    const { products } = await api.getHomeProducts({})

    expect(names(products)).toEqual(Array.from({ length: 12 }, (_, at) => `P${14 - at}`))
  })

  test('shows the nine latest, best rated and most discounted', async () => {
    const { latest, topRated, onDiscount } = await api.getHomeProducts({})

    expect(names(latest)).toEqual(Array.from({ length: 9 }, (_, at) => `P${14 - at}`))
    expect(names(topRated)).toEqual(Array.from({ length: 9 }, (_, at) => `P${11 - at}`))
    expect(names(onDiscount)).toEqual(Array.from({ length: 9 }, (_, at) => `P${1 + at}`))
  })

  test('lists no unrated products as best rated and no undiscounted ones as most discounted', async () => {
    const { topRated, onDiscount } = await api.getHomeProducts({})

    expect(topRated.every(({ rating }) => rating > 0)).toBe(true)
    expect(onDiscount.every(product => discountedCents(product) < product.priceCents)).toBe(true)
  })

  test('returns the price range in whole dollars after discounts, and the latest products', async () => {
    const { priceRange, latest } = await api.getPriceRange({})

    expect(priceRange).toEqual({ low: 9, high: 101 })
    expect(names(latest)).toHaveLength(9)
  })

  test('shows the picture of a category', async () => {
    const stored = picture('bell')
    await db.insert(categories).values({ name: 'Pictured', picture: stored })
    await addProduct(db, { category: 'Pictured', unitsSold: 0 })

    const found = await api.getCategories({})

    expect(found.categories).toContainEqual({
      name: 'Pictured',
      image: `/media/${stored.hash}/640.webp`,
      productCount: 1,
    })
  })
})

import { describe, expect, test } from 'vitest'
import type { Product } from '#contract/product.ts'
import { listingTags, loadListing, promotionFor, shopsOf } from '#lib/catalogue/load-listing.ts'
import type { Api } from '#lib/api.ts'

const banner = (link: string | undefined) => ({ _id: String(link), image: '', link, title: '', description: '' })
const product = (_id: string) => ({ _id }) as Product

describe('the banner of a listing', () => {
  const food = banner('/products?category=Food')
  const garden = banner('https://piazza.example/products?sortPrice=low-to-high&category=Home%20%26%20Garden')

  test('is the first one when everything is listed', () => {
    expect(promotionFor([food, garden], undefined)).toBe(food)
    expect(promotionFor([], undefined)).toBeUndefined()
  })

  test('is one that links to the listed category', () => {
    expect(promotionFor([food, garden], 'Home & Garden')).toBe(garden)
    expect(promotionFor([food, garden, banner(undefined), banner('http://')], 'Toys')).toBeUndefined()
  })
})

describe('the result of a listing', () => {
  const answers = {
    queryProducts: { products: [product('1')], total: 1, pageSize: 12, filters: [] },
    getPriceRange: { latest: [product('2'), product('1')], priceRange: { low: 0, high: 100 } },
    getBanners: { banners: [] },
  }
  const asked: unknown[] = []
  const api = new Proxy({} as Api, {
    get: (_, name: keyof typeof answers) => async (input: unknown) => {
      asked.push([name, input])
      return answers[name]
    },
  })

  test('is requested with the filters, without the layout', async () => {
    await loadListing(api, { category: 'Toys', rating: 4, page: 2, layout: 'list' })

    expect(asked).toContainEqual(['queryProducts', { category: 'Toys', rating: 4, page: 2 }])
  })

  test('has the tags of its list, products, prices, categories and banners', async () => {
    const result = await loadListing(api, { page: 1, layout: 'grid' })

    const tags = ['categories', 'banners', 'prices', 'destinations', 'latest', 'products', 'product:1', 'product:2']
    expect(listingTags({ page: 1, layout: 'grid' }, result)).toEqual(tags)
    expect(listingTags({ category: 'Toys', page: 1, layout: 'grid' }, result)).toEqual(
      tags.map(tag => (tag === 'products' ? 'category:Toys' : tag)),
    )
  })

  test('names the shops with most of its products', async () => {
    const listing = { category: 'Toys', page: 1, layout: 'grid' } as const
    const result = await loadListing(api, listing)
    const values = Array.from({ length: 9 }, (_, at) => ({ value: `s${at}`, label: `Shop ${at}`, count: 20 - at }))
    const ofMany = { ...result, filters: [{ name: 'shop', title: 'Shop', values }] }
    const one = { ...product('1'), sellerId: 's1', shopName: 'Kites' }

    expect(shopsOf(ofMany)).toHaveLength(8)
    expect(shopsOf(ofMany)[0]).toEqual({ id: 's0', name: 'Shop 0', count: 20 })
    expect(shopsOf({ ...result, products: [one] })).toEqual([{ id: 's1', name: 'Kites', count: 1 }])
    expect(shopsOf({ ...result, products: [] })).toEqual([])
  })
})

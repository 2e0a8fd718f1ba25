import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, request, close } = await startProvider()
afterAll(close)

describe('the sitemap', () => {
  const updatedAt = new Date('2025-06-30T12:00:00Z')
  let sellerId = ''

  beforeAll(async () => {
    sellerId = (await addSeller(db, { shopName: 'Ägidius & Söhne' })).id
    await addProduct(db, { id: 'p-2', slug: 'kite', sellerId, updatedAt })
    await addProduct(db, { id: 'p-1', slug: 'train', sellerId, updatedAt })
    await addProduct(db, { id: 'p-3', slug: 'secret', sellerId, isHidden: true })
  })

  test('lists all visible products and all stores', async () => {
    expect(await api.getSitemapTotals({})).toEqual({ products: 2, stores: 1 })
    expect(await api.getSitemapPage({ kind: 'products', page: undefined })).toEqual({
      entries: [
        { _id: 'p-1', slug: 'train', updatedAt: updatedAt.toISOString() },
        { _id: 'p-2', slug: 'kite', updatedAt: updatedAt.toISOString() },
      ],
    })
    expect(await api.getSitemapPage({ kind: 'stores', page: 1 })).toEqual({
      entries: [{ _id: sellerId, slug: 'agidius-sohne' }],
    })
  })

  test('is empty beyond its last page', async () => {
    expect(await api.getSitemapPage({ kind: 'products', page: 2 })).toEqual({ entries: [] })
    expect(await api.getSitemapPage({ kind: 'products', page: 1_000_000_000 })).toEqual({ entries: [] })
  })

  test.each(['orders', 'products?pageNo=0', 'products?pageNo=x', 'products?pageNo=1&pageNo=2'])(
    'returns 400 for the invalid request %s',
    async asked => {
      expect((await request(`/api/home/sitemap/${asked}`)).status).toBe(400)
    },
  )
})

import { describe, expect, test } from 'vitest'
import { getCategories } from '#contract/catalogue.ts'
import { SITEMAP_PAGE_SIZE } from '#contract/rules.ts'
import { loadSitemapFiles, sitemapFiles, sitemapIndexXml, sitemapXml } from '#lib/catalogue/sitemap.ts'
import { createApi } from '#lib/create-api.ts'

describe('the sitemap', () => {
  test('of 100,000 products has ten product files, besides the pages, categories and stores', () => {
    const files = sitemapFiles({ products: 100_000, stores: 12, categories: 40 })
    expect(files).toHaveLength(13)
    expect(files.slice(0, 4)).toEqual([
      { kind: 'pages' },
      { kind: 'categories', page: 1 },
      { kind: 'stores', page: 1 },
      { kind: 'products', page: 1 },
    ])
    expect(files.at(-1)).toEqual({ kind: 'products', page: 10 })
  })

  test.each(['products', 'stores', 'categories'] as const)('starts another file when %s exceed the page size', kind => {
    const none = { products: 0, stores: 0, categories: 0 }
    expect(sitemapFiles({ ...none, [kind]: SITEMAP_PAGE_SIZE })).toHaveLength(2)
    expect(sitemapFiles({ ...none, [kind]: SITEMAP_PAGE_SIZE + 1 })).toHaveLength(3)
  })

  test('stays below the 50,000 addresses that search engines read from one file', () => {
    expect(SITEMAP_PAGE_SIZE).toBeLessThanOrEqual(50_000)
  })

  test('of an empty shop lists only its pages', () => {
    expect(sitemapFiles({ products: 0, stores: 0, categories: 0 })).toEqual([{ kind: 'pages' }])
  })

  test('of another provider, which does not count its goods, lists the pages and categories', async () => {
    const api = createApi({
      origin: 'https://shop.example',
      fetch: async ({ url }) =>
        new URL(url).pathname === `/api${getCategories.path}`
          ? Response.json({ categorys: [{ name: 'Toys', image: '' }] })
          : Response.json({ error: 'Not found' }, { status: 404 }),
    })

    expect(await loadSitemapFiles(api)).toEqual([{ kind: 'pages' }, { kind: 'categories', page: 1 }])
  })

  test('has absolute, escaped addresses and the time of the last change', () => {
    const xml = sitemapXml(
      [{ path: '/products?category=Toys&layout=<x>', updatedAt: '2025-06-30T00:00:00.000Z' }],
      'https://shop.example',
    )
    expect(xml).toContain('<loc>https://shop.example/products?category=Toys&amp;layout=%3Cx%3E</loc>')
    expect(xml).toContain('<lastmod>2025-06-30T00:00:00.000Z</lastmod>')
  })

  test('has an index of its files, numbered from one', () => {
    const xml = sitemapIndexXml(2, 'https://shop.example')
    expect(xml.match(/<loc>[^<]+/g)).toEqual([
      '<loc>https://shop.example/sitemap-1.xml',
      '<loc>https://shop.example/sitemap-2.xml',
    ])
  })
})

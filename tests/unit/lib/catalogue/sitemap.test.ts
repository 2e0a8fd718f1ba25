import { describe, expect, test } from 'vitest'
import { SITEMAP_PAGE_SIZE } from '#contract/rules.ts'
import { sitemapFiles, sitemapIndexXml, sitemapXml } from '#lib/catalogue/sitemap.ts'

describe('the sitemap', () => {
  test('of 100,000 products has ten product files, besides the pages and stores', () => {
    const files = sitemapFiles({ products: 100_000, stores: 12 })
    expect(files).toHaveLength(12)
    expect(files.slice(0, 3)).toEqual([{ kind: 'pages' }, { kind: 'stores', page: 1 }, { kind: 'products', page: 1 }])
    expect(files.at(-1)).toEqual({ kind: 'products', page: 10 })
  })

  test('starts another file when a product exceeds the page size', () => {
    expect(sitemapFiles({ products: SITEMAP_PAGE_SIZE, stores: 0 })).toHaveLength(2)
    expect(sitemapFiles({ products: SITEMAP_PAGE_SIZE + 1, stores: 0 })).toHaveLength(3)
  })

  test('of an empty shop lists only its pages', () => {
    expect(sitemapFiles({ products: 0, stores: 0 })).toEqual([{ kind: 'pages' }])
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

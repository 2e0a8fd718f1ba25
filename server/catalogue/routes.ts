import type { Hono } from 'hono'
import * as contract from '#contract/catalogue.ts'
import type { Product } from '#contract/product.ts'
import { getTrainingData } from '#contract/training.ts'
import { getSitemapPage, getSitemapTotals } from '#contract/sitemap.ts'
import { getSuggestions, type Suggestions } from '#contract/suggestions.ts'
import type { Database } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount } from '../http/mount.ts'
import { readBanners, readPlatformBanners } from './banners.ts'
import { readCategories, readHomeProducts, readPriceRange } from './overview.ts'
import { charactersOf, openProductCache } from './product-cache.ts'
import { openQueryCache, NO_CACHE } from './query-cache.ts'
import { countProducts, type Found, queryProducts } from './listing.ts'
import { readAvailability, readProduct } from './product.ts'
import { readFeaturedSellers, readSellerProducts, readSellers } from './sellers.ts'
import { readSitemapProducts, readSitemapStores, readSitemapTotals } from './sitemap.ts'
import { readSuggestions } from './suggestions.ts'
import { countMisses } from './search/misses.ts'
import { readTrainingProducts } from './training.ts'

export function catalogueRoutes(app: Hono<Env>, database: Database): void {
  const { db } = database
  // Of the time for a page's data, `totals` saves 86 % (listing) and `lists` 71 % (product): bench/README.md, 'caches'.
  const totals = openQueryCache<Found>(database, {
    max: 16_000_000,
    sizeOf: ({ size, offered, facets }) => size + JSON.stringify([offered, facets]).length,
    // Shops' names and the countries that they ship to matter, too.
    changedBy: tag => ['products', 'searches', 'synonyms'].includes(tag) || tag.startsWith('seller:'),
  })
  // Also cleared by changes of shops, whose shipping prices the products include.
  const lists = openQueryCache<Product[]>(database, {
    max: 8_000_000,
    sizeOf: products => products.reduce((sum, product) => sum + charactersOf(product), 1),
    changedBy: tag => tag === 'products' || tag.startsWith('seller:'),
  })

  // Short beginnings find the most products, and are typed most often: the cache saves 98 % of the time.
  const suggested = openQueryCache<Suggestions>(database, {
    max: 4_000_000,
    sizeOf: suggestions => JSON.stringify(suggestions).length,
    changedBy: tag => tag === 'products' || tag === 'categories' || tag.startsWith('seller:'),
  })

  const products = openProductCache(database)
  const misses = countMisses(db)

  mount(app, contract.getCategories, async () => ({ categories: await readCategories(db) }))
  mount(app, contract.getSellers, query => readSellers(db, query))
  mount(app, contract.getFeaturedSellers, async () => ({ sellers: await readFeaturedSellers(db) }))
  mount(app, contract.getHomeProducts, () => readHomeProducts(db))
  // Only pages get cached lists: their `stock` may be outdated, which pages do not show, unlike other clients.
  mount(app, contract.getProduct, (query, c) => readProduct(db, query, c.env?.inProcessBody ? lists : NO_CACHE))
  mount(app, contract.getAvailability, ({ id }) => readAvailability(db, id))
  mount(app, contract.getPriceRange, () => readPriceRange(db))
  mount(app, contract.queryProducts, async (query, c) => {
    if (query.search) await c.get('limits').take('search', c.get('ip'))
    const found = await queryProducts(db, totals, query, c.env?.inProcessBody && products)
    if (query.search && (found.isPartial || found.total === 0) && isSearchOnly(query)) misses.add(query.search)
    return found
  })
  mount(app, contract.countProducts, async (query, c) => {
    if (query.search) await c.get('limits').take('search', c.get('ip'))
    return { total: await countProducts(db, totals, query) }
  })
  mount(app, contract.getSellerProducts, async (query, c) => {
    if (query.search) await c.get('limits').take('search', c.get('ip'))
    return readSellerProducts(db, totals, query)
  })
  mount(app, getSuggestions, async (query, c) => {
    await c.get('limits').take('suggest', c.get('ip'))
    return readSuggestions(db, suggested, query)
  })
  mount(app, getTrainingData, ({ sellerId }) => readTrainingProducts(db, sellerId))
  mount(app, contract.getBanners, async () => ({ banners: await readBanners(db) }))
  mount(app, contract.getPlatformBanners, async () => ({ banners: await readPlatformBanners(db) }))
  mount(app, getSitemapTotals, () => readSitemapTotals(db))
  mount(app, getSitemapPage, async ({ kind, page }) => ({
    entries: kind === 'products' ? await readSitemapProducts(db, page) : await readSitemapStores(db, page),
  }))
}

/** The first page of a search without filters: only this one counts a miss, so that each search is counted once. */
function isSearchOnly({ page = 1, search, ...rest }: contract.ProductQuery): boolean {
  return page === 1 && Object.values(rest).every(value => value === undefined)
}

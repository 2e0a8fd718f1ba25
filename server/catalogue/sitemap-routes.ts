import type { Hono } from 'hono'
import * as contract from '#contract/sitemap.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount } from '../http/mount.ts'
import { readSitemapProducts, readSitemapStores, readSitemapTotals } from './sitemap.ts'

export function sitemapRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getSitemapTotals, () => readSitemapTotals(db))
  mount(app, contract.getSitemapPage, async ({ kind, page }) => ({
    entries: kind === 'products' ? await readSitemapProducts(db, page) : await readSitemapStores(db, page),
  }))
}

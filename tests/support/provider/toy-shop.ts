import type { Db } from '#server/db/types.ts'
import type { Media } from '#server/media/store.ts'
import { addProduct, addReview } from '../catalogue/catalogue.ts'
import { test as base } from '../browser/e2e.ts'
import type { RunningShop } from './shop.ts'
import { addLongConversation } from '../browser/long-conversation.ts'
import { startSmallShop } from './small-shop.ts'
import { addToyMarket, DISCUSSED, productPage } from './toy-market.ts'
import { addShoeShop } from './toy-shoes.ts'
import { XSS_TEXTS } from '../faults/xss.ts'

/** Starts the shop of `test` once for all workers. Returns a function that stops it. */
export async function startToyShop(): Promise<() => Promise<unknown>> {
  const shop = await startSmallShop(furnish, {}, { isLongLived: true })
  const { url, dataDir, pid } = shop
  // The first requests are the slowest: send them one after the other before all workers start.
  for (const path of ['/', '/products', '/stores', productPage('kite'), '/cart']) await fetch(url + path)
  process.env.TOY_SHOP = JSON.stringify({ url, dataDir, pid })
  return shop.stop
}

type ToyShop = Omit<RunningShop, 'stop'>

/**
 * Tests in the toy shop, which all of them share at the same time. Each test has its own customers, and only one test
 * may change a product. Relative URLs lead to this shop. Skipped when BASE_URL is set.
 */
export const test = base.extend<{ shop: ToyShop }>({
  ownShop: 'the toy shop, whose money, stock and operators are the tests’ own',
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures.
  shop: ({}, use) => use(JSON.parse(process.env.TOY_SHOP!) as ToyShop),
  // eslint-disable-next-line no-unused-vars -- Evaluated before the shop, so that a skipped test does not start one.
  baseURL: ({ skippedWithBaseUrl: _, shop }, use) => use(shop.url),
})

async function furnish(db: Db, media: Media): Promise<void> {
  await addToyMarket(db)
  await addShoeShop(db, media)
  await addLongConversation(db)
  const category = 'Games'
  const known = await addProduct(db, { category, slug: 'well-known', name: 'Well-known', rating: 4, ratingCount: 6 })
  for (let at = 0; at < 6; at += 1) await addReview(db, known.id, { rating: 4, review: `Review number ${at}` })
  for (const slug of DISCUSSED) {
    const { id } = await addProduct(db, { category, slug, name: 'Discussed', rating: 4, ratingCount: 2 })
    await addReview(db, id, { id: `much-${slug}`, rating: 4, review: 'Much discussed' })
    await addReview(db, id, { id: `seldom-${slug}`, rating: 4, review: 'Seldom discussed' })
  }
  await addProduct(db, { category, slug: 'pictured', name: 'Pictured' })
  const ratingCount = XSS_TEXTS.length
  const target = await addProduct(db, { category, slug: 'target', name: 'Target', rating: 5, ratingCount })
  for (const [at, text] of XSS_TEXTS.entries()) {
    const createdAt = new Date(Date.UTC(2025, 0, 1, 0, at))
    await addReview(db, target.id, { name: text.slice(0, 50), review: text, createdAt })
  }
}

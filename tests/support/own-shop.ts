import type { Db } from '#server/db/open.ts'
import { test } from './e2e.ts'
import type { Shop } from './shop.ts'
import { startSmallShop } from './small-shop.ts'

/**
 * Tests with a shop of their own, which `fill` furnishes and which they may change; addresses without an origin are that
 * shop's. Each worker starts one: keep the tests of a file together (`mode: 'default'`).
 */
export function testWithShop(fill: (db: Db) => Promise<void>) {
  return test.extend<object, { shop: Shop }>({
    shop: [
      // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures.
      async ({}, use) => {
        const shop = await startSmallShop(fill)
        await use(shop)
        await shop.stop()
      },
      { scope: 'worker', timeout: 240_000 },
    ],
    baseURL: ({ shop }, use) => use(shop.url),
  })
}

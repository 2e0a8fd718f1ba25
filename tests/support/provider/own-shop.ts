import type { Db } from '#server/db/types.ts'
import { test } from '../browser/e2e.ts'
import { type RunningShop, startShop } from './shop.ts'
import { startPostgresShop, startSmallShop } from './small-shop.ts'

interface Stoppable {
  url: string
  stop: () => Promise<unknown>
}

interface Starters {
  startShop: typeof startShop
  startSmallShop: typeof startSmallShop
  startPostgresShop: typeof startPostgresShop
}

/**
 * Tests with their own shop, which `start` starts and the tests may change. Relative URLs lead to it. Each worker
 * starts one, so keep the tests of a file together (`mode: 'default'`). Skipped when BASE_URL is set.
 */
export function testWithOwn<S extends Stoppable>(start: (starters: Starters) => Promise<S>) {
  return test.extend<object, { shop: S }>({
    ownShop: 'goods, settings or a database that only a shop of its own has',
    shop: [
      // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures.
      async ({}, use) => {
        const shop = await start({ startShop, startSmallShop, startPostgresShop })
        await use(shop)
        await shop.stop()
      },
      { scope: 'worker', timeout: 240_000 },
    ],
    // eslint-disable-next-line no-unused-vars -- Evaluated before the shop, so that a skipped test does not start one.
    baseURL: ({ skippedWithBaseUrl: _, shop }, use) => use(shop.url),
  })
}

/** Tests with their own small shop, which `fill` fills with data. */
export function testWithShop(fill: (db: Db) => Promise<void>) {
  return testWithOwn<RunningShop>(() => startSmallShop(fill))
}

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { listen } from '#tests/support/http.ts'
import { openLighthouse } from '#tests/support/lighthouse.ts'
import { LIGHTHOUSE_PAGES } from '#tests/support/page-kinds.ts'
import { startShop } from '#tests/support/shop.ts'
import { NO_LIMITS } from './load.ts'

const EMPTY =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>x</title><p>x</p>'

/** What Lighthouse says of the main pages, seen by a phone on a slow network, beside an empty page in the same run. */
export async function run(): Promise<void> {
  spawnSync(process.execPath, ['scripts/build.ts', '--if-needed'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
  })
  const shop = await startShop({ DEMO: 'on', LIMITS: NO_LIMITS })
  const empty = await listen((_req, res) => res.setHeader('content-type', 'text/html').end(EMPTY))
  const lighthouse = await openLighthouse(['performance', 'accessibility', 'best-practices', 'seo'])
  try {
    const { numbers: least } = await lighthouse.measure(empty.url)
    const paint = least['largest-contentful-paint'] ?? Number.NaN
    const table: Record<string, object> = {
      'an empty page': { 'LCP ms': Math.round(paint), 'blocked ms': Math.round(least['total-blocking-time'] ?? 0) },
    }
    for (const [name, path] of Object.entries(LIGHTHOUSE_PAGES)) {
      // The first visitor of a new shop waits for its pictures; this is about everybody else.
      await lighthouse.measure(shop.url + path)
      const { scores, numbers } = await lighthouse.measure(shop.url + path)
      const painted = numbers['largest-contentful-paint'] ?? Number.NaN
      table[name] = {
        ...scores,
        'LCP ms': Math.round(painted),
        'of an empty page': Number((painted / paint).toFixed(2)),
        'blocked ms': Math.round(numbers['total-blocking-time'] ?? Number.NaN),
        CLS: Number((numbers['cumulative-layout-shift'] ?? Number.NaN).toFixed(3)),
      }
    }
    console.table(table)
  } finally {
    await lighthouse.close()
    await empty.close()
    await shop.stop()
  }
}

import { listen } from '#tests/support/fakes/http.ts'
import { openLighthouse, type Report } from '#tests/support/browser/lighthouse.ts'
import { LIGHTHOUSE_PAGES } from '#tests/support/browser/page-kinds.ts'
import { startShop } from '#tests/support/provider/shop.ts'
import { askOnce, buildIfNeeded, NO_LIMITS, quantile, restOf } from './load.ts'

const EMPTY =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>x</title><p>x</p>'
const RUNS = 3

/**
 * Lighthouse's scores for the main pages on a first visit with a phone on a slow network, compared to an empty page in
 * the same run. Medians of three runs.
 */
export async function run(): Promise<void> {
  buildIfNeeded()
  const shop = await startShop({ DEMO: 'on', LIMITS: NO_LIMITS })
  const empty = await listen((_req, res) => res.setHeader('content-type', 'text/html').end(EMPTY))
  // By default, Lighthouse does not clear all data of an earlier visit.
  const lighthouse = await openLighthouse(['performance', 'accessibility', 'best-practices', 'seo'], {
    clearStorageTypes: ['all'],
  })
  try {
    await askOnce(shop.url, Object.values(LIGHTHOUSE_PAGES), 1, shop.pid)
    // After its start, the shop makes small pictures in the background, which takes both processors.
    await restOf(shop.pid)
    const least = await medians(() => lighthouse.measure(empty.url))
    const paint = least('largest-contentful-paint')
    const table: Record<string, object> = {
      'an empty page': { 'LCP ms': Math.round(paint), 'blocked ms': Math.round(least('total-blocking-time')) },
    }
    for (const [name, path] of Object.entries(LIGHTHOUSE_PAGES)) {
      // Not measured: the first visitor of a new shop waits until its pictures are made.
      await lighthouse.measure(shop.url + path)
      const median = await medians(() => lighthouse.measure(shop.url + path))
      table[name] = {
        performance: median('performance'),
        accessibility: median('accessibility'),
        'best-practices': median('best-practices'),
        seo: median('seo'),
        'LCP ms': Math.round(median('largest-contentful-paint')),
        'of an empty page': Number((median('largest-contentful-paint') / paint).toFixed(2)),
        'blocked ms': Math.round(median('total-blocking-time')),
        CLS: Number(median('cumulative-layout-shift').toFixed(3)),
      }
    }
    console.table(table)
  } finally {
    await lighthouse.close()
    await empty.close()
    await shop.stop()
  }
}

/** Measures several times; returns a function from the name of a score or number to its median. */
async function medians(measure: () => Promise<Report>): Promise<(name: string) => number> {
  const reports: Record<string, number>[] = []
  while (reports.length < RUNS) {
    const { scores, numbers } = await measure()
    reports.push({ ...numbers, ...scores })
  }
  return name => {
    const values = reports.map(report => report[name] ?? Number.NaN)
    return quantile(
      values.toSorted((a, b) => a - b),
      0.5,
    )
  }
}

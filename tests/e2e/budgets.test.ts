import type { Page } from 'playwright/test'
import { expect, test } from '#tests/support/e2e.ts'
import { PRODUCT } from '#tests/support/page-kinds.ts'

/** Compressed bytes over the wire that a visitor's first view may cost before any click. */
const BUDGETS = [
  { name: 'home', path: '/', hasCarousel: true, script: 30_000, style: 15_000, html: 20_000, requests: 15 },
  { name: 'product page', path: PRODUCT, hasCarousel: true, script: 30_000, style: 18_000, html: 20_000, requests: 15 },
  {
    name: 'listing',
    path: '/products?category=Audio',
    hasCarousel: false,
    script: 15_000,
    style: 15_000,
    html: 20_000,
    requests: 15,
  },
  { name: 'stores', path: '/stores', hasCarousel: false, script: 15_000, style: 15_000, html: 20_000, requests: 15 },
]

interface Loaded {
  url: string
  type: string
  bytes: number
}

test.describe('budgets', { tag: '@desktop' }, () => {
  for (const { name, path, hasCarousel, script, style, html, requests } of BUDGETS) {
    test(`${name}: stays within its bytes and requests before any click`, async ({ page }) => {
      const loaded = await recordLoads(page)
      const sum = (type: string) => loaded.filter(each => each.type === type).reduce((all, { bytes }) => all + bytes, 0)

      await page.goto(path)
      // Carousels fetch what moves them once the page is idle.
      if (hasCarousel) {
        const carousel = page.locator('market-carousel').last()
        await carousel.scrollIntoViewIfNeeded()
        await expect(carousel).toHaveAttribute('data-awake')
      }
      await page.waitForLoadState('networkidle')

      expect(sum('Script')).toBeLessThanOrEqual(script)
      expect(sum('Stylesheet')).toBeLessThanOrEqual(style)
      expect(sum('Document')).toBeLessThanOrEqual(html)
      expect(loaded.length, loaded.map(({ url }) => url).join('\n')).toBeLessThanOrEqual(requests)
      for (const type of ['Document', 'Stylesheet', 'Script']) expect(sum(type)).toBeGreaterThan(0)
    })

    test(`${name}: needs no script for its first paint`, async ({ page }) => {
      // Scripts never arrive: the page is painted all the same, whole and styled.
      let asked = 0
      await page.route('**/*.js', () => void (asked += 1))
      await page.goto(path, { waitUntil: 'commit' })

      await expect
        .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
        .toBe(1)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await expect(page.getByRole('contentinfo')).toBeVisible()
      expect(asked).toBeGreaterThan(0)
      const blocking = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(
            each =>
              each.name.endsWith('.js') && 'renderBlockingStatus' in each && each.renderBlockingStatus === 'blocking',
          )
          .map(({ name }) => name),
      )
      expect(blocking).toEqual([])
    })
  }

  test('React and the toasts are not fetched before a touch', async ({ page }) => {
    const loaded = await recordLoads(page)
    await page.goto(PRODUCT)
    await page.waitForLoadState('networkidle')
    const before = bytesOf(loaded)

    await page.getByRole('button', { name: 'Increase quantity' }).click()

    await expect(page.getByRole('status', { name: 'Quantity' })).toHaveText('2')
    // React alone is more than this.
    expect(bytesOf(loaded) - before).toBeGreaterThan(45_000)
  })
})

function bytesOf(loaded: Loaded[]): number {
  return loaded.filter(({ type }) => type === 'Script').reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Everything but pictures that the page loads, with its size on the wire; grows while the page does. */
async function recordLoads(page: Page): Promise<Loaded[]> {
  const loads: Loaded[] = []
  const byId = new Map<string, Loaded>()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (!response.url.startsWith('http') || response.mimeType.startsWith('image/')) return
    const load = { url: response.url, type, bytes: 0 }
    byId.set(requestId, load)
    loads.push(load)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = byId.get(requestId)
    if (load) load.bytes = encodedDataLength
  })
  return loads
}

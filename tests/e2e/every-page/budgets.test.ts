import type { Page } from 'playwright/test'
import { signUp } from '#tests/support/accounts/customer.ts'
import { expect, measureShifts, test } from '#tests/support/browser/e2e.ts'
import { recordLoads } from '#tests/support/browser/loads.ts'
import { type Budget, CUSTOMER_BUDGETS, type PageBudget, VISITOR_BUDGETS } from '#tests/support/browser/page-budgets.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

const FIRST_PAINTS = { home: '/', product: PRODUCT, listing: '/products?category=Audio', stores: '/stores' }

test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true })

test.describe('budgets', { tag: '@desktop' }, () => {
  test('hold for a visitor, on every kind of page', async ({ page }) => {
    await holdsAll(page, VISITOR_BUDGETS)
  })

  test.describe('of a customer', () => {
    test.use({ ownShop: 'an operator who confirms addresses: until then, pages ask for it' })

    test('hold on every kind of page', async ({ page }) => {
      await signUp(page)
      await holdsAll(page, CUSTOMER_BUDGETS)
    })
  })

  for (const [name, path] of Object.entries(FIRST_PAINTS)) {
    test(`${name}: needs no script for its first paint`, async ({ page }) => {
      // Scripts never load: the page must be painted completely and styled.
      let asked = 0
      await page.route('**/*.js', () => void (asked += 1))
      await page.goto(path, { waitUntil: 'commit' })

      await expect
        .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
        .toBe(1)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await expect(page.getByRole('contentinfo')).toBeVisible()
      await expect.poll(() => asked).toBeGreaterThan(0)
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

  test('a phone gets the largest picture of home inside the page', async ({ page }) => {
    const largest = page.locator('img[fetchpriority="high"]')
    // The first responses of a new shop don’t wait for the picture.
    await expect
      .poll(() => page.goto('/').then(() => largest.evaluate((image: HTMLImageElement) => image.currentSrc)))
      .toMatch(/^data:image\/avif;base64,/)
    await expect(largest).toHaveJSProperty('complete', true)
    expect(await largest.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300)
  })

  test('the first picture of a list comes before all others', async ({ page }) => {
    await page.goto('/products')

    await expect(page.locator('img[fetchpriority="high"]')).toHaveCount(1)
    await expect(page.getByRole('article').first().locator('img[fetchpriority="high"]')).toBeVisible()
  })

  for (const who of ['a visitor', 'a customer']) {
    test(`React and the toasts are not fetched before a touch of ${who}`, async ({ page }) => {
      if (who === 'a customer') await signUp(page)
      const record = await recordLoads(page)
      await page.goto(PRODUCT)
      await settled(page)
      const before = record.bytesOf('Script')

      await page.getByRole('button', { name: 'Increase quantity' }).click()

      await expect(page.getByRole('status', { name: 'Quantity' })).toHaveText('2')
      // React alone is larger than this.
      await expect.poll(() => record.bytesOf('Script') - before).toBeGreaterThan(45_000)
    })
  }
})

/** Requests to other hosts fail every test automatically. */
async function holdsAll(page: Page, budgets: PageBudget[]): Promise<void> {
  const record = await recordLoads(page)
  const shifts = await measureShifts(page)
  for (const { name, path, ...budget } of budgets) {
    // Keeps the previous page’s requests out of this page’s record.
    await page.goto('about:blank')
    // A page is compressed better after its second request, and starts over when another test changes its data.
    await expect.poll(() => packedBytes(page, path), name).toBeLessThanOrEqual(budget.html)
    await record.start()
    await page.goto(path)
    await wakeCarousels(page)
    await settled(page)

    const others = record.loads.filter(({ type }) => type !== 'Image')
    const spent: Omit<Budget, 'html'> = {
      style: record.bytesOf('Stylesheet'),
      script: record.bytesOf('Script'),
      font: record.bytesOf('Font'),
      image: record.bytesOf('Image'),
      requests: others.length,
    }
    const over = Object.entries(spent).filter(([kind, amount]) => amount > budget[kind as keyof typeof spent])
    expect.soft(Object.fromEntries(over), `${name}: ${others.map(({ url }) => url).join('\n')}`).toEqual({})
    expect(spent.script, name).toBeGreaterThan(0)
    expect.soft(await shifts(), name).toEqual({ sum: 0, moved: [] })
  }
}

async function packedBytes(page: Page, path: string): Promise<number> {
  const response = await page.request.get(path, { headers: { 'accept-encoding': 'br' } })
  return Number(response.headers()['content-length'] ?? 0)
}

/** Carousels load their script once they are in view and the page is idle. */
async function wakeCarousels(page: Page): Promise<void> {
  const carousel = page.locator('[data-carousel]').last()
  if ((await carousel.count()) === 0) return
  await carousel.scrollIntoViewIfNeeded()
  await expect(carousel).toHaveAttribute('data-awake')
}

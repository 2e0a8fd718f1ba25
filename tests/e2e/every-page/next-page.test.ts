import { expect, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'

test.describe('the next page', { tag: '@desktop' }, () => {
  test('is prefetched while the pointer hovers over its link', async ({ page }) => {
    const ahead: string[] = []
    page.context().on('request', request => {
      if (request.headers()['sec-purpose']?.includes('prefetch')) ahead.push(new URL(request.url()).pathname)
    })
    await page.goto('/about-us')

    await page.getByRole('link', { name: 'Terms' }).first().hover()

    await expect.poll(() => ahead).toEqual(['/terms-and-conditions'])
  })

  test('starts its script once it is shown, if the browser has prepared it ahead', async ({ page }) => {
    // Browsers that are operated by a test prepare nothing.
    await page.addInitScript(() =>
      Object.defineProperty(document, 'prerendering', { get: () => !('isShown' in window) }),
    )
    await page.goto(PRODUCT)
    // A page that is shown would start its script now. Asked for an idle callback instead, Chromium sometimes hangs
    // here.
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)).toBe(1)
    const isStarted = () => page.evaluate(() => !('early' in document.documentElement.dataset))
    const rules = await page.locator('script[type=speculationrules]').textContent()

    const { prerender } = JSON.parse(rules ?? '') as {
      prerender: { where: Record<string, string>; eagerness: string }[]
    }
    const [products, inView] = prerender
    expect(products).toMatchObject({ where: { href_matches: '/product/details/*' }, eagerness: 'moderate' })
    expect(inView!.eagerness).toBe('eager')
    const links = page
      .getByRole('complementary', { name: /^More from/ })
      .getByRole('listitem')
      .getByRole('link')
    await expect(page.locator(inView!.where.selector_matches!).and(links)).toHaveCount(2)
    expect(await isStarted()).toBe(false)
    await page.evaluate(() => {
      Object.assign(window, { isShown: true })
      document.dispatchEvent(new Event('prerenderingchange'))
    })
    await expect.poll(isStarted).toBe(true)
  })

  test('takes the place of this one at once, without a transition', async ({ page }) => {
    await page.addInitScript(() =>
      addEventListener('pagereveal', ({ viewTransition }) => Object.assign(window, { revealed: viewTransition })),
    )
    await page.goto('/about-us')

    await page.getByRole('link', { name: 'Terms' }).first().click()

    await expect(page).toHaveURL('/terms-and-conditions')
    await expect.poll(() => page.evaluate(() => 'revealed' in window && window.revealed)).toBeNull()
  })
})

import { chromium, type Page } from 'playwright/test'
import { demoId } from '#server/operators/demo/rows.ts'
import { apiOf, idOf } from '#tests/support/browser/calls.ts'
import { CHROMIUM_FLAGS, findWholeChromium } from '#tests/support/browser/chromium.ts'
import { type SignedUp, signUp } from '#tests/support/catalogue/customer.ts'
import { expect, test as base } from '#tests/support/browser/e2e.ts'

let whole: string | null = null

/**
 * A browser that keeps the pages that were left: Playwright switches that off, and a Chromium without windows has none
 * of it.
 */
const test = base.extend({
  page: async ({ baseURL }, use) => {
    whole = findWholeChromium()
    const browser = await chromium.launch({
      executablePath: whole ?? process.env.CHROMIUM_PATH,
      args: CHROMIUM_FLAGS,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    const page = await browser.newPage({ baseURL, viewport: { width: 1280, height: 900 } })
    await use(page)
    await browser.close()
  },
})

const name = (page: Page) => page.locator('[data-account-name]')
const badge = (page: Page) => page.locator('[data-count="cart"]')

/** Puts one more into the cart where the browser does not hear of it. */
async function addElsewhere(page: Page, { token }: SignedUp) {
  const productId = demoId('product', 'elbe-over-ear-headphones')
  await apiOf(page, token).addToCart({ userId: idOf(token), productId, quantity: 1 })
}

/** Goes on to another page, where `work` happens, and back; the page is the one that was left, not a new one. */
async function leaveAndComeBack(page: Page, work: () => Promise<unknown>) {
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await page.goto('/about-us')
  await work()
  // A page out of the memory is not loaded again.
  await page.goBack({ waitUntil: 'commit' })
  const isSame = await page.evaluate(() => 'isSame' in window)
  expect(isSame, 'whether the page came out of the memory').toBe(whole !== null)
}

test('Back shows what is true now, also on a page that the browser kept', { tag: '@desktop' }, async ({ page }) => {
  const customer = await signUp(page)
  await addElsewhere(page, customer)
  await page.goto('/cart')
  const quantity = page.getByRole('status', { name: /^Quantity of/ })
  await expect(quantity).toHaveText('1')

  await leaveAndComeBack(page, () => addElsewhere(page, customer))
  await expect(quantity).toHaveText('2')
  await expect(badge(page)).toHaveText('2')

  await page.goto('/products')
  await expect(badge(page)).toHaveText('2')
  await leaveAndComeBack(page, () => addElsewhere(page, customer))
  await expect(badge(page)).toHaveText('3')
  await leaveAndComeBack(page, () => page.evaluate(() => localStorage.removeItem('customerToken')))
  await expect(name(page)).toHaveText('Login')
  await expect(badge(page)).toBeHidden()

  await page.evaluate(token => localStorage.setItem('customerToken', token), customer.token)
  await page.goto('/cart')
  await expect(quantity).toHaveText('3')
  await page.goto('/about-us')
  await page.evaluate(() => localStorage.removeItem('customerToken'))
  // The page that comes back leaves at once: there is no navigation to wait for.
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL('/login?next=%2Fcart')
})

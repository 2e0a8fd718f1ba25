import { chromium, type Locator, type Page } from 'playwright/test'
import { demoId } from '#server/operators/demo/rows.ts'
import { apiOf, idOf } from '#tests/support/browser/calls.ts'
import { CHROMIUM_FLAGS, findWholeChromium } from '#tests/support/browser/chromium.ts'
import { type SignedUp, signUp } from '#tests/support/accounts/customer.ts'
import { expect, test as base } from '#tests/support/browser/e2e.ts'
import { pressIn } from '#tests/support/browser/keyboard.ts'
import { applyButton, shownTotal } from '#tests/support/browser/listing.ts'

let whole: string | null = null

/** Turns on the back/forward cache: Playwright disables it, and headless Chromium has none. */
const test = base.extend({
  context: async ({ baseURL }, use) => {
    whole = findWholeChromium()
    const browser = await chromium.launch({
      executablePath: whole ?? process.env.CHROMIUM_PATH,
      args: CHROMIUM_FLAGS,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    await use(await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 } }))
    await browser.close()
  },
})

const name = (page: Page) => page.locator('[data-account-name]')
const badge = (page: Page) => page.locator('[data-count="cart"]')

/** Adds one to the cart without this browser noticing. */
async function addElsewhere(page: Page, { token }: SignedUp) {
  const productId = demoId('product', 'night-ferry-wireless-headphones')
  await apiOf(page, token).addToCart({ userId: idOf(token), productId, quantity: 1 })
}

/** Opens another page, runs `work` there, and goes back; asserts that the same page is restored. */
async function leaveAndComeBack(page: Page, work: () => Promise<unknown>) {
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await page.goto('/about-us')
  await work()
  // A page restored from memory is not loaded again.
  await page.goBack({ waitUntil: 'commit' })
  const isSame = await page.evaluate(() => 'isSame' in window)
  expect(isSame, 'whether the page came out of the memory').toBe(whole !== null)
}

test(
  'Back shows the current data, also on a page restored from memory',
  { tag: '@desktop' },
  async ({ page, faults }) => {
    // A page may ask for notifications in the moment in which it loses its token.
    faults.allow(/^409 .*\/customer\/notifications$/).allow(/status of 409/)
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
    await expect(name(page)).toHaveText('Log in')
    await expect(badge(page)).toBeHidden()

    await page.evaluate(token => localStorage.setItem('customerToken', token), customer.token)
    await page.goto('/cart')
    await expect(quantity).toHaveText('3')
    await page.goto('/about-us')
    await page.evaluate(() => localStorage.removeItem('customerToken'))
    // The restored page redirects at once: there is no navigation to wait for, and the page may be gone before it
    // answers.
    await page.evaluate(() => void setTimeout(() => history.back()))
    await expect(page).toHaveURL('/login?next=%2Fcart')
  },
)

test(
  'Back shows how many products the list’s filters match, not those of a choice made before leaving',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto('/products?category=Shoes')
    const all = await shownTotal(page)
    const size = page.getByRole('group', { name: 'Size' }).getByRole('checkbox', { name: /^43 / })
    // By keyboard, a choice is not applied at once.
    await pressIn(size, 'Space')
    await expect(applyButton(page)).toHaveText(/^Show \d+ products?$/)
    await expect(applyButton(page)).not.toHaveText(`Show ${all} products`)

    await leaveAndComeBack(page, () => Promise.resolve())

    await expect(applyButton(page)).toHaveText(whole ? `Show ${all} products` : 'Apply filters')
  },
)

test('Back shows the page, not what was open over it when leaving', { tag: '@desktop' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const opened = async (opener: string, panel: Locator) => {
    await page.getByRole('button', { name: opener }).click()
    await expect(panel).toBeVisible()
    await leaveAndComeBack(page, () => Promise.resolve())
    await expect(panel).toBeHidden()
  }
  await page.goto('/products?category=Shoes')
  await opened('Menu', page.getByRole('navigation', { name: 'Categories' }))
  await opened('Filter items', page.getByRole('form', { name: 'Filters' }))

  await signUp(page)
  await page.goto('/shipping')
  await page.locator('summary', { hasText: 'Search and more' }).click()
  await expect(page.getByLabel('Search products')).toBeVisible()
  await leaveAndComeBack(page, () => Promise.resolve())
  await expect(page.getByLabel('Search products')).toBeHidden()
})

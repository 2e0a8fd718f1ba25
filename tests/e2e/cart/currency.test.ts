import type { Page } from 'playwright/test'
import { getRates } from '#contract/currencies.ts'
import { hasAsked, saveAccount, signUp } from '#tests/support/accounts/customer.ts'
import { expect, measureShifts, readThrough, test } from '#tests/support/browser/e2e.ts'
import { applyButton } from '#tests/support/browser/listing.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'

const LISTING = '/products?category=Audio&highPrice=200'
/** A page without prices, to fetch the rate before anything is measured. */
const QUIET = '/about-us'

/** Signs in a customer whose account is in `currency`; `rates` is the response of the exchange-rate service. */
async function shopIn(page: Page, currency: string, rates: Record<string, number>) {
  await page.context().route(`**/api${getRates.path}`, route => route.fulfill({ json: { base: 'USD', rates } }))
  const customer = await signUp(page)
  await saveAccount(page, customer, { currency })
  return customer
}

const price = (page: Page) => page.getByRole('main').locator('[data-usd]').first()
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('currency'))

async function pricesOf(page: Page): Promise<{ cents: number; text: string }[]> {
  return page
    .locator('[data-usd]')
    .evaluateAll(all => all.map(each => ({ cents: Number(each.dataset.usd), text: each.textContent ?? '' })))
}

test.describe('prices in the currency of the customer', () => {
  test('are on every page from its first paint, without layout shift', { tag: '@phone' }, async ({ page }) => {
    await shopIn(page, 'EUR', { USD: 1, EUR: 0.9 })
    await page.goto(QUIET)
    await expect.poll(() => kept(page)).toContain('EUR')
    const shifts = await measureShifts(page)

    for (const path of ['/', LISTING, PRODUCT, STORE]) {
      await page.goto(path)
      await readThrough(page)

      const prices = await pricesOf(page)
      expect(prices.length, path).toBeGreaterThan(4)
      for (const { cents, text } of prices) {
        expect(text).toBe(`€${Math.round(cents * 0.009).toLocaleString('en')}`)
      }
      expect(await shifts(), path).toEqual({ sum: 0, moved: [] })
    }
  })

  test(
    'change at once with account and session, in every tab',
    { tag: ['@desktop', '@long'] },
    async ({ page, context }) => {
      const { email, password } = await shopIn(page, 'EUR', { USD: 1, EUR: 0.9, GBP: 0.8 })
      const product = await context.newPage()
      await product.goto(PRODUCT)
      await expect(price(product)).toHaveText('€154')
      await page.goto('/dashboard/account')

      await page.getByLabel('Currency').selectOption('GBP')
      await page.getByRole('button', { name: 'Save changes' }).click()

      await expect(price(product)).toHaveText('£137')
      await hasAsked(product)
      await hasAsked(page)
      await page.getByRole('button', { name: 'Logout' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
      await expect(price(product)).toHaveText('$171')
      await product.reload()
      await expect(price(product)).toHaveText('$171')
      expect(await kept(product)).toBeNull()

      await product.goto(`/login?next=${encodeURIComponent(LISTING)}`)
      const shifts = await measureShifts(product)
      const login = product.getByRole('form', { name: 'Log in' })
      await login.getByRole('textbox', { name: 'Email' }).fill(email)
      await login.getByRole('textbox', { name: 'Password' }).fill(password)
      await login.getByRole('button', { name: 'Log in' }).click()
      await expect(product).toHaveURL(LISTING)
      await expect(price(product)).toHaveText(/^£/)
      expect(await shifts()).toEqual({ sum: 0, moved: [] })
    },
  )

  test('are shown in US dollars when there is no rate', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^503 /).expect(/status of 503/)
    await shopIn(page, 'EUR', {})
    for (const answer of [{ json: { base: 'USD', rates: { USD: 1 } } }, { status: 503, json: { error: 'Away' } }]) {
      await page.context().route(`**/api${getRates.path}`, route => route.fulfill(answer))
      await page.evaluate(() => localStorage.removeItem('currency'))

      await page.goto(PRODUCT)
      await expect.poll(() => kept(page)).toContain('USD')

      await expect(price(page)).toHaveText('$171')
    }
  })

  test('are also in the price filter, and need no script to be painted', { tag: '@desktop' }, async ({ page }) => {
    await shopIn(page, 'NGN', { USD: 1, NGN: 1500 })
    await page.goto(LISTING)
    const filters = page.getByRole('form', { name: 'Filters' })
    const to = filters.getByRole('spinbutton', { name: 'To' })
    await expect(filters.getByText('(NGN)')).toBeVisible()
    await expect(to).toHaveValue('300000')
    await expect(filters.getByRole('slider', { name: 'Highest price' })).toHaveAttribute(
      'aria-valuetext',
      'NGN\u00A0300,000',
    )

    await applyButton(page).click()
    await expect(page).toHaveURL(
      url => url.searchParams.get('highPrice') === '200' && !url.searchParams.has('lowPrice'),
    )
    // Until the script has loaded, the filter’s amounts are in dollars and labelled so.
    await expect(filters.getByText('(NGN)')).toBeVisible()
    await filters.getByRole('spinbutton', { name: 'From' }).fill('100000')
    await applyButton(page).click()

    await expect(page).toHaveURL(url => url.searchParams.get('lowPrice') === '66.666667')
    await expect(filters.getByRole('spinbutton', { name: 'From' })).toHaveValue('100000')
    await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('NGN 100,000 to NGN 300,000')

    // Scripts never arrive.
    await page.route('**/*.js', () => undefined)
    await page.goto(PRODUCT, { waitUntil: 'commit' })
    await expect(page.getByRole('contentinfo')).toBeVisible()
    expect((await pricesOf(page)).map(({ text }) => text.charAt(0))).not.toContain('$')
    await expect(price(page)).toHaveText('NGN\u00A0256,485')
  })
})

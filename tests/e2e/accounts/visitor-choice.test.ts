import type { BrowserContext, Page } from 'playwright/test'
import { getRates } from '#contract/currencies.ts'
import { arrivalDates } from '#lib/orders/arrival.ts'
import { newcomer, saveAccount, signUp } from '#tests/support/accounts/customer.ts'
import { applyButton } from '#tests/support/browser/listing.ts'
import { fillCart } from '#tests/support/browser/ordering-pages.ts'
import { axe, expect, measureShifts, overflowing, readThrough, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'

const LISTING = '/products?category=Audio'
const country = (page: Page) => page.getByRole('combobox', { name: 'Ship to' })
const currency = (page: Page) => page.getByRole('combobox', { name: 'Prices in' })
const price = (page: Page) => page.getByRole('main').locator('[data-usd]').first()
const arrival = (page: Page) => page.getByText(/^Arrives/)
const shipping = (page: Page) => page.locator('[data-ships-to]').first()

async function offerRates(context: BrowserContext, rates: Record<string, number>): Promise<void> {
  await context.route(`**/api${getRates.path}`, route =>
    route.fulfill({ json: { base: 'USD', rates: { USD: 1, ...rates } } }),
  )
}

/** Turns the wheel until it is noticed: the page's script may still be loading. */
async function lookAround(page: Page, isNoticed: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, 50)
    await isNoticed()
  }).toPass()
}

test.describe('a visitor', () => {
  test.use({ timezoneId: 'Africa/Nairobi' })

  test('whose country could not be guessed without the network can choose it', async ({ page, faults }) => {
    faults.expect(/ERR_FAILED/).expect(/failed: .*guess-country/)
    await page.route('**/guess-country*', route => route.abort('failed'))
    let hasFailed = false
    page.once('requestfailed', () => (hasFailed = true))
    await page.goto(PRODUCT)
    await lookAround(page, async () => expect(hasFailed).toBe(true))

    await country(page).selectOption('Germany')

    await expect(shipping(page)).toHaveText(/^Ships to Germany/)
  })

  test(
    'chooses country and currency in the footer, and all pages and tabs follow',
    { tag: ['@phone', '@long'] },
    async ({ page, context }) => {
      await offerRates(context, { EUR: 0.9 })
      const shifts = await measureShifts(page)
      const other = await context.newPage()
      await other.goto(PRODUCT)
      await expect(price(other)).toHaveText('$171')
      await page.goto(PRODUCT)

      await currency(page).selectOption('EUR')
      await expect(price(page)).toHaveText('€154')
      await expect(price(other)).toHaveText('€154')
      await country(page).selectOption('Germany')
      await expect(shipping(page)).toHaveText(/^Ships to Germany(, free of charge| for €\d+)/)
      await expect(shipping(other)).toHaveText(/^Ships to Germany/)
      await expect(currency(other)).toHaveValue('EUR')
      expect(await axe(page)).toEqual([])

      for (const path of ['/', LISTING, PRODUCT, STORE]) {
        await page.goto(path)
        await readThrough(page)
        for (const text of await page.locator('[data-usd]').allTextContents()) expect(text, path).toMatch(/^€/)
        await expect(country(page)).toHaveValue('Germany')
        expect(await overflowing(page)).toEqual([])
      }
      await expect(shipping(page)).toHaveText(/Germany/)
      expect(await shifts()).toEqual({ sum: 0, moved: [] })
    },
  )

  test('is guessed to be where the clock of the browser is', { tag: '@desktop' }, async ({ page }) => {
    const shifts = await measureShifts(page)
    await page.goto(PRODUCT)
    await expect(shipping(page)).toHaveText(/^Ships to \d+ countries/)
    await expect(arrival(page)).toHaveText(/^Arrives in \d+ to \d+ days$/)

    await lookAround(page, () => expect(shipping(page)).toHaveText(/^Ships to Kenya/))
    await expect(country(page)).toHaveValue('Kenya')
    const days = await page
      .locator('li')
      .filter({ hasText: /^Kenya/ })
      .locator('small')
      .textContent()
    const [from, until] = days?.match(/\d+/g)?.map(Number) ?? []
    await expect(arrival(page)).toHaveText(`Arrives ${arrivalDates([from!, until!])}`)
    expect(await shifts()).toEqual({ sum: 0, moved: [] })

    await page.goto('/products')
    await lookAround(page, () => expect(page.locator('[name=shipsTo] option').nth(1)).toHaveText('Kenya'))
  })

  test('sees estimates for the country of the filter, not for a guess', { tag: '@phone' }, async ({ page }) => {
    await page.goto(LISTING)
    const filter = page.getByRole('combobox', { name: 'Ships to' })
    const apply = async () => {
      // The code that counts the products also remembers the country.
      await expect(applyButton(page)).toHaveText(/^(Show \d|No products)/)
      await applyButton(page).click()
    }
    await lookAround(page, () => expect(page.locator('[name=shipsTo] option').nth(1)).toHaveText('Kenya'))
    for (const name of ['Germany', 'France']) {
      await page.getByRole('button', { name: 'Filter items' }).click()
      await filter.selectOption(name)
      await apply()
      await expect(page).toHaveURL(new RegExp(`shipsTo=${name}`))

      await page.goto(PRODUCT)
      await expect(shipping(page)).toHaveText(new RegExp(`^Ships to ${name}`))
      await page.goBack()
    }

    await page.goto(`${LISTING}&shipsTo=Japan`)
    await page.getByRole('button', { name: 'Filter items' }).click()
    await apply()
    await page.goto(PRODUCT)
    await expect(shipping(page)).toHaveText(/^Ships to France/)
    await country(page).selectOption('Kenya')
    await expect(shipping(page)).toHaveText(/^Ships to Kenya/)
    await page.goto(LISTING)
    await page.getByRole('button', { name: 'Filter items' }).click()
    await filter.selectOption('Germany')
    await apply()
    await page.goto(PRODUCT)
    await expect(shipping(page)).toHaveText(/^Ships to Kenya/)
  })

  test('finds the guessed country in the cart and the checkout of a new account', async ({ page }) => {
    await page.goto(PRODUCT)
    await lookAround(page, () => expect(shipping(page)).toHaveText(/^Ships to Kenya/))
    await fillCart(page, await signUp(page), { 'bellweather-stage-microphone': 1 })

    await page.goto('/cart')
    const summary = page.getByRole('region', { name: 'Order summary' })
    await expect(summary).toContainText('Shipping to Kenya')
    await page.goto('/shipping')
    await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('Kenya')

    await page.goto('/cart')
    await summary.getByRole('combobox', { name: 'Ship to' }).selectOption('Germany')
    await expect(summary).toContainText('Shipping to Germany')
  })

  test('sees a message when a rate is missing', { tag: '@desktop' }, async ({ page, context }) => {
    await offerRates(context, {})
    await page.goto(PRODUCT)

    await currency(page).selectOption('EUR')

    await expect(page.getByText('The exchange rate of this currency is not available right now.')).toBeVisible()
    await expect(currency(page)).toHaveValue('USD')
    await expect(price(page)).toHaveText('$171')
  })

  test(
    'takes the choice to a new account, not to one with its own',
    { tag: ['@desktop', '@long'] },
    async ({ page, context }) => {
      await offerRates(context, { EUR: 0.9, GBP: 0.8 })
      await page.goto(PRODUCT)
      await currency(page).selectOption('EUR')
      await expect(price(page)).toHaveText('€154')
      await country(page).selectOption('Germany')
      await expect(shipping(page)).toHaveText(/Germany/)

      await page.goto(`/register?next=${encodeURIComponent(PRODUCT)}`)
      const { name, email, password } = newcomer()
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('textbox', { name: 'Email', exact: true }).first().fill(email)
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.getByRole('button', { name: 'Register' }).click()
      await expect(page).toHaveURL(PRODUCT)
      await expect(price(page)).toHaveText('€154')
      await expect(country(page)).toBeHidden()
      await page.getByRole('contentinfo').getByRole('link', { name: 'Country and currency' }).click()
      await expect(page.getByRole('main').getByLabel('Country', { exact: true })).toHaveValue('Germany')
      await expect(page.getByRole('main').getByLabel('Currency')).toHaveValue('EUR')

      const customer = await signUp(page)
      await saveAccount(page, customer, { currency: 'GBP' })
      await page.goto(PRODUCT)
      await expect(price(page)).toHaveText('£137')
      await lookAround(page, () => expect(shipping(page)).toHaveText(/Kenya/))
    },
  )
})

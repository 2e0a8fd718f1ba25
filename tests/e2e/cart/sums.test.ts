import type { Page } from 'playwright/test'
import { getRates } from '#contract/currencies.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { submit } from '#tests/support/browser/forms.ts'
import { saveAccount, signUp } from '#tests/support/accounts/customer.ts'
import { confirmAddress, fillCart } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const main = (page: Page) => page.getByRole('main')

/** Cents of the sums that a part of the page shows in US dollars, in their sequence. */
async function sumsIn(page: Page, part: string): Promise<number[]> {
  const text = await page.getByRole('region', { name: part }).innerText()
  return [...text.matchAll(/(?<!Before:\s*)\$([\d,]+\.\d\d)(?! each)/g)].map(([, sum = '']) =>
    Math.round(Number(sum) * 100),
  )
}

test.describe('sums that are charged', { tag: '@desktop' }, () => {
  test('are exact on every page for a customer who shops in euros, and lines add up to them', async ({ page }) => {
    const rates = { USD: 1, EUR: 0.9 }
    await page.context().route(`**/api${getRates.path}`, route => route.fulfill({ json: { base: 'USD', rates } }))
    const customer = await signUp(page)
    await saveAccount(page, customer, { currency: 'EUR' })
    await fillCart(page, customer, { wagon: 2, kite: 1 })
    await page.goto('/products')
    await expect(main(page).locator('[data-usd]').first()).toHaveText(/^€/)

    await page.goto('/cart')
    await expect(page.getByRole('button', { name: 'Proceed to checkout' })).toBeVisible()
    const [wagons = 0, kite = 0] = await sumsIn(page, 'Toy Town')
    expect(await sumsIn(page, 'Order summary')).toContain(wagons + kite)
    expect(await main(page).innerText()).not.toContain('€')

    await page.goto('/shipping')
    await confirmAddress(page)
    const [items, shipping = 0, total, ...more] = await sumsIn(page, 'Order summary')
    expect(items).toBe(wagons + kite)
    expect(total).toBe(wagons + kite + shipping)
    expect(more).toEqual([])
    expect(await main(page).innerText()).not.toContain('€')
    await submit(page, 'Place Order').click()

    await expect(page).toHaveURL(/\/payment/)
    await expect(page.getByRole('button', { name: /^Pay / })).toBeVisible()
    expect(await sumsIn(page, 'Order summary')).toEqual([items, shipping, total, total])
    expect(await main(page).innerText()).not.toContain('€')
    await page.goto('/dashboard/my-orders')
    await expect(page.getByRole('table')).toContainText(`$${((total ?? 0) / 100).toFixed(2)}`)
  })
})

import type { Page } from 'playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { routeOf } from '#tests/support/browser/calls.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { field, fill, submit } from '#tests/support/browser/forms.ts'
import { confirmAddress, fillCart, payButton, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const CHECKOUT = '/shipping'

/** The next request to `path` is refused as the provider does once the session has ended. */
const endAt = (page: Page, path: string) =>
  page.route(
    path,
    route => route.fulfill({ status: 409, json: { error: 'Please login first', code: 'INVALID_TOKEN' } }),
    { times: 1 },
  )

/** Reads on the login page why it is shown, and logs in again. */
async function logInAgain(page: Page, from: string, { email, password }: { email: string; password: string }) {
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent(from)}`)
  const reason = page.getByRole('main').getByText('Your session has ended. Log in to continue where you left off.')
  await expect(reason).toBeVisible()
  await fill(page, { Email: email, Password: password })
  await submit(page, 'Log in').click()
  await expect(page).toHaveURL(from)
}

test.describe('a session that ends in the checkout', { tag: '@desktop' }, () => {
  test(
    'says so, and leads back to the same step with what was typed',
    { tag: '@long' },
    async ({ page, context, faults }) => {
      faults.expect(/^409 /).expect(/status of 409/)
      const customer = await signUpInKenya(page)
      await fillCart(page, customer, { kite: 1 })
      await page.goto(CHECKOUT)
      await fill(page, { Name: 'Grace Hopper', City: 'Mombasa' })

      const other = await context.newPage()
      await other.goto('/favicon.svg')
      await other.evaluate(key => localStorage.removeItem(key), CUSTOMER_TOKEN)
      await other.close()
      await logInAgain(page, CHECKOUT, customer)
      await expect(field(page, 'Name')).toHaveValue('Grace Hopper')
      await expect(field(page, 'City')).toHaveValue('Mombasa')

      await confirmAddress(page)
      await endAt(page, routeOf(placeOrder))
      await submit(page, 'Place Order').click()
      await logInAgain(page, CHECKOUT, customer)
      await expect(page.getByRole('region', { name: 'Deliver to Ada Lovelace' })).toBeVisible()
      await submit(page, 'Place Order').click()

      await expect(payButton(page)).toBeVisible()
      const payment = page.url().slice(new URL(page.url()).origin.length)
      await endAt(page, '**/payment/attempts')
      await payButton(page).click()
      await logInAgain(page, payment, customer)
      await expect(payButton(page)).toBeEnabled()
    },
  )
})

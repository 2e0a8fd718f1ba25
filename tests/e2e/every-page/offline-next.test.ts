import type { Page } from 'playwright/test'
import { getAccount } from '#contract/account.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { paymentPath } from '#contract/page-urls.ts'
import { placeOrder } from '#contract/orders.ts'
import { confirmOrder } from '#contract/payments.ts'
import { logout } from '#contract/session.ts'
import { routeOf } from '#tests/support/browser/calls.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { fill, submit } from '#tests/support/browser/forms.ts'
import { OFFLINE } from '#tests/support/browser/offline.ts'
import { confirmAddress, fillCart, orderKite, payWith, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { hasAsked, register, signUp } from '#tests/support/accounts/customer.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const offline = (page: Page) => page.getByText(OFFLINE).first()

/**
 * The network fails during this call. Returns a function that waits for the message, then brings the network back. The
 * message stays for four seconds, and a click may take longer on a busy machine: so it is awaited from the failure on.
 */
async function loseNetworkAt(page: Page, call: Endpoint): Promise<() => Promise<void>> {
  const isSaid = Promise.withResolvers<void>()
  await page.route(
    routeOf(call),
    async route => {
      await page.context().setOffline(true)
      isSaid.resolve(expect(offline(page)).toBeVisible())
      await route.abort('internetdisconnected')
    },
    { times: 1 },
  )
  return async () => {
    await isSaid.promise
    await page.context().setOffline(false)
  }
}

test.describe('if the network fails after a click, the next page opens once it is back:', { tag: '@desktop' }, () => {
  test.beforeEach(({ faults }) => void faults.allow(/ERR_INTERNET_DISCONNECTED/))

  test('after a payment', async ({ page }) => {
    const orderId = await orderKite(page, await signUpInKenya(page))
    await page.goto(paymentPath(orderId))
    const bringBack = await loseNetworkAt(page, confirmOrder)
    await payWith(page, '4242 4242 4242 4242')

    await bringBack()

    await expect(page).toHaveURL(/\/order\/confirm\?payment_intent_client_secret=/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your payment was successful')
  })

  test('after an order', async ({ page, faults }) => {
    faults.allow(/dynamically imported module/)
    await fillCart(page, await signUpInKenya(page), { kite: 1 })
    await page.goto('/shipping')
    await confirmAddress(page)
    await page.route(routeOf(placeOrder), async route => {
      const response = await route.fetch()
      await page.context().setOffline(true)
      await route.fulfill({ response })
    })

    await page.getByRole('button', { name: 'Place Order' }).click()
    await expect(offline(page)).toBeVisible()
    await page.context().setOffline(false)

    await expect(page).toHaveURL(/\/payment\?order=/)
  })

  test('after a login', async ({ page, request }) => {
    await page.goto('/login?next=%2Fcategories')
    const bringBack = await loseNetworkAt(page, getAccount)
    const { email, password } = await register(request)
    await fill(page, { Email: email, Password: password })
    await submit(page, 'Log in').click()

    await bringBack()

    await expect(page).toHaveURL('/categories')
  })

  test('after a logout', async ({ page, faults }) => {
    faults.expect(/logout request failed/)
    await signUp(page)
    await page.goto('/dashboard')
    await hasAsked(page)
    const bringBack = await loseNetworkAt(page, logout)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()

    await bringBack()

    await expect(page).toHaveURL('/login')
  })

  test('after a session that another tab has ended', async ({ page, context }) => {
    await signUp(page)
    await page.goto('/dashboard')
    await hasAsked(page)
    // Loads the code that shoppers need once they do something.
    await page.keyboard.press('Shift')
    await settled(page)
    const other = await context.newPage()
    await other.goto('/favicon.svg')
    await context.setOffline(true)

    await other.evaluate(() => localStorage.clear())
    await expect(offline(page)).toBeVisible()
    await context.setOffline(false)

    await expect(page).toHaveURL('/login?next=%2Fdashboard')
  })
})

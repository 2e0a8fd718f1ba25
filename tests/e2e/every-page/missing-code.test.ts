import type { Locator, Page } from 'playwright/test'
import { orderPath } from '#contract/page-urls.ts'
import { axe, expect } from '#tests/support/browser/e2e.ts'
import { fillCart, openPaidOrder, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { trackingLinkTo } from '#tests/support/browser/tracking-link.ts'
import { market } from '#tests/support/provider/market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test.describe('a page whose code cannot be fetched', { tag: '@phone' }, () => {
  test.beforeEach(({ faults }) => void faults.expect(/ERR_FAILED/))

  test('says so, and shows its content after another try', async ({ page, shop, faults }) => {
    faults.expect(/Error hydrating/)
    const customer = await signUpInKenya(page)
    const orderId = await openPaidOrder(page, customer)
    await market(shop, 'order', 'ship', orderId)
    await fillCart(page, customer, { ball: 1 })
    const main = page.getByRole('main')
    await expectSecondTry(page, /_astro\/Cart\..*js/, '/cart', main.getByRole('link', { name: 'Blue ball' }).first())
    await expectSecondTry(page, /_astro\/Shipping\..*js/, '/shipping', main.getByText('Order summary'))
    await expectSecondTry(page, /_astro\/OrderDetails\..*js/, orderPath(orderId), main.getByText('What happened'))

    const path = await trackingLinkTo(shop, customer.email, 'shipped your order')
    await expectSecondTry(page, /_astro\/TrackedOrder\..*js/, path, main.getByText('Red kite').first())
  })

  test('keeps the customer signed in if the logout cannot be carried out, and says so', async ({ page, faults }) => {
    faults.expect(/dynamically imported module/)
    const customer = await signUpInKenya(page)
    const code = /_astro\/own\..*js/
    await page.route(code, route => route.abort())
    await page.goto('/dashboard')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Logout' }).click()

    await dialog.getByRole('button', { name: 'Logout' }).click()

    await expect(page.getByText('The market cannot be reached. Please try again.')).toBeVisible()
    await expect(dialog).toBeHidden()
    await page.unroute(code)
    await page.reload()
    await expect(page.getByRole('main')).toContainText(`Welcome back, ${customer.name}.`)
  })
})

/** Opens a page without its code and expects a message, then the page's content after a click on 'Try again'. */
async function expectSecondTry(page: Page, code: RegExp, path: string, content: Locator): Promise<void> {
  await page.route(code, route => route.abort())
  await page.goto(path)
  const message = page.getByRole('main').getByRole('alert')
  await expect(message).toContainText('The market cannot be reached right now.')
  await expect(page.getByText(/^Loading/)).toBeHidden()
  expect(await axe(page)).toEqual([])

  await page.unroute(code)
  await message.getByRole('link', { name: 'Try again' }).click()

  await expect(content).toBeVisible()
  await expect(message).toBeHidden()
}

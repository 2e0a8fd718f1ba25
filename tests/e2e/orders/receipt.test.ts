import { orderPath } from '#contract/page-urls.ts'
import { expect, expectAccessible } from '#tests/support/browser/e2e.ts'
import { openPaidOrder, orderKite, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const BLACK = 'rgb(0, 0, 0)'
const WHITE = 'rgb(255, 255, 255)'

test(
  'the receipt and the invoice of an order are printed in black on white',
  { tag: ['@desktop', '@long'] },
  async ({ page }) => {
    await openPaidOrder(page, await signUpInKenya(page))
    await page.getByRole('link', { name: 'Receipt' }).click()

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
    const main = page.getByRole('main')
    await expect(main).toContainText('1 × $10.50')
    await expect(main).toContainText('$15.50')
    await expect(page.getByRole('region', { name: 'Buyer' })).toContainText('Ada Lovelace')
    await expectAccessible(page)
    await page.getByRole('link', { name: /^Invoice PZ-/ }).click()

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoice')
    await expect(page.getByRole('region', { name: 'Seller' })).toContainText('1 Spinning Top Square')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })

    for (const part of ['banner', 'contentinfo'] as const) await expect(page.getByRole(part)).toBeHidden()
    await expect(page.getByRole('navigation', { name: 'Dashboard' })).toBeHidden()
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Back to the order' })).toBeHidden()
    await expect(main).toContainText(/PZ-[2-9A-Z]{6}-1/)
    await expect(page.getByText('Red kite')).toHaveCSS('color', BLACK)
    await expect(page.locator('html')).toHaveCSS('background-color', WHITE)
  },
)

test('an order that was not paid has no receipt', { tag: '@desktop' }, async ({ page, faults }) => {
  faults.expect(/404/)
  const customer = await signUpInKenya(page)
  const orderId = await orderKite(page, customer)
  await page.goto(orderPath(orderId))
  await expect(page.getByRole('link', { name: 'Pay Now' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Receipt' })).toBeHidden()

  await page.goto(`/dashboard/order/receipt/${orderId}`)

  await expect(page.getByText('There is no receipt here')).toBeVisible()
})

import type { Locator, Page } from 'playwright/test'
import { orderPath, paymentPath } from '#contract/page-urls.ts'
import { ENLARGED_PX, enlargeLetters, expect, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { confirmAddress, fillCart, orderKite, payButton, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test.describe('with letters twice as large, the smallest phone', { tag: '@phone' }, () => {
  test('shows the names and prices of an order’s products, before and after the payment', async ({ page }) => {
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { wagon: 2, kite: 1 })
    await page.goto('/shipping')
    await confirmAddress(page)
    await enlargeLetters(page)
    for (const name of ['Red kite', 'Wooden wagon']) await expectReadable(page, name)

    const orderId = await orderKite(page, customer)
    await page.goto(paymentPath(orderId))
    await expect(payButton(page)).toBeEnabled()
    await expectReadable(page, 'Red kite')
    await page.goto(orderPath(orderId))
    await expectReadable(page, 'Red kite')
  })
})

/** Checks that the product's name and price are inside the window, in a column of some words' width. */
async function expectReadable(page: Page, name: string): Promise<void> {
  const line = page.getByRole('main').getByRole('listitem', { name, exact: true }).first()
  await expect(line).toBeVisible()
  expect((await line.getByRole('paragraph').first().boundingBox())!.width).toBeGreaterThan(4 * ENLARGED_PX)
  expect((await textBox(line.getByText(/^\$/).last())).right).toBeLessThanOrEqual(NARROWEST.width)
  expect(await overflowing(page)).toEqual([])
}

/** Where the element's content lies, which may be outside its box. */
function textBox(of: Locator): Promise<DOMRect> {
  return of.evaluate(element => {
    const range = document.createRange()
    range.selectNode(element)
    return range.getBoundingClientRect().toJSON() as DOMRect
  })
}

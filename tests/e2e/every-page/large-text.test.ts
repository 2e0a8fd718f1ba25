import type { Locator, Page } from 'playwright/test'
import { orderPath, paymentPath } from '#contract/page-urls.ts'
import { chat, field } from '#tests/support/browser/chat-page.ts'
import { ENLARGED_PX, enlargeLetters, expect, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import {
  confirmAddress,
  fillCart,
  openPaidOrder,
  orderKite,
  orderRow,
  payButton,
  signUpInKenya,
} from '#tests/support/browser/ordering-pages.ts'
import { sellerOf } from '#tests/support/provider/shopkeeper.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test.describe('with letters twice as large, the smallest phone', { tag: '@phone' }, () => {
  test('shows the names and prices of an order’s products, before and after the payment', async ({ page }) => {
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { wagon: 2, kite: 1 })
    await page.goto('/shipping')
    await confirmAddress(page)
    for (const name of ['Red kite', 'Wooden wagon']) await expectReadable(page, name)

    const orderId = await orderKite(page, customer)
    await page.goto(paymentPath(orderId))
    await expect(payButton(page)).toBeEnabled()
    await expectReadable(page, 'Red kite')
    await page.goto(orderPath(orderId))
    await expectReadable(page, 'Red kite')
  })

  test('leaves a conversation room for its messages and all its buttons', async ({ page }) => {
    await signUpInKenya(page)
    await page.goto(chat(await sellerOf(page, 'kite')))
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await expect(conversation).toContainText('Toy Town')
    await enlargeLetters(page)

    const header = await textBox(conversation.locator('header'))
    expect(header.height).toBeLessThanOrEqual(0.3 * NARROWEST.height)
    expect((await textBox(conversation.getByRole('heading'))).width).toBeGreaterThan(3 * ENLARGED_PX)
    const buttons = ['All chats', 'Sound', 'Attach files', 'Send'].map(name => conversation.getByLabel(name).first())
    for (const control of [field(page), ...buttons]) expect(await isOnTop(control), String(control)).toBe(true)
    const messages = (await page.getByRole('region', { name: 'Chat history' }).boundingBox())!
    expect(messages.height).toBeGreaterThan(0.3 * NARROWEST.height)
  })

  test('shows the number, price and actions of each order', async ({ page }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    for (const path of ['/dashboard', '/dashboard/my-orders']) {
      await page.goto(path)
      const row = orderRow(page, orderId)
      await expect(row).toBeVisible()
      await enlargeLetters(page)

      const number = await textBox(row.getByText(/^PZ-/).first())
      const price = await textBox(row.getByText('$15.50'))
      expect(intersect(number, price), path).toBe(false)
      const card = await textBox(page.getByRole('table'))
      for (const part of [
        row.getByText(/^PZ-/).first(),
        row.getByText('$15.50'),
        row.getByText('Not paid'),
        row.getByText('Toy Town'),
        row.getByRole('link', { name: 'View' }),
        row.getByRole('link', { name: 'Pay Now' }),
      ]) {
        const { left, right } = await textBox(part)
        expect(left, String(part)).toBeGreaterThanOrEqual(card.left)
        expect(right, String(part)).toBeLessThanOrEqual(card.right)
      }
      expect(await overflowing(page), path).toEqual([])
    }
    await page.goto('/dashboard')
    const counts = page.getByRole('main').getByRole('link', { name: /Orders?$/ })
    await expect(counts.first()).toBeVisible()
    for (const count of await counts.all()) {
      const { scrollWidth, clientWidth } = await count.evaluate(({ scrollWidth: whole, clientWidth: shown }) => ({
        scrollWidth: whole,
        clientWidth: shown,
      }))
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    }
  })

  test('shows the whole form of a cancellation', async ({ page }) => {
    await openPaidOrder(page, await signUpInKenya(page))
    await page.getByRole('button', { name: 'Cancel products of Toy Town' }).click()
    const dialog = page.getByRole('dialog')
    await enlargeLetters(page)

    const [whole, shown] = await dialog.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
    expect(whole).toBeLessThanOrEqual(shown)
    const label = await dialog.getByText('Red kite').boundingBox()
    expect(label!.width).toBeGreaterThan(4 * ENLARGED_PX)
  })
})

/** Checks that the product's name and price are inside the window, in a column of some words' width. */
async function expectReadable(page: Page, name: string): Promise<void> {
  const line = page.getByRole('main').getByRole('listitem', { name, exact: true }).first()
  await expect(line).toBeVisible()
  await enlargeLetters(page)
  await expect(line).toHaveCSS('font-size', `${ENLARGED_PX}px`)
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

const intersect = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Whether a touch of the middle of the element reaches it. */
function isOnTop(of: Locator): Promise<boolean> {
  return of.evaluate(element => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
}

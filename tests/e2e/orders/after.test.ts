import { getOrder } from '#contract/orders.ts'
import { orderPath } from '#contract/page-urls.ts'
import { orderAgain } from '#contract/unpaid-orders.ts'
import { apiOf, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, expectAccessible, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { orderKite, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test.describe('an order from before', () => {
  test(
    'is put into the cart again, once for a double click, and says which products are not',
    { tag: '@desktop' },
    async ({ page }) => {
      const customer = await signUpInKenya(page)
      const orderId = await orderKite(page, customer)
      await apiOf(page, customer.token).cancelOrder({ orderId })
      await page.goto(orderPath(orderId))
      const again = page.getByRole('button', { name: 'Order again' })

      await again.dblclick()

      await expect(toastOf(page, 'In your cart again')).toBeVisible()
      await expect(page.getByRole('banner').locator('[data-count="cart"]')).toHaveText('1')
      await expect(page.getByRole('list', { name: 'Not added' })).toHaveCount(0)
      const json = {
        message: 'In your cart again',
        notAdded: ['Only 1 left of Red kite', 'Tin drum is no longer sold'],
      }
      await page.route(routeOf(orderAgain), route => route.fulfill({ json }))
      await again.click()
      await expect(page.getByRole('list', { name: 'Not added' }).getByRole('listitem')).toHaveText([
        'Only 1 left of Red kite',
        'Tin drum is no longer sold',
      ])
      expect(await axe(page)).toEqual([])
      await page.setViewportSize(NARROWEST)
      expect(await overflowing(page)).toEqual([])
    },
  )

  test('has a timeline for each shop, and says what was refunded when and to where', async ({ page }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    await page.route(routeOf(getOrder), async route => {
      const { order, sellerOrders } = (await (await route.fetch()).json()) as { order: object; sellerOrders: object[] }
      const at = '2026-01-05T10:00:00.000Z'
      const timeline = [
        { at, text: 'Payment received' },
        { at, text: 'Shipped by Yarn Barn', sellerOrderId: 'yarn' },
      ]
      const refunds = [
        { at, amount: 2.5, to: 'card', paid_with: { kind: 'card', ending: '4242' } },
        { at, amount: 1, to: 'by_hand' },
        { amount: 3, to: 'payment', paid_with: { kind: 'mobile_money' } },
        { amount: 4, to: 'payment' },
      ]
      const yarn = { ...sellerOrders[0], _id: 'yarn', sellerId: 'yarn', shopName: 'Yarn Barn' }
      const json = { order: { ...order, timeline, refunds }, sellerOrders: [...sellerOrders, yarn] }
      await route.fulfill({ json })
    })
    await page.goto(orderPath(orderId))

    await expect(page.getByRole('region', { name: 'What happened at Yarn Barn' })).toContainText('Shipped by Yarn Barn')
    const whole = page.getByRole('region', { name: 'What happened', exact: true })
    await expect(whole.getByRole('listitem')).toHaveText([/^Payment received/])
    await expect(page.getByRole('list', { name: 'Refunds' }).getByRole('listitem')).toHaveText([
      /^\$2\.50 back to your card ending in 42425 January 2026/,
      /^\$1\.00 refunded directly through the payment provider5 January 2026/,
      /^\$3\.00 back to your mobile money walletOn its way$/,
      /^\$4\.00 back to what you paid withOn its way$/,
    ])
    await expectAccessible(page)
  })

  test('is the card of a question to its shop', { tag: '@desktop' }, async ({ page }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    await page.goto(orderPath(orderId))

    await page.getByRole('region', { name: 'Toy Town' }).getByRole('link', { name: 'Help with this order' }).click()

    const form = page.getByRole('form', { name: 'Write a message' })
    await expect(form.getByRole('link', { name: 'About Order PZ-' })).toBeVisible()
    await form.getByRole('textbox', { name: 'Message' }).fill('Can it fly?')
    await form.getByRole('button', { name: 'Send' }).click()
    const sent = page.getByRole('region', { name: 'Chat history' }).getByRole('listitem').filter({ hasText: 'fly?' })
    await expect(sent.getByRole('link', { name: 'About Order PZ-' })).toHaveAttribute('href', orderPath(orderId))
  })
})

import type { Page } from 'playwright/test'
import { cancelOrder, getOrder } from '#contract/orders.ts'
import { faultOf, holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, expectAccessible, measureShifts } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { market } from '#tests/support/provider/market.ts'
import {
  fillCart,
  orderKite,
  orderRow,
  payButton,
  payWith,
  readOrders,
  signUpInKenya,
} from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const details = (orderId: string) => `/dashboard/order/details/${orderId}`
/** Simulates the customer’s return to the tab. */
const lookAgain = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

test.describe('orders', () => {
  test('are counted and listed on the dashboard', async ({ page }) => {
    const customer = await signUpInKenya(page)
    const shifts = await measureShifts(page)
    await page.goto('/dashboard')
    await expect(page.getByText('You have not ordered anything yet.')).toBeVisible()
    const orderId = await orderKite(page, customer)
    await orderKite(page, customer)

    await lookAgain(page)

    await expect(page.getByRole('link', { name: '2 Orders', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: '2 Pending Orders' })).toBeVisible()
    await expect(page.getByRole('link', { name: '0 Cancelled Orders' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Recent Orders' })).toContainText('Payment status')
    await expect(orderRow(page, orderId)).toContainText('$15.50')
    await expect(orderRow(page, orderId)).toContainText('Not paid')
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
    await expectAccessible(page)
    await orderRow(page, orderId).getByRole('link', { name: 'Pay Now' }).click()
    await expect(page).toHaveURL(`/payment?order=${orderId}`)
    await expect(payButton(page)).toBeEnabled()
  })

  test('are filtered by status, which the address keeps', { tag: '@desktop' }, async ({ page, shop }) => {
    const customer = await signUpInKenya(page)
    const cancelled = await orderKite(page, customer)
    const pending = await orderKite(page, customer)
    await market(shop, 'order', 'cancel', cancelled)
    await page.goto('/dashboard/my-orders')
    const filter = page.getByRole('combobox', { name: 'Order status' })
    await expect(orderRow(page, cancelled).getByRole('link', { name: 'Pay Now' })).toBeHidden()
    await expect(orderRow(page, pending).getByRole('link', { name: 'Pay Now' })).toBeVisible()
    await expect(filter.getByRole('option')).toHaveText(['All', 'Placed', 'Pending', 'Cancelled'])

    await filter.selectOption('Cancelled')

    await expect(page).toHaveURL('/dashboard/my-orders?status=cancelled')
    await expect(orderRow(page, pending)).toBeHidden()
    await expect(orderRow(page, cancelled)).toContainText('Cancelled')
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: '1 order' })).toBeAttached()
    await page.reload()
    await expect(filter).toHaveValue('cancelled')
    await expect(orderRow(page, cancelled)).toBeVisible()
    await filter.selectOption('Placed')
    await expect(page.getByText('You have no placed orders.')).toBeVisible()
    await page.goBack()
    await expect(filter).toHaveValue('cancelled')
    await expect(orderRow(page, cancelled)).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('an order', () => {
  test('shows all its details, and can be cancelled until it is paid', async ({ page }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    await page.goto('/dashboard/my-orders')
    await orderRow(page, orderId).getByRole('link', { name: 'View' }).click()
    await expect(page).toHaveURL(details(orderId))
    const main = page.getByRole('main')
    await expect(main).toContainText(/PZ-[2-9A-Z]{6}/)
    await expect(main).toContainText('Deliver to Ada Lovelace')
    await expect(main).toContainText('In US dollars, $5.00 of it for shipping')
    await expect(page.getByRole('region', { name: 'Toy Town' })).toContainText('Pending')
    await expect(page.getByRole('region', { name: 'What happened' })).toContainText('Order received')
    await page.getByRole('button', { name: 'Cancel order' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Cancel order' })).toBeFocused()

    const { reached, release } = await holdBack(page, routeOf(cancelOrder))
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await reached
    // It is too late for a no.
    for (const _ of [1, 2]) await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Keep order' }).click({ force: true })
    await expect(dialog).toBeVisible()
    release()

    await expect(toastOf(page, 'Your order is cancelled')).toBeVisible()
    await expect(page.getByRole('region', { name: 'What happened' })).toContainText('Cancelled by you')
    await expect(page.getByRole('button', { name: 'Cancel order' })).toBeHidden()
    await expect(page.locator(':focus')).toContainText(/PZ-[2-9A-Z]{6}/)
    await expect(page.getByRole('link', { name: 'Pay Now' })).toBeHidden()
    await expectAccessible(page)
  })

  test('shows the operator’s changes without a reload', { tag: '@desktop' }, async ({ page, shop }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    await page.goto(`/payment?order=${orderId}`)
    await payWith(page, '4242 4242 4242 4242')
    await expect(page).toHaveURL('/dashboard')
    await page.goto(details(orderId))
    const status = page.getByRole('region', { name: 'Toy Town' }).locator('[data-tone]')
    await expect(status).toHaveText('Processing')
    await expect(status).toHaveAttribute('data-tone', 'busy')
    const canDo = (what: string) => page.getByRole('region', { name: 'Toy Town' }).getByRole('link', { name: what })
    await expect(canDo('Cancel products')).toHaveAttribute('href', '#returns')
    await expect(page.getByRole('button', { name: 'Cancel order' })).toBeHidden()

    await market(shop, 'order', 'ship', orderId)
    await lookAgain(page)
    await expect(status).toHaveText('Shipped')
    await expect(status).toHaveAttribute('data-tone', 'plain')
    await market(shop, 'order', 'deliver', orderId)
    await lookAgain(page)
    await expect(status).toHaveText('Delivered')
    await expect(status).toHaveAttribute('data-tone', 'good')
    await expect(canDo('Return products')).toBeVisible()
    await expect(canDo('Cancel products')).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'What happened' })).toContainText('Delivered from Toy Town')
  })

  test('shows its parcels, which the customer can follow and receive', { tag: '@phone' }, async ({ page, shop }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    await page.goto(`/payment?order=${orderId}`)
    await payWith(page, '4242 4242 4242 4242')
    await expect(page).toHaveURL('/dashboard')
    await market(shop, 'order', 'ship', orderId, '--carrier', 'dhl', '--tracking', 'JD 01')
    await page.goto(details(orderId))
    const parcel = page.getByRole('region', { name: 'Parcel 1' })
    await expect(parcel).toContainText('DHL · JD 01')
    await expect(parcel).toContainText('Red kite')
    await expect(parcel.getByRole('link', { name: /^Track/ })).toHaveAttribute(
      'href',
      /^https:\/\/www\.dhl\.com\/.*JD%2001$/,
    )
    await expectAccessible(page)

    await parcel.getByRole('button', { name: 'I have received it' }).click()

    await expect(toastOf(page, 'Thank you for letting us know')).toBeVisible()
    await expect(parcel).toContainText('as you told us')
    await expect(page.getByRole('region', { name: 'Toy Town' }).locator('[data-tone]')).toHaveText('Delivered')
    await expect(parcel.getByRole('button')).toBeHidden()
    await expect(parcel).toBeFocused()
  })

  test('is refreshed every 30 s while the page is visible', { tag: '@desktop' }, async ({ page, shop }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    await page.clock.install()
    await page.goto(details(orderId))
    await expect(page.getByRole('link', { name: 'Pay Now' })).toBeVisible()
    await market(shop, 'order', 'cancel', orderId)

    await page.clock.fastForward(30_000)

    await expect(page.getByRole('region', { name: 'What happened' })).toContainText('Cancelled by the marketplace')
  })

  test('is printed without navigation and buttons', { tag: '@desktop' }, async ({ page }) => {
    const customer = await signUpInKenya(page)
    await page.goto(details(await orderKite(page, customer)))
    await expect(page.getByRole('region', { name: 'Toy Town' })).toBeVisible()

    await page.emulateMedia({ media: 'print' })

    for (const part of ['banner', 'contentinfo'] as const) await expect(page.getByRole(part)).toBeHidden()
    await expect(page.getByRole('navigation', { name: 'Dashboard' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Toy Town' })).toContainText('Red kite')
  })

  test('of another customer is not found', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(faultOf(404, getOrder)).expect(/status of 404/)
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { kite: 1 })
    const orderId = await orderKite(page, customer)
    expect(await readOrders(page, customer)).toHaveLength(1)
    await signUpInKenya(page)

    await page.goto(details(orderId))

    await expect(page.getByText('There is no such order.')).toBeVisible()
    expect(await axe(page)).toEqual([])
  })

  test('has one cached page shell for all orders', { tag: '@desktop' }, async ({ request }) => {
    await request.get(details('one'))
    const answer = await request.get(details('another'))

    expect(answer.headers()['x-cache']).toBe('HIT')
    expect(await answer.text()).not.toContain('another')
  })
})

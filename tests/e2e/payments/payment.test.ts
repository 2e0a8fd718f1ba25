import type { Locator, Page } from 'playwright/test'
import { getOrder } from '#contract/orders.ts'
import { getPayment } from '#contract/payments.ts'
import { arrivalDates } from '#lib/orders/arrival.ts'
import { faultOf, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, expectAccessible, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { market } from '#tests/support/provider/market.ts'
import {
  orderKite,
  orderRow,
  payButton,
  paymentFrame,
  payWith,
  readOrders,
  signUpInKenya,
} from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const DECLINED = '4000 0000 0000 0002'
const PAID = '4242 4242 4242 4242'
const PAID_LATER = '+254 700 000 003'
const FAILS_LATER = '+254 700 000 004'

/** Opens the payment page of a new unpaid order. */
async function toPay(page: Page) {
  const customer = await signUpInKenya(page)
  const orderId = await orderKite(page, customer)
  await page.evaluate(id => localStorage.setItem('orderId', id), orderId)
  await page.goto(`/payment?order=${orderId}`)
  await expect(payButton(page)).toBeEnabled()
  return { orderId, statuses: async () => (await readOrders(page, customer)).map(each => each.paymentStatus) }
}

/** Payments are processed for five seconds. On a busy machine that is too short to see the page: stretches them. */
async function keepProcessing(page: Page): Promise<() => Promise<void>> {
  await page.route(routeOf(getPayment), async route => {
    const payment = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...payment, status: 'processing' } })
  })
  return () => page.unrouteAll({ behavior: 'wait' })
}

const result = (page: Page) => page.getByRole('heading', { level: 1 })

const AMBER = { from: 25, to: 45 }

/** The hue of a picture's disc, in degrees: 0 is red. */
async function hueOf(picture: Locator): Promise<number> {
  return picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const context = document.createElement('canvas').getContext('2d')!
    context.drawImage(image, 0, 0, 160, 160)
    // Left of the sign in its middle.
    const [red, green, blue] = context.getImageData(45, 80, 1, 1).data
    const [most, least] = [Math.max(red!, green!, blue!), Math.min(red!, green!, blue!)]
    // For colours whose strongest part is red.
    return most === red ? ((60 * (green! - blue!)) / (most - least) + 360) % 360 : NaN
  })
}

test.describe('paying by card', () => {
  test('shows the exact charge, and leads to the dashboard', async ({ page }) => {
    const { orderId, statuses } = await toPay(page)
    const summary = page.getByRole('region', { name: 'Order summary' })
    await expect(summary).toContainText('$15.50')
    await expect(page.getByRole('region', { name: 'Toy Town' })).toContainText(`Arrives ${arrivalDates([3, 6])}`)
    await expect(summary).toContainText('No money moves')
    await expect(summary).toContainText(/Pay by \d+ \w+ \d{4} at \d+:\d\d [AP]M/)
    await expect(summary).toContainText('You pay in US dollars, by card, mobile money or USSD.')
    await expectAccessible(page)

    await payWith(page, PAID)

    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { name: 'Thank you! Your order is paid' })).toBeFocused()
    const receipt = page.getByRole('region', { name: /^Order PZ-/ })
    await expect(receipt).toContainText('Red kite')
    await expect(receipt).toContainText('The shop is preparing it')
    await expect(receipt).toContainText(/Arrives \d/)
    await expect(receipt).toContainText('Paid$15.50')
    await expect(receipt.getByRole('link', { name: 'Continue shopping' })).toBeVisible()
    await page.reload()
    await receipt.getByRole('link', { name: 'Track order' }).click()
    await expect(page).toHaveURL(`/dashboard/order/details/${orderId}`)
    await page.goto('/dashboard')
    await expect(receipt).toBeHidden()
    await expect(orderRow(page, orderId)).toContainText('Paid')
    expect(await page.evaluate(() => localStorage.getItem('orderId'))).toBeNull()
    expect(await statuses()).toEqual(['paid'])
    await page.goto(`/payment?order=${orderId}`)
    await expect(page.getByText('This order is paid.')).toBeVisible()
    await expect(payButton(page)).toBeHidden()
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
  })

  test('can be tried again after a decline, in the modal and after it', { tag: '@desktop' }, async ({ page }) => {
    const { statuses } = await toPay(page)
    await payWith(page, DECLINED)
    await expect(paymentFrame(page).getByRole('alert')).toHaveText(/declined/)
    await paymentFrame(page).getByRole('button', { name: 'Close the payment' }).click()

    await expect(page.getByRole('main').getByRole('alert')).toContainText('You can try again')
    expect(await statuses()).toEqual(['unpaid'])
    await payWith(page, PAID)

    await expect(page).toHaveURL('/dashboard')
    expect(await statuses()).toEqual(['paid'])
  })
})

test.describe('paying by mobile money', () => {
  test('waits for a payment that settles later', { tag: '@phone' }, async ({ page }) => {
    const { orderId, statuses } = await toPay(page)
    const endProcessing = await keepProcessing(page)

    await payWith(page, PAID_LATER, 'Mobile money')

    await expect(page).toHaveURL(/\/order\/confirm\?payment_intent_client_secret=/)
    await expect(result(page)).toHaveText('Your payment is still being processed')
    const hue = await hueOf(page.getByRole('img', { name: 'Not paid yet' }))
    expect(hue).toBeGreaterThan(AMBER.from)
    expect(hue).toBeLessThan(AMBER.to)
    await expect(page.getByRole('main')).toContainText('We are still checking it with the payment provider')
    await expect(page.getByRole('main')).toContainText('You do not need to pay again')
    // Nobody gets a letter about a failed payment.
    await expect(page.getByRole('main')).not.toContainText('email')
    await expect(page.getByRole('region', { name: /^Order PZ-/ })).toContainText('Red kite')
    expect(await axe(page)).toEqual([])
    await endProcessing()
    await expect(result(page)).toHaveText('Your payment was successful', { timeout: 60_000 })
    await expect(page.getByRole('img', { name: 'Success' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('orderId'))).toBeNull()
    expect(await statuses()).toEqual(['paid'])
    expect(await axe(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await expect(page).toHaveURL('/dashboard/my-orders')
    await expect(orderRow(page, orderId)).toContainText('Paid')
  })

  test('offers another try after a late failure', { tag: ['@desktop', '@long'] }, async ({ page }) => {
    const { orderId } = await toPay(page)
    const other = await page.context().newPage()
    await other.goto(`/payment?order=${orderId}`)
    await expect(payButton(other)).toBeEnabled()
    const endProcessing = await keepProcessing(page)
    await other.route(routeOf(getOrder), async route => {
      const { order, ...parts } = (await (await route.fetch()).json()) as { order: object }
      await route.fulfill({ json: { order: { ...order, payment_status: 'processing' }, ...parts } })
    })
    await payWith(page, FAILS_LATER, 'Mobile money')
    await expect(result(page)).toHaveText('Your payment is still being processed')
    await other.reload()
    await expect(other.getByText('The payment of this order is on its way.')).toBeVisible()
    await other.unrouteAll({ behavior: 'wait' })

    await endProcessing()
    await expect(result(page)).toHaveText('Your payment failed', { timeout: 60_000 })
    expect(await hueOf(page.getByRole('img', { name: 'Not paid' }))).toBeGreaterThan(AMBER.to)
    const buttons = page.getByRole('main').locator('.button')
    await expect(page.getByRole('link', { name: 'Track order' })).toBeVisible()
    await expect(buttons).toHaveText(['Try again'])

    await page.getByRole('link', { name: 'Try again' }).click()
    await payWith(page, PAID)
    await expect(page).toHaveURL('/dashboard')
  })
})

test.describe('a payment', { tag: '@desktop' }, () => {
  test('can be finished in another tab when its tab was closed in the modal', async ({ page, context }) => {
    const { orderId, statuses } = await toPay(page)
    const lost = await context.newPage()
    await lost.goto(`/payment?order=${orderId}`)
    await payButton(lost).click()
    await expect(paymentFrame(lost).getByRole('textbox')).toBeVisible()
    await lost.close()

    await page.reload()
    await payWith(page, PAID)

    await expect(page).toHaveURL('/dashboard')
    expect(await statuses()).toEqual(['paid'])
  })

  test('is made once with two tabs open', async ({ page, context }) => {
    const { orderId } = await toPay(page)
    const other = await context.newPage()
    await other.goto(`/payment?order=${orderId}`)
    await expect(payButton(other)).toBeEnabled()

    await payWith(page, PAID)
    await expect(page).toHaveURL('/dashboard')

    await expect(other.getByText('This order is paid.')).toBeVisible()
    await expect(payButton(other)).toBeHidden()
  })

  test(
    'opens no modal when another device has paid the order',
    { tag: '@long' },
    async ({ page, browser, baseURL, faults }) => {
      faults.expect(/^422 .*payment\/attempts/).expect(/status of 422/)
      const { orderId } = await toPay(page)
      const device = await browser.newContext({ baseURL: baseURL ?? '' })
      const other = await device.newPage()
      const token = (await page.evaluate(() => localStorage.getItem('customerToken'))) ?? ''
      await other.goto('/favicon.svg')
      await other.evaluate(value => localStorage.setItem('customerToken', value), token)
      await other.goto(`/payment?order=${orderId}`)
      await payWith(other, PAID)
      await expect(other).toHaveURL('/dashboard')
      await device.close()

      await payButton(page).click()

      await expect(toastOf(page, 'This order is already paid')).toBeVisible()
      await expect(page.getByText('This order is paid.')).toBeVisible()
    },
  )

  test(
    'tries the provider’s script four times, and shows an error without it',
    { tag: '@long' },
    async ({ page, faults }) => {
      faults.expect(/failed: .*checkout\.js/).expect(/ERR_FAILED/)
      await toPay(page)
      let asked = 0
      await page.route('**/sandbox/checkout.js', route => {
        asked += 1
        return route.abort()
      })

      await payButton(page).click()

      const failure = 'Failed to load payment modal. Check your internet connection and retry later.'
      await expect(toastOf(page, failure)).toBeVisible()
      expect(asked).toBe(4)
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(failure)
      await page.unroute('**/sandbox/checkout.js')
      await payWith(page, PAID)
      await expect(page).toHaveURL('/dashboard')
    },
  )

  test('that failed offers no other try once its order is paid or cancelled', async ({ page, shop }) => {
    const main = page.getByRole('main')
    const failed = async () => {
      const { orderId } = await toPay(page)
      await page.route(routeOf(getPayment), route => route.fulfill({ json: { status: 'failed', orderId } }))
      return orderId
    }
    const address = '/order/confirm?payment_intent_client_secret=failed'
    const cancelled = await failed()
    await page.goto(address)
    await expect(result(page)).toHaveText('Your payment failed')
    await expect(main).toContainText('We are still holding your order')
    await expect(main.getByRole('link', { name: 'Try again' })).toBeVisible()

    await market(shop, 'order', 'cancel', cancelled)
    await page.reload()
    await expect(main).toContainText('We no longer hold your order')
    await expect(main.getByRole('link', { name: 'Try again' })).toHaveCount(0)

    await page.unrouteAll({ behavior: 'wait' })
    await failed()
    await payWith(page, PAID)
    await expect(page).toHaveURL('/dashboard')
    await page.goto(address)
    await expect(main).toContainText('Your order is paid by another payment.')
    await expect(main.getByRole('link', { name: 'Try again' })).toHaveCount(0)
  })

  test('of another customer’s order or attempt is not found', async ({ page, faults }) => {
    faults
      .expect(faultOf(404, getOrder))
      .expect(/^404 .*attempts/)
      .expect(/status of 404/)
    const { orderId } = await toPay(page)
    await signUpInKenya(page)
    await page.goto(`/payment?order=${orderId}`)
    await expect(page.getByText('There is no such order to pay.')).toBeVisible()
    expect(await axe(page)).toEqual([])

    await page.goto('/order/confirm?payment_intent_client_secret=guessed')
    await expect(result(page)).toHaveText('We could not find this payment')
    await expect(page.getByRole('img', { name: 'Not known' })).toBeVisible()
    expect(await axe(page)).toEqual([])
  })

  test('allows frames on its own pages only', async ({ request }) => {
    const policyOf = async (path: string) => (await request.get(path)).headers()['content-security-policy'] ?? ''

    for (const path of ['/payment', '/order/confirm']) expect(await policyOf(path), path).toContain("frame-src 'self';")
    for (const path of ['/', '/cart', '/shipping', '/dashboard', '/dashboard/order/details/x'])
      expect(await policyOf(path), path).toMatch(/child-src 'none'(?!.*frame-src)/)
  })
})

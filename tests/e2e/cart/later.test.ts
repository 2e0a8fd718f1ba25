import type { Page } from 'playwright/test'
import { getSavedLines } from '#contract/saved-lines.ts'
import { getUnpaidOrders } from '#contract/unpaid-orders.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, expectAccessible, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { fillCart, orderKite, readOrders, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const quantity = (page: Page, name: string) => page.getByRole('spinbutton', { name: `Quantity of ${name}` })
const saved = (page: Page) => page.getByRole('region', { name: /^Saved for later/ })
const summary = (page: Page) => page.getByRole('region', { name: 'Order summary' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.describe('a line of the cart', () => {
  test('can be saved for later and moved back, in every tab', { tag: '@desktop' }, async ({ page, context }) => {
    await fillCart(page, await signUpInKenya(page), { kite: 2, wagon: 1 })
    const other = await context.newPage()
    await other.goto('/cart')
    await expect(quantity(other, 'Red kite')).toHaveValue('2')
    await page.goto('/cart')

    await button(page, 'Save for later: Red kite').click()

    await expect(saved(page)).toContainText('Red kite')
    await expect(quantity(page, 'Red kite')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    await expect(summary(page)).toContainText('1 item')
    await expect(saved(other)).toContainText('Red kite')
    await expect(quantity(other, 'Red kite')).toHaveCount(0)
    await expectAccessible(page)

    await button(page, 'Save for later: Wooden wagon').click()
    await expect(page.getByText('You have no items in your cart.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Saved for later 2' })).toBeVisible()
    await button(page, 'Move to cart: Red kite').click()

    await expect(quantity(page, 'Red kite')).toHaveValue('2')
    await expect(page.getByRole('main')).toBeFocused()
    await saved(page).getByRole('button', { name: 'Remove Wooden wagon' }).click()
    await expect(saved(page)).toHaveCount(0)
  })

  test('is shown when a provider has no list for later', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^404 /).expect(/status of 404/)
    await fillCart(page, await signUp(page), { kite: 1 })
    await page.route(routeOf(getSavedLines), route => route.fulfill({ status: 404, json: { error: 'Nothing here' } }))

    await page.goto('/cart')

    await expect(quantity(page, 'Red kite')).toHaveValue('1')
    await expect(button(page, 'Try again')).toHaveCount(0)
  })

  test(
    'is shown, and a way to try again, when the list for later cannot be loaded',
    { tag: '@desktop' },
    async ({ page, faults }) => {
      faults.expect(/^503 /).expect(/status of 503/)
      await fillCart(page, await signUpInKenya(page), { kite: 1, wagon: 1 })
      await page.goto('/cart')
      await button(page, 'Save for later: Wooden wagon').click()
      await expect(saved(page)).toContainText('Wooden wagon')
      const address = routeOf(getSavedLines)
      await page.route(address, route => route.fulfill({ status: 503, json: { error: 'Not now' } }))
      await page.reload()
      await expect(page.getByText('What you saved for later could not be loaded')).toBeVisible()
      await expect(quantity(page, 'Red kite')).toHaveValue('1')
      await page.unroute(address)

      await button(page, 'Try again').press('Enter')

      await expect(saved(page)).toContainText('Wooden wagon')
      await expect(page.getByRole('main')).toBeFocused()
    },
  )
})

test.describe('an unpaid order', () => {
  test('can be paid or put back from the cart, which shows its deadline', async ({ page, context }) => {
    const customer = await signUpInKenya(page)
    const orderId = await orderKite(page, customer)
    await page.clock.install()
    await page.goto('/cart')
    const orders = page.getByRole('region', { name: 'Orders to pay' })
    await expect(orders).toContainText(/Pay within (30|29) minutes/)
    await expect(page.getByText('You have no items in your cart.')).toBeVisible()
    await expect(orders.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', `/payment?order=${orderId}`)
    expect(await axe(page)).toEqual([])
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
    const other = await context.newPage()
    await other.goto('/cart')
    const offered = other.getByRole('button', { name: 'Put back into the cart' })
    await expect(offered).toBeVisible()

    await orders.getByRole('button', { name: 'Put back into the cart' }).dblclick()

    await expect(quantity(page, 'Red kite')).toHaveValue('1')
    await expect(orders).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    await expect(offered).toBeHidden()
    await expect(quantity(other, 'Red kite')).toHaveValue('1')
    expect(await readOrders(page, customer)).toMatchObject([{ _id: orderId, status: 'cancelled' }])
  })

  test('is listed behind a summary when there are several', { tag: '@desktop' }, async ({ page }) => {
    const customer = await signUpInKenya(page)
    const orderIds = [await orderKite(page, customer), await orderKite(page, customer)]
    await page.goto('/cart')
    const orders = page.getByRole('region', { name: 'Orders to pay' })
    const pay = orders.getByRole('link', { name: 'Pay' })
    await expect(orders).toContainText(/2 unpaid orders. Pay within (30|29|28) minutes./)
    await expect(pay.first()).toBeHidden()

    await orders.getByText('2 unpaid orders.').click()

    await expect(pay).toHaveCount(2)
    await expect(pay.first()).toHaveAttribute('href', `/payment?order=${orderIds[1]}`)
    expect(await axe(page)).toEqual([])
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
  })

  test('that cannot be loaded can be loaded by trying again', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^503 /).expect(/status of 503/)
    await orderKite(page, await signUpInKenya(page))
    const address = routeOf(getUnpaidOrders)
    await page.route(address, route => route.fulfill({ status: 503, json: { error: 'Not now' } }))
    await page.goto('/cart')
    await expect(page.getByText('Orders that wait for payment could not be loaded')).toBeVisible()
    expect(await axe(page)).toEqual([])
    await page.unroute(address)

    await button(page, 'Try again').press('Enter')

    await expect(page.getByRole('region', { name: 'Orders to pay' })).toContainText(/Pay within/)
    await expect(button(page, 'Try again')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })

  test(
    'is left out without an error when the provider has no such list',
    { tag: '@desktop' },
    async ({ page, faults }) => {
      faults.expect(/^404 /).expect(/status of 404/)
      await signUp(page)
      await page.route(routeOf(getUnpaidOrders), route =>
        route.fulfill({ status: 404, json: { error: 'Nothing here' } }),
      )

      await page.goto('/cart')

      await expect(page.getByText('You have no items in your cart.')).toBeVisible()
      await expect(button(page, 'Try again')).toHaveCount(0)
    },
  )

  test('ticks by the minute, also while it cannot be loaded again', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^failed: .*unpaid-orders/).expect(/ERR_FAILED/)
    await orderKite(page, await signUpInKenya(page))
    await page.clock.install()
    await page.goto('/cart')
    const orders = page.getByRole('region', { name: 'Orders to pay' })
    await expect(orders).toContainText(/Pay within (29|28) minutes/)

    await page.route('**/unpaid-orders/**', route => route.abort())
    const failure = page.waitForEvent('console', message => message.text().includes('ERR_FAILED'))
    await page.clock.fastForward('05:10')
    await failure

    await expect(orders).toContainText(/Pay within (24|23) minutes/)
  })
})

test.describe('offline', { tag: '@desktop' }, () => {
  test('every button says so, and nothing is lost', async ({ page, context, faults }) => {
    faults.expect(/ERR_INTERNET_DISCONNECTED/).expect(/^failed: /)
    const customer = await signUpInKenya(page)
    await orderKite(page, customer)
    await fillCart(page, customer, { kite: 2 })
    await page.goto('/cart')
    await expect(quantity(page, 'Red kite')).toHaveValue('2')
    await context.setOffline(true)
    const offline = page.getByText('You are offline. Try again when you are back online.')

    for (const name of [
      'Proceed to checkout',
      'Save for later: Red kite',
      'Remove Red kite',
      'Increase quantity of Red kite',
      'Put back into the cart',
    ]) {
      await button(page, name).click()
      await expect(offline.first(), name).toBeVisible()
      await expect(quantity(page, 'Red kite')).toHaveValue('2')
    }
    await page.getByRole('link', { name: 'Pay', exact: true }).click()
    await expect(page).toHaveURL('/cart')
    await context.setOffline(false)
  })
})

test.describe('a customer whose payment is under way', { tag: '@desktop' }, () => {
  test('reads that it is being checked', async ({ page }) => {
    await orderKite(page, await signUpInKenya(page))
    await page.route('**/unpaid-orders/**', async route => {
      const { orders } = (await (await route.fetch()).json()) as { orders: object[] }
      await route.fulfill({ json: { orders: orders.map(order => ({ ...order, payment_status: 'processing' })) } })
    })

    await page.goto('/cart')

    const orders = page.getByRole('region', { name: 'Orders to pay' })
    await expect(orders).toContainText('Your payment is being checked')
    await expect(orders.getByRole('button')).toHaveCount(0)
  })
})

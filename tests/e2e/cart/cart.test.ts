import type { Page } from 'playwright/test'
import { getCart } from '#contract/cart.ts'
import { placeOrder } from '#contract/orders.ts'
import { apiOf, faultOf, holdBack, idOf, routeOf } from '#tests/support/browser/calls.ts'
import { logOut, saveAccount, type SignedUp, signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, expectAccessible, measureShifts, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { confirmAddress, fillCart, orderKite, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { submit } from '#tests/support/browser/forms.ts'
import { market } from '#tests/support/provider/market.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

/** Removes every line from the cart, as an order does. */
async function empty(page: Page, { token }: SignedUp) {
  const api = apiOf(page, token)
  const { groups } = await api.getCart({ userId: idOf(token) })
  for (const { _id } of groups.flatMap(({ products }) => products)) await api.removeCartLine({ lineId: _id })
}

const line = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const quantity = (page: Page, name: string) => line(page, name).getByRole('status', { name: `Quantity of ${name}` })
const step = (page: Page, name: string, by: 'Increase' | 'Decrease') =>
  line(page, name).getByRole('button', { name: `${by} quantity of ${name}` })
const badge = (page: Page) => page.getByRole('banner').locator('[data-count="cart"]')
const summary = (page: Page) => page.getByRole('region', { name: 'Order summary' })
const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]').getByText(text)

test.describe('the cart', () => {
  test('is empty at first, and then lists the added products by shop with quantities and total', async ({ page }) => {
    await signUp(page)
    await page.goto('/Cart')
    await expect(page).toHaveURL('/cart')
    await expect(page.getByText('You have no items in your cart.')).toBeVisible()
    expect(await axe(page)).toEqual([])
    await page.getByRole('link', { name: 'Shop Now' }).click()
    await expect(page).toHaveURL('/stores')

    await page.goto(productPage('train'))
    const box = page.getByRole('form', { name: 'Buy Wooden train' })
    await box.getByRole('button', { name: 'Increase quantity' }).click()
    await box.getByRole('button', { name: 'Add to cart' }).click()
    await expect(toast(page, 'Added to cart')).toBeVisible()
    await expect(badge(page)).toHaveText('2')
    await page.goto('/products?category=Lights')
    await page.getByRole('link', { name: 'Add Desk lamp to cart' }).click()
    await expect(badge(page)).toHaveText('3')

    await page.getByRole('banner').getByRole('link', { name: 'Cart' }).click()

    await expect(page.getByRole('region', { name: 'Toy Town' })).toContainText('Wooden train')
    await expect(page.getByRole('region', { name: 'Bright Lights' })).toContainText('Desk lamp')
    await expect(quantity(page, 'Wooden train')).toHaveText('2')
    await expect(line(page, 'Wooden train')).toContainText('$36')
    await expect(summary(page)).toContainText('3 items')
    await expect(summary(page)).toContainText('$85.99')
    await summary(page).getByRole('button', { name: 'Proceed to checkout' }).click()
    await expect(page).toHaveURL('/shipping')
  })

  test(
    'keeps its buttons inside the window at 200% text size, and its heading whole, and wraps the chosen country',
    { tag: '@phone' },
    async ({ page }) => {
      const customer = await signUpInKenya(page)
      await orderKite(page, customer)
      await fillCart(page, customer, { kite: 12 })
      await page.goto('/cart')
      await expect(quantity(page, 'Red kite')).toHaveText('12')
      await expect(page.getByRole('button', { name: 'Put back into the cart' })).toBeVisible()

      const browser = await page.context().newCDPSession(page)
      await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })

      expect(await overflowing(page)).toEqual([])
      await page.setViewportSize(NARROWEST)
      expect(await overflowing(page)).toEqual([])
      const heading = page.getByRole('heading', { name: 'Cart', exact: true })
      expect((await heading.boundingBox())?.height).toBeLessThan(2 * 48)
      const country = summary(page).getByRole('combobox')
      await expect(country).toHaveCSS('text-wrap-mode', 'wrap')
      expect((await country.boundingBox())?.height).toBeGreaterThan(2 * 1.5 * 32)
    },
  )

  test('redirects a visitor to the login, and Back leaves it again', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/about-us')
    await page.goto('/cart')
    await expect(page).toHaveURL('/login?next=%2Fcart')
    await page.goBack()
    await expect(page).toHaveURL('/about-us')
  })

  test('is shown as empty after Back when it was ordered in the meantime', { tag: '@phone' }, async ({ page }) => {
    const customer = await signUp(page)
    await fillCart(page, customer, { train: 1, kite: 1, drum: 1, lamp: 1 })
    await page.goto('/cart')
    await summary(page).getByRole('button', { name: 'Proceed to checkout' }).scrollIntoViewIfNeeded()
    await page.goto('/about-us')
    await empty(page, customer)

    await page.goBack()

    await expect(page.getByText('You have no items in your cart.')).toBeInViewport()
  })

  test('is accessible, fits the narrowest phone and loads without layout shift', async ({ page }) => {
    const customer = await signUp(page)
    await saveAccount(page, customer, { currency: 'USD' })
    await fillCart(page, customer, { train: 2, lamp: 3 })
    const shifts = await measureShifts(page)
    await page.goto('/cart')

    await expect(line(page, 'Wooden train').getByText('Ships to Kenya')).toBeVisible()
    await expect(line(page, 'Desk lamp').getByText('Does not ship to Kenya')).toBeVisible()
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
    await expectAccessible(page)
  })
})

test.describe('quantities', { tag: '@desktop' }, () => {
  test('follow rapid clicks, stop at the stock and at 1, and update at once on a slow network', async ({ page }) => {
    await fillCart(page, await signUp(page), { train: 2, kite: 1 })
    await page.goto('/cart')

    for (let click = 0; click < 4; click += 1) await step(page, 'Wooden train', 'Increase').click()
    await expect(quantity(page, 'Wooden train')).toHaveText('4')
    await expect(toast(page, 'Out of stock').first()).toBeVisible()
    for (let click = 0; click < 3; click += 1) await step(page, 'Wooden train', 'Decrease').click()
    await expect(quantity(page, 'Wooden train')).toHaveText('1')
    await expect(step(page, 'Wooden train', 'Decrease')).toBeDisabled()
    await expect(step(page, 'Wooden train', 'Decrease')).toBeFocused()
    await expect(summary(page)).toContainText('$28.50')
    await expect.poll(() => storedQuantity(page)).toBe(2)

    const { release } = await holdBack(page, '**/quantity-inc/**')
    await step(page, 'Red kite', 'Increase').click()
    await step(page, 'Red kite', 'Increase').click()
    // Shown at once, and unchanged after the response.
    await expect(quantity(page, 'Red kite')).toHaveText('3')
    release()
    await expect.poll(() => storedQuantity(page)).toBe(4)
    await expect(quantity(page, 'Red kite')).toHaveText('3')
  })

  test('are restored with an error when a change is rejected or fails', async ({ page, shop, faults }) => {
    faults
      .expect(/^422 .*quantity-inc/)
      .expect(/status of 422/)
      .expect(/failed: .*quantity-inc/)
      .expect(/ERR_FAILED/)
    await fillCart(page, await signUp(page), { drum: 2 })
    await page.goto('/cart')
    await expect(quantity(page, 'Tin drum')).toHaveText('2')
    await page.route('**/quantity-inc/**', route => route.abort(), { times: 1 })
    await step(page, 'Tin drum', 'Increase').click()
    await expect(toast(page, 'The marketplace cannot be reached right now')).toBeVisible()
    await expect(quantity(page, 'Tin drum')).toHaveText('2')

    await market(shop, 'product', 'set', 'drum', 'stock=2')
    await step(page, 'Tin drum', 'Increase').click()
    await expect(toast(page, 'Out of stock')).toBeVisible()
    await expect(quantity(page, 'Tin drum')).toHaveText('2')
    await market(shop, 'product', 'set', 'drum', 'stock=9')
  })
})

test.describe('a line', { tag: '@desktop' }, () => {
  test('can be put back after it was removed', async ({ page }) => {
    await fillCart(page, await signUp(page), { kite: 2, bulb: 1 })
    await page.goto('/cart')

    await line(page, 'Red kite').getByRole('button', { name: 'Remove Red kite' }).click()
    await expect(line(page, 'Red kite')).toBeHidden()
    await expect(page.getByRole('status').filter({ hasText: 'Red kite' })).toContainText('Removed from cart')
    await expect(badge(page)).toHaveText('1')
    // Focus is on the undo button.
    await page.keyboard.press('Enter')

    await expect(quantity(page, 'Red kite')).toHaveText('2')
    await expect(badge(page)).toHaveText('3')
    await expect(page.getByRole('main')).toBeFocused()
    await line(page, 'Red kite').getByRole('button', { name: 'Remove Red kite' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Red kite' })).toContainText('Removed from cart')
    expect(await axe(page)).toEqual([])
  })

  test('shows what changed since it was added; a higher price needs consent', async ({ page, shop }) => {
    await fillCart(page, await signUp(page), { lantern: 3, top: 2, candle: 1 })
    await market(shop, 'product', 'set', 'lantern', 'stock=1')
    await market(shop, 'product', 'set', 'top', 'price=8.50')
    await market(shop, 'product', 'set', 'candle', 'hidden=true')
    await page.goto('/cart')

    const outOfStock = page.getByRole('region', { name: 'Out of stock 2' })
    await expect(outOfStock).toContainText('Only 1 left')
    await expect(outOfStock).toContainText('No longer sold')
    await expect(line(page, 'Humming top')).toContainText('The price rose from $7.00 to $8.50')
    await summary(page).getByRole('button', { name: 'Proceed to checkout' }).click()
    const dialog = page.getByRole('dialog', { name: 'Some prices rose' })
    await expect(dialog).toContainText('Humming top')
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/cart')
    await summary(page).getByRole('button', { name: 'Proceed to checkout' }).click()
    await dialog.getByRole('button', { name: 'Accept and continue' }).click()

    await expect(page).toHaveURL('/shipping')
    await page.goto('/cart')
    await expect(line(page, 'Humming top')).not.toContainText('The price rose')
    await market(shop, 'product', 'set', 'lantern', 'stock=3')
    await market(shop, 'product', 'set', 'top', 'price=7')
    await market(shop, 'product', 'set', 'candle', 'hidden=false')
  })
})

test.describe('a price that rises after the cart was shown', { tag: '@desktop' }, () => {
  test('is not ordered before the customer has accepted it', async ({ page, shop }) => {
    await fillCart(page, await signUpInKenya(page), { yoyo: 1 })
    await page.goto('/cart')
    await expect(quantity(page, 'Wooden yo-yo')).toHaveText('1')
    await market(shop, 'product', 'set', 'yoyo', 'price=8.50')
    await summary(page).getByRole('button', { name: 'Proceed to checkout' }).click()
    await confirmAddress(page)
    let orderCount = 0
    page.on('request', request => (orderCount += Number(request.url().endsWith(placeOrder.path))))
    const dialog = page.getByRole('dialog', { name: 'The price has changed' })

    await submit(page, 'Place Order').click()

    await expect(dialog).toContainText('$8.50')
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await expect(dialog).toBeHidden()
    expect(orderCount).toBe(0)
    await submit(page, 'Place Order').click()
    await dialog.getByRole('button', { name: 'Accept and place order' }).click()
    await expect(page).toHaveURL(/\/payment\?order=/)
    expect(orderCount).toBe(1)
    await market(shop, 'product', 'set', 'yoyo', 'price=7')
  })
})

test.describe('the current cart', { tag: '@desktop' }, () => {
  test('is the same in every tab', async ({ page, context }) => {
    await fillCart(page, await signUp(page), { kite: 1 })
    const other = await context.newPage()
    await other.goto('/cart')
    await expect(quantity(other, 'Red kite')).toHaveText('1')
    await page.goto('/cart')

    await step(page, 'Red kite', 'Increase').click()

    await expect(quantity(other, 'Red kite')).toHaveText('2')
    await expect(badge(other)).toHaveText('2')
    await line(other, 'Red kite').getByRole('button', { name: 'Remove Red kite' }).click()
    await expect(page.getByText('You have no items in your cart.')).toBeVisible()
  })

  test('is up to date after Back, and is gone after logging out', async ({ page }) => {
    const customer = await signUp(page)
    await fillCart(page, customer, { kite: 1 })
    await page.goto('/cart')
    await expect(quantity(page, 'Red kite')).toHaveText('1')
    await page.goto('/about-us')
    await fillCart(page, customer, { kite: 2 })

    await page.goBack()

    await expect(quantity(page, 'Red kite')).toHaveText('3')
    await expect(badge(page)).toHaveText('3')

    await logOut(page)
    await page.goto('/')
    await expect(badge(page)).toBeHidden()

    await signUp(page)
    await page.goto('/cart')
    await expect(page.getByText('You have no items in your cart.')).toBeVisible()
  })

  test('shows an error and a retry button when it cannot be loaded', async ({ page, faults }) => {
    faults.expect(faultOf('failed', getCart)).expect(/ERR_FAILED/)
    await fillCart(page, await signUp(page), { kite: 1 })
    await page.route(routeOf(getCart), route => route.abort())
    await page.goto('/cart')
    await expect(page.getByText('The marketplace cannot be reached right now')).toBeVisible()
    await page.unroute(routeOf(getCart))

    await page.getByRole('button', { name: 'Try again' }).click()

    await expect(quantity(page, 'Red kite')).toHaveText('1')
  })
})

/** Units of the customer’s only line, as stored on the server. */
async function storedQuantity(page: Page): Promise<number> {
  const token = (await page.evaluate(() => localStorage.getItem('customerToken'))) ?? ''
  return (await apiOf(page, token).getCart({ userId: idOf(token) })).count
}

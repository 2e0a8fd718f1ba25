import type { Page } from 'playwright/test'
import { getAccount } from '#contract/account.ts'
import { placeOrder } from '#contract/orders.ts'
import { arrivalDates } from '#lib/orders/arrival.ts'
import { faultOf, holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { saveAccount, signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, expectAccessible, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { expectWrong, field, submit, toastOf } from '#tests/support/browser/forms.ts'
import { market } from '#tests/support/provider/market.ts'
import { confirmAddress, fillCart, readOrders, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const LABELS = ['Name', 'Phone', 'Address', 'Area', 'City', 'Province', 'Postal code', 'Country']

const summary = (page: Page) => page.getByRole('region', { name: 'Order summary' })
const place = (page: Page) => submit(page, 'Place Order')
const line = (page: Page, name: string) => page.getByRole('main').getByRole('listitem', { name, exact: true })

test.describe('the checkout', () => {
  test('leads from the cart to the payment, and keeps the address after a reload', async ({ page }) => {
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { wagon: 2, kite: 1 })
    await page.goto('/shipping')
    await expect(page.getByRole('region', { name: 'Toy Town' })).toContainText('Wooden wagon')
    await expect(place(page)).toBeHidden()
    await expect(field(page, 'City')).toHaveValue('Nairobi')
    await page.getByRole('checkbox', { name: 'Use my default shipping address' }).uncheck()

    await submit(page, 'Continue').click()

    await expect(toastOf(page, 'Please fill in all required fields')).toBeVisible()
    for (const label of LABELS) await expectWrong(page, label, 'Please fill this in')
    await expect(field(page, 'Country')).toBeFocused()
    expect(await axe(page)).toEqual([])
    await confirmAddress(page)
    await expect(page.getByRole('region', { name: 'Toy Town' })).toContainText(`Arrives ${arrivalDates([3, 6])}`)
    await expect(summary(page)).toContainText('3 items')
    await expect(summary(page)).toContainText('Shipping to Kenya')
    await expect(summary(page)).toContainText('$56.50')
    await expectAccessible(page)
    await page.reload()
    await page.getByRole('button', { name: 'change' }).click()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(field(page, 'City')).toHaveValue('Nairobi')
    await expect(place(page)).toBeHidden()
    await submit(page, 'Continue').click()
    await place(page).click()

    await expect(page).toHaveURL(/\/payment\?order=[\w-]+$/)
    const orderId = new URL(page.url()).searchParams.get('order')
    expect(await page.evaluate(() => localStorage.getItem('orderId'))).toBe(orderId)
    await expect(page.getByRole('banner').locator('[data-count="cart"]')).toBeHidden()
    await expect(summary(page)).toContainText('$56.50')
    await page.goto('/shipping')
    await expect(page.getByText('You have no items in your cart.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Pay your last order' })).toHaveAttribute('href', /\/payment\?order=/)
  })

  test(
    'leads Back from the review to the address, and from the payment to the cart',
    { tag: '@phone' },
    async ({ page }) => {
      const customer = await signUpInKenya(page)
      await fillCart(page, customer, { kite: 1 })
      await page.goto('/cart')
      await page.getByRole('button', { name: 'Proceed to checkout' }).click()
      await confirmAddress(page)

      await page.goBack()

      await expect(page).toHaveURL('/shipping')
      await expect(page.getByRole('main')).toBeFocused()
      await expect(field(page, 'City')).toHaveValue('Nairobi')
      await submit(page, 'Continue').click()
      await expect(place(page)).toBeEnabled()
      await page.reload()
      await expect(place(page)).toBeEnabled()
      await page.goBack()
      await expect(field(page, 'City')).toHaveValue('Nairobi')
      await submit(page, 'Continue').click()
      await page.getByRole('button', { name: 'change' }).click()
      await submit(page, 'Continue').click()
      await place(page).click()
      await expect(page).toHaveURL(/\/payment\?order=/)
      await page.goBack()
      await expect(page).toHaveURL('/cart')
    },
  )

  test(
    'blocks a country without a price, and names the products that do not ship there',
    { tag: '@phone' },
    async ({ page }) => {
      const customer = await signUpInKenya(page)
      await fillCart(page, customer, { kite: 1, lamp: 1 })
      await page.goto('/shipping')
      await page.getByRole('checkbox', { name: 'Use my default shipping address' }).check()

      await expect(page.getByText('Not everything here can be shipped to Kenya.')).toBeVisible()
      await expect(line(page, 'Desk lamp')).toContainText(
        'This product does not ship to Kenya. Please remove it from your cart to continue.',
      )
      await expect(line(page, 'Red kite')).toContainText('Shipping $5.00')
      await submit(page, 'Continue').click()
      const dialog = page.getByRole('dialog', { name: 'Shipping Not Available' })
      await expect(dialog).toContainText(
        'Some items in your cart cannot be shipped to Kenya. Please remove these items from your cart or choose a different shipping destination.',
      )
      expect(await axe(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Update Shipping Details' }).click()
      await expect(dialog).toBeHidden()
      await expect(place(page)).toBeHidden()
      await page.setViewportSize(NARROWEST)
      expect(await overflowing(page)).toEqual([])
      await submit(page, 'Continue').click()
      await dialog.getByRole('link', { name: 'Update Cart' }).click()
      await expect(page).toHaveURL('/cart')
      await page.getByRole('button', { name: 'Remove Desk lamp' }).click()
      await page.goBack()
      await submit(page, 'Continue').click()
      await expect(place(page)).toBeEnabled()
    },
  )
})

test.describe('the default address', { tag: '@desktop' }, () => {
  test('is used once loaded when the customer continues at once; it must be a country that ships', async ({ page }) => {
    const customer = await signUp(page)
    const shippingDetails = { ...ACCOUNT.shippingDetails, country: 'Ghana' }
    await saveAccount(page, customer, { currency: 'USD', shippingDetails })
    await fillCart(page, customer, { kite: 1 })
    await page.goto('/shipping')
    const box = page.getByRole('checkbox', { name: 'Use my default shipping address' })
    await expect(page.getByText('Nothing here can be shipped to Ghana.')).toBeVisible()
    await box.uncheck()

    const { release } = await holdBack(page, `**/api${getAccount.path}`)
    await box.check()
    await expect(submit(page, 'Continue')).toHaveAttribute('aria-busy', 'true')
    await submit(page, 'Continue').click()
    release()

    await expect(toastOf(page, 'Products cannot be shipped to your default location.')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Update Shipping Details' }).click()
    await expect(page.getByText('Nothing here can be shipped to Ghana.')).toBeVisible()
    await box.uncheck()
    for (const label of LABELS) await expect(field(page, label)).toHaveValue('')
  })
})

test.describe('Buy Now', { tag: '@desktop' }, () => {
  test('leaves the cart alone, and survives a reload and Back', async ({ page }) => {
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { ball: 1 })
    await page.goto('/product/details/kite')
    await page.getByRole('button', { name: 'Increase quantity' }).click()
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await expect(page).toHaveURL('/shipping?buy=kite&quantity=2')
    await expect(line(page, 'Red kite')).toContainText('Quantity 2')
    await expect(summary(page)).toContainText('1 item × 2')
    await expect(line(page, 'Blue ball')).toBeHidden()
    await field(page, 'Name').fill('Grace')
    await line(page, 'Red kite').getByRole('link').click()
    await page.goBack()
    await expect(field(page, 'Name')).toHaveValue('Grace')

    await confirmAddress(page)
    await page.reload()
    await place(page).click()

    await expect(page).toHaveURL(/\/payment\?order=/)
    await expect(summary(page)).toContainText('$26.00')
    await expect(page.getByRole('banner').locator('[data-count="cart"]')).toHaveText('1')
  })

  test('shows a message for a product that is not sold', async ({ page, faults }) => {
    faults.expect(/^404 .*get-product/).expect(/status of 404/)
    await signUpInKenya(page)
    await page.goto('/shipping?buy=dodo')

    await expect(page.getByText('Product Not Available')).toBeVisible()
  })

  test('redirects a visitor to the login', async ({ page }) => {
    await page.goto('/shipping?buy=kite&quantity=2')

    await expect(page).toHaveURL('/login?next=%2Fshipping%3Fbuy%3Dkite%26quantity%3D2')
  })
})

test.describe('placing an order', { tag: '@desktop' }, () => {
  test('with a double click creates one order', async ({ page }) => {
    const customer = await signUpInKenya(page)
    await page.goto('/shipping?buy=kite')
    await confirmAddress(page)

    await place(page).dblclick()

    await expect(page).toHaveURL(/\/payment\?order=/)
    expect(await readOrders(page, customer)).toHaveLength(1)
  })

  test('creates one order when its response is lost, after a retry and a reload', async ({ page, faults }) => {
    faults.expect(faultOf('failed', placeOrder)).expect(/ERR_FAILED/)
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { kite: 1 })
    await page.goto('/shipping')
    await confirmAddress(page)
    await page.route(
      routeOf(placeOrder),
      async route => {
        await route.fetch()
        await route.abort()
      },
      { times: 2 },
    )

    await page.setViewportSize({ width: 390, height: 844 })
    await place(page).click()
    await expect(page.getByText('We do not know yet whether your order was placed.')).toBeInViewport()
    expect(await axe(page)).toEqual([])
    const again = page.waitForRequest(routeOf(placeOrder))
    await page.getByRole('button', { name: 'Ask again' }).click()
    await again
    await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible()
    await page.reload()

    await expect(page).toHaveURL(/\/payment\?order=/)
    const orders = await readOrders(page, customer)
    expect(orders.map(({ _id }) => _id)).toEqual([new URL(page.url()).searchParams.get('order')])
  })

  test('asks for consent when the price has changed', async ({ page, shop, faults }) => {
    faults.expect(faultOf(422, placeOrder)).expect(/status of 422/)
    await signUpInKenya(page)
    await page.goto('/shipping?buy=glider')
    await confirmAddress(page)
    await market(shop, 'product', 'set', 'glider', 'price=12.50')

    await place(page).click()

    const dialog = page.getByRole('dialog', { name: 'The price has changed' })
    await expect(dialog).toContainText('$17.50')
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await expect(dialog).toBeHidden()
    await expect(summary(page)).toContainText('$17.50')
    await market(shop, 'product', 'set', 'glider', 'price=10.50')
    await place(page).click()
    await expect(dialog).toContainText('$15.50')
    await dialog.getByRole('button', { name: 'Accept and place order' }).click()
    await expect(page).toHaveURL(/\/payment\?order=/)
  })

  test('shows which products have too few units when the stock has dropped', async ({ page, shop, faults }) => {
    faults.expect(faultOf(422, placeOrder)).expect(/status of 422/)
    await signUpInKenya(page)
    await page.goto('/shipping?buy=marble&quantity=3')
    await confirmAddress(page)
    await market(shop, 'product', 'set', 'marble', 'stock=1')

    await place(page).click()

    await expect(summary(page).getByRole('alert')).toContainText('Only 1 left of Glass marble')
    await expect(line(page, 'Glass marble')).toContainText('Only 1 left')
    await expect(place(page)).toBeDisabled()
    expect(await axe(page)).toEqual([])
    await market(shop, 'product', 'set', 'marble', 'stock=9')
  })

  test('works by keyboard alone', async ({ page }) => {
    await signUpInKenya(page)
    await page.goto('/shipping?buy=kite')
    await expect(field(page, 'City')).toHaveValue('Nairobi')
    await field(page, 'Phone').focus()
    await page.keyboard.press('Tab')
    await expect(submit(page, 'Continue')).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Deliver to Ada Lovelace' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'change' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(place(page)).toBeFocused()
    await page.keyboard.press('Enter')

    await expect(page).toHaveURL(/\/payment\?order=/)
  })
})

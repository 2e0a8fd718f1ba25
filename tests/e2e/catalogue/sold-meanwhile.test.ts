import type { Page } from 'playwright/test'
import { getAvailability } from '#contract/catalogue.ts'
import { addToCart } from '#contract/cart.ts'
import { faultOf, routeOf } from '#tests/support/browser/calls.ts'
import { expect, hydrated } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { market } from '#tests/support/provider/market.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const button = (page: Page, name: string) => page.getByRole('form', { name: /^Buy/ }).getByRole('button', { name })

test.describe('a product that was sold since its page was opened', { tag: '@desktop' }, () => {
  test('is shown as sold out once the shop has rejected it', async ({ page, shop, faults }) => {
    faults.expect(faultOf(422, addToCart)).expect(/status of 422/)
    await signUp(page)
    await page.goto(productPage('domino'))
    await settled(page)
    await market(shop, 'product', 'set', 'domino', 'stock=0')

    await button(page, 'Add to cart').click()

    await expect(toastOf(page, 'Out of stock')).toBeVisible()
    await expect(page.getByText('Out of Stock', { exact: true })).toBeVisible()
    await expect(button(page, 'Add to cart')).toBeDisabled()
    await expect(button(page, 'Add to cart')).toBeFocused()
    await expect(button(page, 'Tell me when it is back')).toBeVisible()
    await market(shop, 'product', 'set', 'domino', 'stock=9')
  })

  test('is shown as sold out when the shopper returns to its tab', async ({ page }) => {
    await page.goto(productPage('kite'))
    await settled(page)
    await page.route(routeOf(getAvailability), route => route.fulfill({ json: { stock: 0 } }))
    await button(page, 'Increase quantity').click()
    await hydrated(button(page, 'Increase quantity'))
    await button(page, 'Buy Now').focus()

    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

    await expect(button(page, 'Add to cart')).toBeDisabled()
    await expect(button(page, 'Tell me when it is back')).toBeFocused()
  })
})

import { apiOf, idOf } from '#tests/support/browser/calls.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test('the quantity shown in the cart is kept when the page is left at once', { tag: '@phone' }, async ({ page }) => {
  const { token } = await signUp(page)
  const api = apiOf(page, token)
  const { products } = await api.queryProducts({ search: 'Red kite' })
  await api.addToCart({ userId: idOf(token), productId: products[0]!._id, quantity: 1 })
  await page.goto('/cart')
  await settled(page)

  // By one script, because each click of Playwright's takes as long as a request.
  await page.getByRole('button', { name: /^Increase quantity/ }).evaluate((button: HTMLElement) => {
    for (let click = 0; click < 8; click += 1) button.click()
    location.assign('/about-us')
  })
  await expect(page).toHaveURL('/about-us')

  await expect.poll(async () => (await api.getCart({ userId: idOf(token) })).count).toBe(9)
})

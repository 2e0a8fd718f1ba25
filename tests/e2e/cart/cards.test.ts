import type { Page } from 'playwright/test'
import { addToCart } from '#contract/cart.ts'
import { addToWishlist } from '#contract/wishlist.ts'
import { faultOf, holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { fill, submit } from '#tests/support/browser/forms.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const badge = (page: Page, name: 'cart' | 'wishlist') => page.getByRole('banner').locator(`[data-count="${name}"]`)
const quickAdd = (page: Page) => page.getByRole('link', { name: 'Add Red kite to cart' })
const heart = (page: Page, act: 'Add' | 'Remove') =>
  page.getByRole('link', { name: `${act} Red kite ${act === 'Add' ? 'to' : 'from'} wishlist` })

/** The customer's cart and wishlist are known by then. */
async function openToys(page: Page) {
  await signUp(page)
  await page.goto('/products?category=Toys', { waitUntil: 'load' })
  await expect(quickAdd(page)).toBeVisible()
}

test.describe('a product card', () => {
  test('counts added products at once, and offers the cart', async ({ page }) => {
    await openToys(page)
    const { release } = await holdBack(page, routeOf(addToCart))

    await quickAdd(page).click()
    await expect(badge(page, 'cart')).toHaveText('1')
    await expect(quickAdd(page)).toHaveAttribute('aria-busy', 'true')
    await quickAdd(page).click()
    release()

    await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
    await expect(badge(page, 'cart')).toHaveText('1')
    await page.getByRole('link', { name: 'View cart' }).click()
    await expect(page).toHaveURL('/cart')
  })

  test(
    'takes back what the marketplace rejects or does not receive, and says why',
    { tag: '@phone' },
    async ({ page, faults }) => {
      faults.expect(faultOf(422, addToCart)).expect(/status of 422/)
      faults
        .expect(faultOf('failed', addToWishlist))
        .expect(/ERR_INTERNET_DISCONNECTED/)
        .allow(/^failed:/)
      await openToys(page)
      await page.route(routeOf(addToCart), route => route.fulfill({ status: 422, json: { error: 'Out of stock' } }))
      await quickAdd(page).click()
      await expect(page.getByText('Out of stock', { exact: true })).toBeVisible()
      await expect(badge(page, 'cart')).toBeHidden()

      await page.context().setOffline(true)
      await heart(page, 'Add').click()
      await expect(page.getByText('You are offline. Try again when you are back online.')).toBeVisible()
      await expect(heart(page, 'Add')).toBeVisible()
      await expect(badge(page, 'wishlist')).toBeHidden()
      await page.context().setOffline(false)
    },
  )

  test('has a heart that follows each click, and ends at the last one', async ({ page }) => {
    await openToys(page)
    const { release } = await holdBack(page, routeOf(addToWishlist))

    await heart(page, 'Add').click()
    await expect(badge(page, 'wishlist')).toHaveText('1')
    await heart(page, 'Remove').click()
    await expect(badge(page, 'wishlist')).toBeHidden()
    release()
    await expect(page.getByText('Removed from wishlist', { exact: true })).toBeVisible()

    await page.reload()
    await expect(heart(page, 'Add')).toBeVisible()
    await expect(badge(page, 'wishlist')).toBeHidden()
  })

  test('leads to the login if the session has ended, and is added after it', async ({ page, faults }) => {
    faults.expect(faultOf(409, addToCart)).expect(/status of 409/)
    const customer = await signUp(page)
    await page.goto('/products?category=Toys', { waitUntil: 'load' })
    const ended = { error: 'Please login first', code: 'INVALID_TOKEN' }
    await page.route(routeOf(addToCart), route => route.fulfill({ status: 409, json: ended }), { times: 1 })

    await quickAdd(page).click()
    await expect(page).toHaveURL(/\/login\?next=/)
    await fill(page, { Email: customer.email, Password: customer.password })
    await submit(page, 'Log in').click()

    await expect(page).toHaveURL('/products?category=Toys')
    await expect(badge(page, 'cart')).toHaveText('1')
  })

  test('is busy while the choice of its options opens', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products?category=Shoes')
    await settled(page)
    const choice = page.getByRole('link', { name: 'Choose options of Canvas sneaker' })
    // Read together with the click: the product may open at once.
    const clicked = choice.evaluate((link: HTMLElement) => {
      link.click()
      return link.ariaBusy
    })
    expect(await clicked).toBe('true')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Canvas sneaker')
  })

  test('shows that it leads a visitor to the login, and not after Back', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products?category=Toys')
    await settled(page)
    // Read together with the click: the login may open at once.
    const clicked = quickAdd(page).evaluate((link: HTMLElement) => {
      link.click()
      return link.ariaBusy
    })
    expect(await clicked).toBe('true')
    await expect(page).toHaveURL(/\/login/)

    await page.goBack()
    await expect(quickAdd(page)).not.toHaveAttribute('aria-busy', 'true')
  })
})

import type { Page } from 'playwright/test'
import { addToCart } from '#contract/cart.ts'
import { addToWishlist } from '#contract/wishlist.ts'
import { holdBack, routeOf, faultOf } from '#tests/support/browser/calls.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, expectAccessible } from '#tests/support/browser/e2e.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { market } from '#tests/support/provider/market.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const badge = (page: Page) => page.getByRole('banner').locator('[data-count="wishlist"]')
const heart = (page: Page, act: 'Add' | 'Remove', name: string) =>
  page.getByRole('link', { name: act === 'Add' ? `Add ${name} to wishlist` : `Remove ${name} from wishlist` })

test.describe('the wishlist', () => {
  test(
    'is filled by the hearts on cards and on the product page, which show what is saved',
    { tag: '@phone' },
    async ({ page }) => {
      await signUp(page)
      await page.goto('/products?category=Toys')

      await heart(page, 'Add', 'Red kite').click()
      await expect(heart(page, 'Remove', 'Red kite')).toBeVisible()
      await expect(badge(page)).toHaveText('1')
      // A page opened before the change is stored would repeat this message.
      await expect(page.getByText('Added to wishlist')).toBeVisible()
      await page.goto(productPage('kite'))
      await page.getByRole('button', { name: 'Remove from wishlist' }).click()
      await expect(page.getByRole('button', { name: 'Add to wishlist' })).toBeVisible()
      // Leaving the page sends a second change without waiting for the first one, which it could overtake.
      await expect(page.getByText('Removed from wishlist')).toBeVisible()
      await expect(badge(page)).toBeHidden()
      await page.getByRole('button', { name: 'Add to wishlist' }).click()
      await expect(badge(page)).toHaveText('1')
      await expect(page.getByText('Added to wishlist')).toBeVisible()

      await page.goto('/products?category=Toys')
      await expect(heart(page, 'Remove', 'Red kite')).toBeVisible()
      await heart(page, 'Remove', 'Red kite').click()
      await expect(heart(page, 'Add', 'Red kite')).toBeVisible()
    },
  )

  test('is empty at first', { tag: '@desktop' }, async ({ page }) => {
    await signUp(page)
    await page.goto('/dashboard/my-wishlist')

    await expect(page.getByText('No items in your wishlist')).toBeVisible()
    expect(await axe(page)).toEqual([])
  })

  test('lists the saved products, adds them to the cart and removes them', async ({ page }) => {
    await signUp(page)
    for (const slug of ['train', 'lamp']) {
      await page.goto(productPage(slug))
      await page.getByRole('button', { name: 'Add to wishlist' }).click()
      await expect(page.getByText('Added to wishlist')).toBeVisible()
    }
    await page.goto('/dashboard/my-wishlist')
    const item = (name: string) => page.getByRole('article').filter({ hasText: name })

    await expect(item('Wooden train')).toContainText('$18')
    await expect(item('Desk lamp')).toContainText('Bright Lights')
    await expectAccessible(page)
    await item('Wooden train').getByRole('button', { name: 'Add to cart' }).click()
    await expect(page.getByRole('banner').locator('[data-count="cart"]')).toHaveText('1')
    await item('Desk lamp').getByRole('button', { name: 'Remove Desk lamp from wishlist' }).click()

    await expect(item('Desk lamp')).toBeHidden()
    await expect(badge(page)).toHaveText('1')
  })

  test(
    'shows that a product was sold since the page was opened',
    { tag: '@desktop' },
    async ({ page, shop, faults }) => {
      faults.expect(faultOf(422, addToCart)).expect(/status of 422/)
      await signUp(page)
      await page.goto(productPage('yoyo'))
      await page.getByRole('button', { name: 'Add to wishlist' }).click()
      await expect(page.getByText('Added to wishlist')).toBeVisible()
      await page.goto('/dashboard/my-wishlist')
      const button = page.getByRole('article').getByRole('button', { name: /^(Add to cart|Out of Stock)/ })
      await expect(button).toHaveText(/^Add to cart/)
      await market(shop, 'product', 'set', 'yoyo', 'stock=0')

      await button.click()

      await expect(button).toHaveText(/^Out of Stock/)
      await expect(button).toBeFocused()
      await expect(button).toBeDisabled()
      await market(shop, 'product', 'set', 'yoyo', 'stock=9')
    },
  )

  test('shows on the next page what is still being saved', { tag: '@phone' }, async ({ page, context }) => {
    await signUp(page)
    await page.goto('/products?category=Toys')
    await settled(page)
    const { release } = await holdBack(context, routeOf(addToWishlist))

    await heart(page, 'Add', 'Red kite').click()
    await expect(heart(page, 'Remove', 'Red kite')).toBeVisible()
    await page.goto(productPage('kite'))
    await expect(page.getByRole('button', { name: 'Remove from wishlist' })).toBeVisible()
    await expect(badge(page)).toHaveText('1')
    release()
    await expect(page.getByText('Added to wishlist')).toBeVisible()
  })

  test(
    'keeps a product that was saved just before its page was left',
    { tag: '@desktop' },
    async ({ page, context }) => {
      await signUp(page)
      await page.goto(productPage('kite'))
      const { release } = await holdBack(context, '**/add-to-wishlist')

      await page.getByRole('button', { name: 'Add to wishlist' }).click()
      await expect(page.getByRole('button', { name: 'Remove from wishlist' })).toBeVisible()
      await page.goto('/cart')
      release()

      await expect(async () => {
        await page.goto('/dashboard/my-wishlist')
        await settled(page)
        expect(await page.getByRole('article').filter({ hasText: 'Red kite' }).count()).toBe(1)
      }).toPass()
    },
  )
})

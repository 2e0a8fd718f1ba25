import { acceptCartPrices } from '#contract/cart.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { fillCart, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { market } from '#tests/support/provider/market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test(
  'risen prices that are being accepted cannot be declined any more',
  { tag: '@desktop' },
  async ({ page, shop }) => {
    await fillCart(page, await signUpInKenya(page), { drum: 1 })
    await market(shop, 'product', 'set', 'drum', 'price=8.50')
    await page.goto('/cart')
    const { reached, release } = await holdBack(page, routeOf(acceptCartPrices))
    await page.getByRole('button', { name: 'Proceed to checkout' }).click()
    const dialog = page.getByRole('dialog', { name: 'Some prices rose' })

    await dialog.getByRole('button', { name: 'Accept and continue' }).click()

    await reached
    for (const _ of [1, 2]) await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Back to cart' }).click({ force: true })
    await expect(dialog).toBeVisible()
    release()
    await expect(page).toHaveURL('/shipping')
    await market(shop, 'product', 'set', 'drum', 'price=7')
  },
)

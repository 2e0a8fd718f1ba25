import type { Page } from 'playwright/test'
import { arrivalDates } from '#lib/orders/arrival.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { routeOf } from '#tests/support/browser/calls.ts'
import { getCart, increaseQuantity } from '#contract/cart.ts'
import { axe, expect, expectAccessible } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { fillCart, orderKite, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const summary = (page: Page) => page.getByRole('region', { name: 'Order summary' })
const shop = (page: Page) => page.getByRole('region', { name: 'Toy Town' })
const line = (page: Page, name: string) => page.getByRole('main').getByRole('listitem', { name, exact: true })
const quantity = (page: Page, name: string) => page.getByRole('spinbutton', { name: `Quantity of ${name}` })

test.describe('the summary of the cart', () => {
  test(
    'has shipping to the customer’s country, or another one, and what discounts save',
    { tag: '@desktop' },
    async ({ page }) => {
      await fillCart(page, await signUpInKenya(page), { wagon: 2, kite: 1 })
      await page.goto('/cart')

      await expect(summary(page)).toContainText('Shipping to Kenya')
      await expect(shop(page)).toContainText(`Arrives ${arrivalDates([3, 6])}`)
      await expect(summary(page)).toContainText('$10.00')
      await expect(summary(page)).toContainText('You save $4.00')
      await expect(summary(page)).toContainText('$56.50')
      await expect(line(page, 'Wooden wagon')).toContainText('$40.00')
      await summary(page).getByRole('combobox', { name: 'Ship to' }).selectOption('Germany')

      await expect(line(page, 'Red kite')).toContainText('Does not ship to Germany')
      await expect(shop(page)).not.toContainText('Arrives')
      await expect(summary(page)).toContainText('2 products do not ship to Germany.')
      await expect(summary(page)).toContainText('Total before shipping')
      await page.reload()
      await expect(line(page, 'Red kite')).toContainText('Does not ship to Germany')
      expect(await axe(page)).toEqual([])
    },
  )

  test('asks a customer without an address for a country', { tag: '@desktop' }, async ({ page }) => {
    await fillCart(page, await signUp(page), { kite: 1 })
    await page.goto('/cart')
    await expect(summary(page)).toContainText('Choose a country')

    await summary(page).getByRole('combobox', { name: 'Ship to' }).selectOption('Kenya')

    await expect(summary(page)).toContainText('$15.50')
    await expect(line(page, 'Red kite')).toContainText('Ships to Kenya')
  })

  test.describe('on a device that has no country yet', () => {
    test.use({ timezoneId: 'Africa/Nairobi' })

    test('has shipping to where it seems to be, without a reload', { tag: '@desktop' }, async ({ page }) => {
      await fillCart(page, await signUp(page), { kite: 1 })
      await page.goto('/cart')
      await expect(line(page, 'Red kite')).toBeVisible()

      await page.keyboard.press('Shift')

      await expect(summary(page)).toContainText('Shipping to Kenya')
      await expect(summary(page)).toContainText('$15.50')
    })
  })

  test('is not covered by the note about a removed line', { tag: '@phone' }, async ({ page }) => {
    await fillCart(page, await signUpInKenya(page), { kite: 1, ball: 1 })
    await page.goto('/cart')
    await page.getByRole('button', { name: 'Remove Blue ball' }).click()
    await expect(line(page, 'Blue ball')).toHaveCount(0)

    const undo = page.getByRole('button', { name: 'Undo' })
    await expect(undo).toBeFocused()
    for (const height of [600, 844, 920, 1000]) {
      await page.setViewportSize({ width: 390, height })
      await expect(undo).toBeInViewport({ ratio: 1 })
      await expect(async () => {
        const note = (await page.getByRole('status').filter({ has: undo }).boundingBox())!
        const button = (await summary(page).getByRole('button', { name: 'Proceed to checkout' }).boundingBox())!
        expect(note.y + note.height).toBeLessThanOrEqual(button.y)
      }).toPass()
    }
    await undo.click()
    await expect(line(page, 'Blue ball')).toBeVisible()
  })

  test('keeps total and button in view on a phone', { tag: '@phone' }, async ({ page }) => {
    await fillCart(page, await signUpInKenya(page), { wagon: 2, kite: 1, ball: 1, bulb: 1, train: 1 })
    await page.goto('/cart')
    const button = summary(page).getByRole('button', { name: 'Proceed to checkout' })
    const total = summary(page).getByText('Total', { exact: false }).last()

    await expect(button).toBeInViewport({ ratio: 1 })
    await expect(total).toBeInViewport({ ratio: 1 })
    await page.getByRole('contentinfo').evaluate(footer => scrollTo(0, footer.getBoundingClientRect().top - 900))
    await expect(button).toBeInViewport({ ratio: 1 })
  })

  test(
    'is not covered by messages, even if the cart was empty when the first one came',
    { tag: '@phone' },
    async ({ page }) => {
      await orderKite(page, await signUpInKenya(page))
      await page.goto('/cart')
      await page.getByRole('button', { name: 'Put back into the cart' }).click()
      const button = summary(page).getByRole('button', { name: 'Proceed to checkout' })

      await expect(async () => {
        await quantity(page, 'Red kite').fill('9999')
        await quantity(page, 'Red kite').press('Enter')
        const message = (await toastOf(page, 'left').first().boundingBox())!
        expect(message.y + message.height).toBeLessThan((await button.boundingBox())!.y)
      }).toPass()
    },
  )
})

test.describe('a quantity', { tag: '@desktop' }, () => {
  test('can be typed, up to the stock', async ({ page }) => {
    await fillCart(page, await signUpInKenya(page), { train: 1, wagon: 1 })
    await page.goto('/cart')

    await quantity(page, 'Wooden wagon').fill('37')
    await quantity(page, 'Wooden wagon').press('Enter')
    await expect(summary(page)).toContainText('38 items')
    await expect(toastOf(page, 'Quantity updated')).toBeVisible()
    await quantity(page, 'Wooden train').fill('9')
    await quantity(page, 'Wooden train').blur()

    await expect(toastOf(page, 'Only 4 left')).toBeVisible()
    await expect(quantity(page, 'Wooden train')).toHaveValue('4')
    await quantity(page, 'Wooden wagon').fill('0')
    await quantity(page, 'Wooden wagon').press('Enter')
    await expect(toastOf(page, 'Quantities are whole numbers from 1')).toBeVisible()
    await expect(quantity(page, 'Wooden wagon')).toHaveValue('37')
    let increased = 0
    const [increasing = ''] = increaseQuantity.path.split(':')
    page.on('response', answer => (increased += answer.url().includes(increasing) ? 1 : 0))
    await quantity(page, 'Wooden wagon').press('ArrowUp')
    await quantity(page, 'Wooden wagon').press('ArrowUp')
    await expect(summary(page)).toContainText('43 items')
    await expect.poll(() => increased).toBe(2)
    await page.reload()
    await expect(quantity(page, 'Wooden wagon')).toHaveValue('39')
    await quantity(page, 'Wooden wagon').fill('5')
    await quantity(page, 'Wooden wagon').press('ArrowUp')
    await expect(quantity(page, 'Wooden wagon')).toHaveValue('6')
    await expect(summary(page)).toContainText('10 items')
  })
})

test.describe('sold-out lines', () => {
  test('are grey, and can be moved to the wishlist or removed together', async ({ page }) => {
    await fillCart(page, await signUpInKenya(page), { kite: 1, bulb: 2, lamp: 1 })
    await page.route(routeOf(getCart), async route => {
      const cart = (await (await route.fetch()).json()) as WireCart
      const [toys, lights] = cart.card_products
      const gone = (lights ?? toys!).products.map(each => ({ ...each, productInfo: { ...each.productInfo, stock: 0 } }))
      await route.fulfill({ json: { ...cart, card_products: lights ? [toys] : [], outOfStockProduct: gone } })
    })
    await page.goto('/cart')
    const soldOut = page.getByRole('region', { name: 'Out of stock 2' })

    await expect(soldOut).toContainText('Out of Stock')
    await expect(soldOut.getByRole('spinbutton')).toHaveCount(0)
    await expect(soldOut).not.toContainText('ship')
    await expectAccessible(page)
    await page.unrouteAll({ behavior: 'wait' })
    await soldOut.getByRole('button', { name: 'Remove all' }).click()

    await expect(page.getByRole('status').filter({ hasText: '2 products' })).toContainText('Removed from cart')
    await expect(soldOut).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(line(page, 'Warm bulb')).toBeVisible()
    await expect(line(page, 'Desk lamp')).toBeVisible()
  })

  test('move to the wishlist', { tag: '@desktop' }, async ({ page }) => {
    await fillCart(page, await signUpInKenya(page), { kite: 1 })
    let isMoved = false
    page.on('request', request => (isMoved ||= request.method() === 'DELETE'))
    await page.route(routeOf(getCart), async route => {
      const cart = (await (await route.fetch()).json()) as WireCart
      if (isMoved) return route.fulfill({ json: cart })
      const [toys] = cart.card_products
      const gone = toys!.products.map(each => ({ ...each, productInfo: { ...each.productInfo, stock: 0 } }))
      return route.fulfill({ json: { ...cart, card_products: [], outOfStockProduct: gone, buy_product_item: 0 } })
    })
    await page.goto('/cart')
    await expect(summary(page)).toContainText('0 items')
    await expect(summary(page)).not.toContainText(/Shipping|Free/)

    await page.getByRole('button', { name: 'Move to wishlist: Red kite' }).click()

    await expect(page.getByText('You have no items in your cart.')).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await page.unrouteAll({ behavior: 'wait' })
    await page.goto('/dashboard/my-wishlist')
    await expect(page.getByRole('main')).toContainText('Red kite')
  })
})

interface WireCart {
  card_products: { products: { productInfo: object }[] }[]
}

import type { Page } from 'playwright/test'
import { changeCartVariant, getCart } from '#contract/cart.ts'
import { apiOf, idOf, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { type SignedUp, signUp } from '#tests/support/accounts/customer.ts'
import { fillCart } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const [changePath = ''] = changeCartVariant.path.split(':')

const line = (page: Page, variant: string) => page.getByRole('listitem', { name: `Canvas sneaker (${variant})` })
const quantity = (page: Page, variant: string) =>
  page.getByRole('status', { name: `Quantity of Canvas sneaker (${variant})` })
const change = (page: Page, variant: string) => page.getByRole('button', { name: `Change Canvas sneaker (${variant})` })

/** Puts sneakers into the cart without the shop's pages, by SKU. */
async function addSneakers(page: Page, { token }: SignedUp, quantities: Record<string, number>): Promise<void> {
  const api = apiOf(page, token)
  const { product } = await api.getProduct({ id: 'sneaker' })
  for (const [sku, units] of Object.entries(quantities)) {
    const variantId = product.variants.find(variant => variant.sku === sku)?._id
    await api.addToCart({ userId: idOf(token), productId: product._id, variantId, quantity: units })
  }
}

test.describe('sizes in the cart', () => {
  test('are lines of their own, and can be changed in place, also by keyboard', async ({ page }) => {
    await addSneakers(page, await signUp(page), { 'SN-42-Blue': 1, 'SN-43-Blue': 2 })
    await page.goto('/cart')
    await expect(line(page, 'Size 42, Blue')).not.toContainText('SKU')
    await expect(quantity(page, 'Size 43, Blue')).toHaveText('2')
    await expect(line(page, 'Size 43, Blue')).toContainText('$60')

    await change(page, 'Size 42, Blue').press('Enter')
    const sizes = page.getByRole('combobox', { name: 'Size, Colour' })
    await expect(sizes).toBeFocused()
    await expect(sizes.getByRole('option', { name: 'Size 42, Blue – $20.00', selected: true })).toBeAttached()
    await expect(
      sizes.getByRole('option', { name: 'Size 43, Red – $30.00 (out of stock)', disabled: true }),
    ).toBeAttached()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(change(page, 'Size 42, Blue')).toBeFocused()
    await change(page, 'Size 42, Blue').press('Enter')
    await sizes.selectOption('Size 44, Red – $30.00')

    await expect(change(page, 'Size 44, Red')).toBeFocused()
    await expect(line(page, 'Size 44, Red')).toContainText('$30')
    await expect(line(page, 'Size 42, Blue')).toHaveCount(0)
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
  })

  test('join when they become the same', { tag: '@desktop' }, async ({ page }) => {
    await addSneakers(page, await signUp(page), { 'SN-42-Blue': 1, 'SN-43-Blue': 2 })
    await page.goto('/cart')

    await change(page, 'Size 42, Blue').click()
    await page.getByRole('combobox', { name: 'Size, Colour' }).selectOption('Size 43, Blue – $30.00')

    await expect(quantity(page, 'Size 43, Blue')).toHaveText('3')
    await expect(page.getByRole('listitem', { name: /^Canvas sneaker/ })).toHaveCount(1)
    await page.getByRole('button', { name: 'Proceed to checkout' }).click()
    await expect(line(page, 'Size 43, Blue')).toContainText('Quantity 3')
  })

  test('that arrow keys pass are not saved; the last one is ordered', { tag: '@desktop' }, async ({ page }) => {
    await addSneakers(page, await signUp(page), { 'SN-42-Blue': 1, 'SN-43-Blue': 1 })
    await page.goto('/cart')
    await change(page, 'Size 42, Blue').press('Enter')
    const sizes = page.getByRole('combobox', { name: 'Size, Colour' })
    const [first, last] = ['Size 42, Blue – $20.00', 'Size 44, Red – $30.00']
    await expect(sizes.getByRole('option', { name: first, selected: true })).toBeAttached()

    await sizes.press('End')

    await expect(sizes.getByRole('option', { name: last, selected: true })).toBeAttached()
    await expect(sizes).toBeFocused()
    await expect(line(page, 'Size 42, Blue')).toBeVisible()
    await page.getByRole('button', { name: 'Proceed to checkout' }).click()
    await expect(line(page, 'Size 44, Red')).toContainText('Quantity 1')
    await expect(line(page, 'Size 43, Blue')).toContainText('Quantity 1')
  })

  test('stay as they are with Cancel', { tag: '@desktop' }, async ({ page }) => {
    await addSneakers(page, await signUp(page), { 'SN-42-Blue': 1 })
    await page.goto('/cart')
    await change(page, 'Size 42, Blue').press('Enter')
    const sizes = page.getByRole('combobox', { name: 'Size, Colour' })
    await sizes.press('End')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()

    await expect(change(page, 'Size 42, Blue')).toBeFocused()
    await expect(sizes).toBeHidden()
    await page.reload()
    await expect(line(page, 'Size 42, Blue')).toBeVisible()
  })

  test(
    'are not joined with a line that is removed while its variant is being chosen',
    { tag: '@desktop' },
    async ({ page }) => {
      await addSneakers(page, await signUp(page), { 'SN-42-Blue': 1, 'SN-43-Blue': 2 })
      await page.goto('/cart')
      await change(page, 'Size 42, Blue').press('Enter')
      const sizes = page.getByRole('combobox', { name: 'Size, Colour' })
      await sizes.press('ArrowDown')
      await expect(sizes.getByRole('option', { name: 'Size 43, Blue – $30.00', selected: true })).toBeAttached()
      await page.getByRole('button', { name: /^Remove .*Size 42, Blue/ }).click()

      await expect(line(page, 'Size 42, Blue')).toHaveCount(0)
      await page.reload()
      await expect(quantity(page, 'Size 43, Blue')).toHaveText('2')
    },
  )

  test(
    'must be chosen for a line from before there were any, which is not ordered until then',
    { tag: ['@desktop', '@long'] },
    async ({ page }) => {
      const customer = await signUp(page)
      await addSneakers(page, customer, { 'SN-42-Blue': 2 })
      await fillCart(page, customer, { kite: 1 })
      let isChosen = false
      page.on('request', request => (isChosen ||= request.url().includes(changePath)))
      await page.route(routeOf(getCart), async route => {
        const cart = (await (await route.fetch()).json()) as WireCart
        const [sneakers, kites] = cart.card_products
        const [{ variant, productInfo, ...rest }] = sneakers.products
        if (isChosen) return route.fulfill({ json: cart })
        const open = { ...rest, productInfo: { ...productInfo, stock: 0 } }
        return route.fulfill({
          json: { ...cart, card_products: [kites], outOfStockProduct: [open], buy_product_item: 1 },
        })
      })
      await page.goto('/cart')
      const waiting = page.getByRole('region', { name: 'Waiting for your choice 1' })
      await expect(waiting).toContainText('Canvas sneaker')
      await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('1 item')
      await expect(waiting.getByRole('combobox')).toBeVisible()
      expect(await axe(page)).toEqual([])
      await page.goto('/shipping')
      await expect(
        page.getByText('Not in this order, because you have not chosen which: Canvas sneaker.'),
      ).toBeVisible()
      await page.goBack()

      await waiting
        .getByRole('combobox', { name: 'Please choose Size and Colour' })
        .selectOption('Size 43, Blue – $30.00')

      await expect(quantity(page, 'Size 43, Blue')).toHaveText('2')
      await expect(change(page, 'Size 43, Blue')).toBeFocused()
      await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('3 items')
    },
  )

  test('that all wait for a choice send the checkout back to the cart', { tag: '@desktop' }, async ({ page }) => {
    await addSneakers(page, await signUp(page), { 'SN-42-Blue': 1 })
    await page.route(routeOf(getCart), async route => {
      const cart = (await (await route.fetch()).json()) as WireCart
      const [{ variant, productInfo, ...rest }] = cart.card_products[0].products
      const open = { ...rest, productInfo: { ...productInfo, stock: 0 } }
      return route.fulfill({ json: { ...cart, card_products: [], outOfStockProduct: [open], buy_product_item: 0 } })
    })

    await page.goto('/shipping')

    await expect(page.getByText('Nothing in your cart can be ordered right now.')).toBeVisible()
    await page.getByRole('link', { name: 'See your cart' }).click()
    await expect(page.getByRole('region', { name: 'Waiting for your choice 1' })).toBeVisible()
  })
})

/** The cart as the provider sends it, as far as it is changed here. */
interface WireCart {
  card_products: [sneakers: Group, kites: Group]
}

interface Group {
  products: [{ variant: object; productInfo: object }]
}

import type { Locator } from 'playwright/test'
import { signUp } from '#tests/support/accounts/customer.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { testWithShop } from '#tests/support/provider/own-shop.ts'

const test = testWithShop(async db => {
  const variants = ['Blue', 'Red'].map(colour => ({ options: [['Colour', colour]] as [string, string][], stock: 5 }))
  await addProduct(db, { slug: 'scarf', variants })
})

const ground = (box: Locator) => box.evaluate(element => getComputedStyle(element).backgroundColor)

test.describe.configure({ mode: 'default' })

test.describe('forced colours', { tag: '@desktop' }, () => {
  test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: 'active' }))

  test('mark the chosen colour of a product, and show all of its colours', async ({ page }) => {
    await page.goto('/product/details/scarf')
    const radio = (name: string) => page.getByRole('radio', { name, exact: true })
    await radio('Red').check()

    expect(await ground(radio('Red'))).not.toBe(await ground(radio('Blue')))
    const swatches = page.getByRole('group', { name: 'Colour' }).locator('[style]')
    await expect(swatches.nth(0)).toHaveCSS('background-color', 'rgb(0, 0, 255)')
    await expect(swatches.nth(1)).toHaveCSS('background-color', 'rgb(255, 0, 0)')
  })

  test('mark the current step of the checkout', async ({ page }) => {
    await signUp(page)
    await page.goto('/shipping?buy=scarf')
    const number = (step: string) =>
      page.getByRole('list', { name: 'Checkout' }).getByRole('listitem').filter({ hasText: step }).locator('span')

    await expect(number('Address')).toHaveCSS('outline-style', 'solid')
    await expect(number('Review')).toHaveCSS('outline-style', 'none')
  })
})

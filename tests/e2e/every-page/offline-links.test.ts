import type { Page } from 'playwright/test'
import { VISITOR_CURRENCY_KEY } from '#lib/currency.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { button, test } from '#tests/support/browser/offline.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'

/** Opens a page and does something there, as shoppers do before they click a link. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await settled(page)
  await page.keyboard.press('Shift')
  // Stored by the code that the first activity loads.
  await page.waitForFunction(key => localStorage.getItem(key), VISITOR_CURRENCY_KEY)
}

test.describe('offline, what leads to another page says so, and the page stays:', { tag: '@desktop' }, () => {
  test('in a list', async ({ page, faults, expectMessages }) => {
    faults.allow(/dynamically imported module/)
    const main = page.getByRole('main')
    const shoe = main.getByRole('article').filter({ hasText: 'Canvas sneaker' })
    const choose = shoe.getByRole('link', { name: 'Choose options' })
    await visit(page, '/products?category=Shoes')

    await expectMessages([
      ['Choose options', () => choose.click()],
      ['a product', () => shoe.getByRole('link', { name: 'Canvas sneaker', exact: true }).click()],
      ['its shop', () => shoe.getByRole('link', { name: 'Soft Soles' }).click()],
      ['the login', () => page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()],
    ])

    await expect(page).toHaveURL('/products?category=Shoes')
    await expect(choose).not.toHaveAttribute('aria-busy')
    await choose.click()
    await expect(page).toHaveURL(productPage('sneaker'))
  })

  test('before anything else was done there: the order of a list', async ({ page, expectMessages }) => {
    await page.goto('/products')
    const sort = page.getByRole('combobox', { name: 'Sort by' })

    await expectMessages([['another order', () => sort.selectOption('Newest')]])

    await expect(page).toHaveURL('/products')
    await sort.selectOption('Best rated')
    await expect(page).toHaveURL(/sortPrice=best-rated/)
  })

  test('among the reviews of a product', async ({ page, faults, expectMessages }) => {
    faults.allow(/dynamically imported module/)
    const pages = page.getByRole('navigation', { name: 'Pages of reviews' })
    await visit(page, `${productPage('well-known')}#reviews`)

    await expectMessages([
      ['Helpful', () => button(page, 'Helpful').first().click()],
      ['the next page', () => pages.getByRole('link', { name: 'Page 2' }).click()],
      ['the next page again', () => pages.getByRole('link', { name: 'Page 2' }).click()],
    ])

    await expect(page).toHaveURL(`${productPage('well-known')}#reviews`)
    await pages.getByRole('link', { name: 'Page 2' }).click()
    await expect(page).toHaveURL(/\?reviews=2/)
  })

  test('on the home page', async ({ page, expectMessages }) => {
    await visit(page, '/')
    await expectMessages([
      [
        'See all',
        () =>
          page
            .getByRole('main')
            .getByRole('link', { name: /^See all/ })
            .first()
            .click(),
      ],
    ])
    await expect(page).toHaveURL('/')
  })
})

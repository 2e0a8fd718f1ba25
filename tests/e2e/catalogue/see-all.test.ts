import { expect, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'

const LISTS = [
  { page: '/', list: 'Top selling products', link: 'See all products', leadsTo: '/products', order: '' },
  { page: '/', list: 'Latest Product', link: 'See all Latest Product', order: 'newest' },
  { page: '/', list: 'Top Rated Products', link: 'See all Top Rated Products', order: 'best-rated' },
  {
    page: '/',
    list: 'On discount',
    link: 'See all On discount',
    leadsTo: '/products?discount=1&sortPrice=biggest-discount',
    order: 'biggest-discount',
  },
  { page: '/products', list: 'Latest Products', link: 'See all new products', order: 'newest' },
  { page: PRODUCT, list: 'Related Products', link: 'See all of Audio', leadsTo: '/products?category=Audio', order: '' },
]

for (const { page: path, list, link, order, leadsTo = `/products?sortPrice=${order}` } of LISTS)
  test(`'${list}' on ${path} leads to all of them, in its order`, { tag: '@desktop' }, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: list, exact: true })).toBeVisible()

    await page.getByRole('link', { name: link, exact: true }).click()

    await expect(page).toHaveURL(leadsTo)
    await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue(order)
  })

test('the featured shops on the home page lead to all shops', { tag: '@desktop' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'See all stores', exact: true }).click()

  await expect(page).toHaveURL('/stores')
})

test('the categories on the home page lead to all of them', { tag: '@desktop' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'See all categories', exact: true }).click()

  await expect(page).toHaveURL('/categories')
})

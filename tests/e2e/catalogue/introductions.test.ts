import { expect, test } from '#tests/support/browser/e2e.ts'
import { shownTotal } from '#tests/support/browser/listing.ts'

test.describe('a category', () => {
  test.use({ javaScriptEnabled: false })

  test('is introduced by a line above its products and a text below them', async ({ page }) => {
    await page.goto('/products?category=Shoes')

    await expect(page.getByRole('main').getByText('Running shoes, boots and sandals')).toBeInViewport()
    await expect(page.getByRole('article').first()).toBeInViewport()
    const about = page.getByRole('region', { name: 'About Shoes' })
    await expect(about).not.toBeInViewport()
    await about.getByRole('link', { name: 'return and refund policy' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Return and refund policy')
  })

  test('is not introduced again on later pages and in filtered lists', { tag: '@desktop' }, async ({ page }) => {
    for (const query of ['pageNumber=2', 'rating=4', 'option.size=43']) {
      await page.goto(`/products?category=Shoes&${query}`)

      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shoes')
      await expect(page.getByRole('region', { name: 'About Shoes' })).toHaveCount(0)
      await expect(page.getByRole('region', { name: 'Shops with Shoes' })).toHaveCount(0)
    }
  })

  test('names its shops, which it leads to', async ({ page }) => {
    await page.goto('/products?category=Clothing')
    const shops = page.getByRole('region', { name: 'Shops with Clothing' }).getByRole('listitem')
    const total = await shownTotal(page)
    const counts = (await shops.allInnerTexts()).map(text => Number(/\((\d+)\)$/.exec(text)?.[1]))
    expect(counts.length).toBeGreaterThan(1)
    expect(counts.reduce((sum, count) => sum + count)).toBe(total)

    const name = await shops.first().locator('bdi').innerText()
    await shops.first().getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  })
})

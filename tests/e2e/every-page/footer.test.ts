import { expect, test } from '#tests/support/browser/e2e.ts'

test.describe('the footer', { tag: '@desktop' }, () => {
  test('leads to the categories, the shop’s lists and the help pages', async ({ page }) => {
    await page.goto('/return-refund-policy')
    const footer = page.getByRole('contentinfo')
    for (const [name, href] of [
      ['All products', '/products'],
      ['Stores', '/stores'],
      ['New', '/products?sortPrice=newest'],
      ['On sale', '/products?discount=1&sortPrice=biggest-discount'],
      ['Return and refund policy', '/return-refund-policy'],
    ] as const)
      await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)

    await footer.getByRole('button', { name: 'Categories' }).click()
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Bags' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bags')
  })

  test('names the ways to pay', async ({ page }) => {
    await page.goto('/')

    const marks = page.getByRole('contentinfo').getByRole('list', { name: 'Ways to pay' }).getByRole('listitem')
    await expect(marks).toHaveText(['Card', 'Mobile money', 'USSD'])
  })
})

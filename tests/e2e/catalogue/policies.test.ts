import { expect, test } from '#tests/support/browser/e2e.ts'

test.describe('policies', () => {
  for (const [short, path] of [
    ['/terms', '/terms-and-conditions'],
    ['/privacy', '/privacy-policy'],
  ] as const) {
    test(`${short} leads to ${path}`, { tag: '@desktop' }, async ({ page }) => {
      await page.goto(short)

      await expect(page).toHaveURL(path)
    })
  }

  test('say what the marketplace promises', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/return-refund-policy')
    await expect(page.getByRole('article')).toContainText('30 days')
    await expect(page.getByRole('article')).toContainText(/5.7 business days/)
    const paragraph = page.getByRole('article').getByText('Some things cannot come back')
    expect(await paragraph.evaluate(element => getComputedStyle(element).marginTop)).not.toBe('0px')

    await page.goto('/terms-and-conditions')
    await expect(page.getByRole('article')).toContainText('18 or older')
  })

  test('show tables, small headings and pictures in their own style', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/about-us')
    // No page of the shop has them, but an editor's may.
    await page.locator('.policy').evaluate(policy => {
      policy.innerHTML = `<h3>Sizes</h3><div><table><tr><th>Size</th><td>43</td></tr></table></div>
        <img src="/favicon.svg" alt="A stall" width="32" height="32">`
    })
    const article = page.getByRole('article')

    await expect(article.getByRole('heading', { name: 'Sizes' })).toHaveCSS('font-size', '19px')
    await expect(article.getByRole('cell', { name: '43' })).toHaveCSS('padding-left', '14px')
    await expect(article.getByRole('img', { name: 'A stall' })).toHaveCSS('border-radius', '16px')
  })
})

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
})

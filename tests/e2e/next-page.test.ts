import { expect, test } from '#tests/support/e2e.ts'

test.describe('the next page', { tag: '@desktop' }, () => {
  test('is fetched while the pointer rests on its link', async ({ page }) => {
    const ahead: string[] = []
    page.context().on('request', request => {
      if (request.headers()['sec-purpose']?.includes('prefetch')) ahead.push(new URL(request.url()).pathname)
    })
    await page.goto('/about-us')

    await page.getByRole('link', { name: 'Terms' }).first().hover()

    await expect.poll(() => ahead).toEqual(['/terms-and-conditions'])
  })
})

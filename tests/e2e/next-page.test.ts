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

  test('fades in, unless somebody asked for less motion', async ({ page }) => {
    await page.addInitScript(() =>
      addEventListener('pagereveal', ({ viewTransition }) => {
        document.documentElement.dataset.turn = String(viewTransition !== null)
      }),
    )
    await page.goto('/about-us')

    await page.getByRole('link', { name: 'Terms' }).first().click()
    await expect(page).toHaveURL('/terms-and-conditions')
    await expect(page.locator('html')).toHaveAttribute('data-turn', 'true')
    await page.goBack()
    await expect(page).toHaveURL('/about-us')
    await expect(page.locator('html')).toHaveAttribute('data-turn', 'true')

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await page.getByRole('link', { name: 'Terms' }).first().click()
    await expect(page).toHaveURL('/terms-and-conditions')
    await expect(page.locator('html')).toHaveAttribute('data-turn', 'false')
  })
})

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

  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const fades = reducedMotion === 'no-preference'
    test(`${fades ? 'takes' : 'does not take'} the place of this one softly: ${reducedMotion}`, async ({ page }) => {
      await page.addInitScript(() =>
        addEventListener('pagereveal', ({ viewTransition }) =>
          Object.assign(window, { fades: viewTransition !== null }),
        ),
      )
      await page.emulateMedia({ reducedMotion })
      await page.goto('/about-us')

      await page.getByRole('link', { name: 'Terms' }).first().click()

      await expect(page).toHaveURL('/terms-and-conditions')
      await expect.poll(() => page.evaluate(() => 'fades' in window && window.fades)).toBe(fades)
      // Whoever is quick need not wait for it.
      await page.getByRole('link', { name: 'Privacy' }).first().click()
      await expect(page).toHaveURL('/privacy-policy')
    })
  }
})

import type { Page } from 'playwright/test'
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

  test('comes without a flash, and not at all in motion for who wants none', async ({ page }) => {
    await page.addInitScript(() => {
      addEventListener('pagereveal', event => {
        document.documentElement.dataset.transition = String(Boolean(event.viewTransition))
      })
    })
    await page.goto('/about-us')
    await follow(page)
    await expect(page.locator('html')).toHaveAttribute('data-transition', 'true')

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/about-us')
    await follow(page)
    await expect(page.locator('html')).toHaveAttribute('data-transition', 'false')
  })
})

async function follow(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Terms' }).first().click()
  await expect(page).toHaveURL(/terms-and-conditions/)
}

import type { Page } from 'playwright/test'
import { REVIEWS_PER_PAGE } from '#contract/rules.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { foreignElements } from '#tests/support/browser/injected-nodes.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'
import { XSS_TEXTS } from '#tests/support/faults/xss.ts'

const reviews = (page: Page) => page.getByRole('group', { name: /^Reviews, page/ })

/** Elements that no normal review contains. */
const foreign = (page: Page) => foreignElements(reviews(page), 'div, ul, li, nav, a, p, span, time, ol, button, h2, h3')

test.describe('reviews that contain scripts', { tag: ['@desktop', '@long'] }, () => {
  test('are plain text, each of them, for every visitor', async ({ page }) => {
    const shown: string[] = []
    for (let number = 1; number <= Math.ceil(XSS_TEXTS.length / REVIEWS_PER_PAGE); number += 1) {
      await page.goto(`${productPage('target')}?reviews=${number}#reviews`)
      await expect(reviews(page)).toBeVisible()
      expect(await foreign(page).count()).toBe(0)
      shown.push(...(await reviews(page).locator('li > p[dir]').allTextContents()))
    }

    expect(shown.toSorted()).toEqual(XSS_TEXTS.toSorted())
  })

  test('are plain text for their author, too', async ({ page }) => {
    await signUp(page)
    await page.goto(`${productPage('ball')}#reviews`)
    const form = page.getByRole('form', { name: 'Your review' })
    for (const text of XSS_TEXTS.slice(0, 3)) {
      const fiveStars = form.getByRole('radio', { name: '5 stars' })
      // A disabled one ignores the key: the form takes no choice until the review before is stored.
      await expect(fiveStars).toBeEnabled()
      await fiveStars.press('Space')
      await form.getByLabel('Your review').fill(text)
      await form.getByRole('button', { name: 'Submit review' }).click()

      await expect(reviews(page)).toContainText(text)
      expect(await foreign(page).count()).toBe(0)
    }
  })
})

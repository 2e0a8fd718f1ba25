import type { Page } from 'playwright/test'
import { holdBack } from '#tests/support/browser/calls.ts'
import { register } from '#tests/support/accounts/customer.ts'
import { expect, expectAccessible } from '#tests/support/browser/e2e.ts'
import { fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { market } from '#tests/support/provider/market.ts'
import { DISCUSSED, productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const review = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

test('a click on Helpful before the page’s script has loaded is kept', { tag: '@desktop' }, async ({ page }) => {
  const { release } = await holdBack(page, '**/_astro/*.js')
  await page.goto(`${productPage(DISCUSSED[0]!)}#reviews`, { waitUntil: 'commit' })

  await review(page, 'Much').getByRole('button', { name: 'Helpful' }).click()

  release()
  await expect(page).toHaveURL(/\/login\?next=/)
})

test('a review gets votes, a report and an answer', { tag: '@desktop' }, async ({ page, request, shop }, { retry }) => {
  const slug = DISCUSSED[retry]!
  const path = productPage(slug)
  const { email, password } = await register(request, 'Grace Hopper')
  await page.goto(`${path}?reviewSort=lowest#reviews`)
  const much = review(page, 'Much').getByRole('button', { name: 'Helpful' })
  await much.click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await fill(page, { Email: email, Password: password })
  await submit(page, 'Log in').click()
  await expect(page).toHaveURL(`${path}?reviewSort=lowest#reviews`)
  await expect(much).toHaveText('Helpful (1)')
  await expect(much).toHaveAttribute('aria-pressed', 'true')
  await much.click()
  await expect(much).toHaveText('Helpful')

  await page.goto(`${path}#reviews`)
  const helpful = review(page, 'Seldom').getByRole('button', { name: 'Helpful' })

  await helpful.click()

  await expect(helpful).toHaveText('Helpful (1)')
  await expect(helpful).toHaveAttribute('aria-pressed', 'true')
  expect(await (await page.request.get(path)).text()).toContain('(1)')
  await page.reload()
  await expect(helpful).toHaveText('Helpful (1)')
  await page.getByRole('form', { name: 'Your review' }).getByLabel('Your review').focus()
  await expect(helpful).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('link', { name: 'Most helpful' }).click()
  await expect(
    page
      .getByRole('group', { name: /^Reviews, page/ })
      .getByRole('listitem')
      .nth(4),
  ).toContainText('Seldom')
  await expect(helpful).toHaveAttribute('aria-pressed', 'true')
  await helpful.click()
  await expect(helpful).toHaveText('Helpful')

  await review(page, 'Much').getByRole('button', { name: 'Report' }).click()
  await expect(toastOf(page, 'Thank you. We will look into it')).toBeVisible()
  expect(await market(shop, 'review', 'reports')).toContain('Much discussed')
  await market(shop, 'review', 'answer', `much-${slug}`, 'So it is.')
  await page.goto(`${path}#reviews`)
  await expect(review(page, 'Much')).toContainText('So it is.')
  await expect(review(page, 'Much').getByText(/^\s*Ada Shop\s+answered on [A-Z][a-z]{2} \d+, \d{4}\s*$/)).toBeVisible()
  await expectAccessible(page)
})

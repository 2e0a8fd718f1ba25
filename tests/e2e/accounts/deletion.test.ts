import type { Page } from 'playwright/test'
import { signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, overflowing } from '#tests/support/browser/e2e.ts'
import { expectWrong, fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const noticeOn = (page: Page) => page.getByRole('region', { name: /^Your account will be deleted on/ })

test(
  'a customer deletes their account, logs in again and keeps it',
  { tag: ['@phone', '@long'] },
  async ({ page, faults }) => {
    faults.expect(/^422 /).expect(/status of 422/)
    const { email, password } = await signUp(page)
    await page.goto('/dashboard/account')
    await submit(page, 'Delete my account …').click()
    await expect(page.getByLabel('Your password', { exact: true })).toBeFocused()
    await fill(page, { 'Your password': 'not it' })
    await submit(page, 'Delete my account').click()
    await expectWrong(page, 'Your password', 'This is not your current password')
    expect(await axe(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
    await fill(page, { 'Your password': password })
    await submit(page, 'Delete my account').click()

    await expect(toastOf(page, 'Your account will be deleted on')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('customerToken'))).toBeNull()
    await page.goto('/login?next=%2Fdashboard%2Faccount')
    await fill(page, { Email: email, Password: password })
    await submit(page, 'Log in').click()
    const notice = noticeOn(page)
    await expect(notice).toBeVisible()
    expect(await axe(page)).toEqual([])
    await notice.getByRole('button', { name: 'Keep my account' }).click()

    await expect(toastOf(page, 'Your account stays')).toBeVisible()
    await expect(notice).toBeHidden()
    await expect(page.getByRole('main')).toBeFocused()
  },
)

test('a customer who goes on shopping keeps their account on the dashboard', { tag: '@desktop' }, async ({ page }) => {
  const { email, password } = await signUp(page)
  await page.goto('/dashboard/account')
  await submit(page, 'Delete my account …').click()
  await fill(page, { 'Your password': password })
  await submit(page, 'Delete my account').click()
  await expect(toastOf(page, 'Your account will be deleted on')).toBeVisible()
  await page.goto('/login?next=%2Fdashboard')
  await fill(page, { Email: email, Password: password })
  await submit(page, 'Log in').click()

  await noticeOn(page).getByRole('button', { name: 'Keep my account' }).click()

  await expect(toastOf(page, 'Your account stays')).toBeVisible()
  await expect(noticeOn(page)).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
})

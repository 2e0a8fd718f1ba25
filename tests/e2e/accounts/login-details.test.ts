import type { Page } from 'playwright/test'
import { newcomer, signUp } from '#tests/support/accounts/customer.ts'
import { expect, expectAccessible, measureShifts } from '#tests/support/browser/e2e.ts'
import { expectWrong, fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { linkMailedTo } from '#tests/support/provider/mailed-links.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const NEW_PASSWORD = 'Better-Horse-10'

const details = (page: Page) => page.getByRole('region', { name: 'Login details' })
const change = (page: Page, what: string) => details(page).getByRole('button', { name: `Change ${what}` })

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await fill(page, { Email: email, Password: password })
  await submit(page, 'Log in').click()
}

test('a customer changes their name, and the page shows it at once', async ({ page }) => {
  await signUp(page, 'Ada')
  const shifts = await measureShifts(page)
  await page.goto('/dashboard/account')
  await expect(details(page).getByText('Ada', { exact: true })).toBeVisible()
  expect(await shifts()).toEqual({ sum: 0, moved: [] })

  await change(page, 'name').click()
  const name = page.getByLabel('New name')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Ada')
  await name.fill('A')
  await submit(page, 'Save name').click()
  await expectWrong(page, 'New name', 'Name must be at least 2 characters')
  await expectAccessible(page)

  const sent: string[] = []
  page.on('request', request => void (request.url().endsWith('/customer/name') && sent.push(request.method())))
  await name.fill('Ada Lovelace')
  await submit(page, 'Save name').dblclick()

  await expect(toastOf(page, 'Your name is changed')).toBeVisible()
  await expect(details(page).getByText('Ada Lovelace')).toBeVisible()
  await expect(change(page, 'name')).toBeFocused()
  expect(sent).toEqual(['PUT'])
  await page.reload()
  await expect(details(page).getByText('Ada Lovelace')).toBeVisible()
})

test(
  'a customer changes their email address by the link mailed to it',
  { tag: ['@desktop', '@long'] },
  async ({ page, shop, faults }) => {
    faults.expect(/^422 /).expect(/status of 422/)
    const { email, password } = await signUp(page)
    const { email: newEmail } = newcomer()
    await page.goto('/dashboard/account')
    await change(page, 'email').click()
    await fill(page, { 'New email': newEmail, 'Current password': 'not it' })
    await submit(page, 'Send a link').click()
    await expectWrong(page, 'Current password', 'This is not your current password')
    await expectAccessible(page)
    await fill(page, { 'Current password': password })
    await submit(page, 'Send a link').click()

    await expect(toastOf(page, `We have sent a link to ${newEmail}`)).toBeVisible()
    await expect(details(page).getByText(`mailed to ${newEmail}`)).toBeVisible()
    await expect(details(page).getByText(email, { exact: true })).toBeVisible()
    await expectAccessible(page)

    await page.goto(await linkMailedTo(shop, newEmail, '/confirm-email'))
    await expect(page.getByText('Your email address is confirmed. Thank you!')).toBeVisible()
    await page.goto('/dashboard/account')
    await expect(details(page).getByText(newEmail, { exact: true })).toBeVisible()
    await expect(details(page).getByText(/mailed to/)).toBeHidden()
  },
)

test('a customer keeps the old address after all', { tag: '@desktop' }, async ({ page }) => {
  const { email, password } = await signUp(page)
  await page.goto('/dashboard/account')
  await change(page, 'email').click()
  await fill(page, { 'New email': newcomer().email, 'Current password': password })
  await submit(page, 'Send a link').click()
  await page.getByRole('button', { name: 'Keep the old address' }).click()

  await expect(toastOf(page, 'Your email address stays as it is')).toBeVisible()
  await expect(details(page).getByText(/mailed to/)).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(details(page).getByText(email)).toBeVisible()
})

test(
  'a customer changes their password and stays signed in',
  { tag: ['@desktop', '@long'] },
  async ({ page, browser, shop }) => {
    const { email, password } = await signUp(page)
    const elsewhere = await browser.newContext({ baseURL: shop.url })
    const other = await elsewhere.newPage()
    await logIn(other, email, password)
    await expect(other).toHaveURL('/')

    await page.goto('/dashboard/account')
    await change(page, 'password').click()
    await fill(page, { 'Current password': password, 'New password': 'short' })
    await submit(page, 'Save password').click()
    await expectWrong(page, 'New password', 'Password must be at least 8 characters')
    await expectAccessible(page)
    await fill(page, { 'New password': NEW_PASSWORD })
    await submit(page, 'Save password').click()
    await expect(toastOf(page, 'all other devices have been logged out')).toBeVisible()
    await page.reload()
    await expect(details(page).getByText(email)).toBeVisible()

    await other.goto('/dashboard')
    await expect(other).toHaveURL(/\/login/)
    await fill(other, { Email: email, Password: NEW_PASSWORD })
    await submit(other, 'Log in').click()
    await expect(other).toHaveURL(/\/dashboard/)
    await elsewhere.close()
  },
)

import { forgotPassword, resetPassword } from '#contract/auth.ts'
import { accountNotice } from '#server/mail/account-letters.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, test } from '#tests/support/browser/e2e.ts'
import { autocompletes, expectWrong, field, fill, submit, toastOf } from '#tests/support/browser/forms.ts'

test(
  'the forgotten-password form requires an email address, shows errors, and says where to look',
  { tag: '@phone' },
  async ({ page, faults }) => {
    faults
      .expect(/^429 /)
      .expect(/^500 /)
      .expect(/status of/)
    await page.goto('/resetpassword')
    await expect(page).toHaveURL('/forgotpassword')
    await expect(toastOf(page, 'Invalid or missing reset token')).toBeVisible()
    expect(await autocompletes(page)).toEqual({ email: 'username' })

    await submit(page, 'Reset Password').click()
    await expect(toastOf(page, 'Please enter your email address')).toBeVisible()
    await expectWrong(page, 'Email', 'Please enter your email address')

    await field(page, 'Email').fill('ada@piazza.example')
    for (const [answer, text] of [
      [{ status: 429, json: { error: 'Too often, try again later' } }, 'Too often, try again later'],
      [{ status: 500, body: 'oops' }, 'An error occurred'],
      [{ json: { message: 'We have sent a link' } }, 'We have sent a link'],
    ] as const) {
      await page.route(`**/api${forgotPassword.path}`, route => route.fulfill(answer), { times: 1 })

      await submit(page, 'Reset Password').click()

      await expect(toastOf(page, text)).toBeVisible()
      await expect(field(page, 'Email')).toHaveValue('ada@piazza.example')
    }
    await expect(page.getByText(/^Check your inbox/)).toBeVisible()
    expect(await axe(page)).toEqual([])
  },
)

test(
  'the mail about a changed password names the link of the login page that helps',
  { tag: '@phone' },
  async ({ page }) => {
    const [, name] = /“([^”]+)” on the login page/.exec(accountNotice({ kind: 'passwordChanged' }).text)!
    await page.goto('/login')

    await page.getByRole('main').getByRole('link', { name, exact: true }).click()

    await expect(page).toHaveURL('/forgotpassword')
  },
)

test.describe('a new password', { tag: '@desktop' }, () => {
  const LINK = '/resetpassword?token=a-token-from-a-mail'
  const NEW = 'Piazza-2026!'

  test('shows validation errors and server errors', async ({ page, faults }) => {
    faults
      .expect(/^422 /)
      .expect(/^502 /)
      .expect(/status of/)
    await page.goto(LINK)
    expect(await autocompletes(page)).toEqual({ password: 'new-password', confirmation: 'new-password' })

    for (const [password, confirmation, message, label] of [
      ['', '', 'Please fill in all fields', 'New password'],
      [NEW, '', 'Please fill in all fields', 'Confirm password'],
      [NEW, 'Piazza', 'Passwords do not match', 'Confirm password'],
      ['Short1!', 'Short1!', 'Password must be at least 8 characters long', 'New password'],
      ['piazza-2026!', 'piazza-2026!', 'Password must contain at least one uppercase letter', 'New password'],
    ] as const) {
      await fill(page, { 'New password': password, 'Confirm password': confirmation })
      await submit(page, 'Save new password').click()

      await expect(toastOf(page, message).first()).toBeVisible()
      await expectWrong(page, label, message)
    }
    expect(await axe(page)).toEqual([])

    await fill(page, { 'New password': 'Piazza-2025!', 'Confirm password': NEW })
    await field(page, 'New password').focus()
    await expectWrong(page, 'Confirm password', 'Passwords do not match')
    await fill(page, { 'New password': NEW })
    await submit(page, 'Save new password').focus()
    await expect(field(page, 'Confirm password')).not.toHaveAttribute('aria-invalid')

    await fill(page, { 'New password': NEW, 'Confirm password': NEW })
    for (const [answer, text] of [
      [{ status: 422, json: { error: 'Invalid or expired token' } }, 'Invalid or expired token'],
      [{ status: 502, body: 'oops' }, 'An error occurred'],
    ] as const) {
      await page.route(`**/api${resetPassword.path}`, route => route.fulfill(answer), { times: 1 })

      await submit(page, 'Save new password').click()

      await expect(toastOf(page, text)).toBeVisible()
      await expect(page.getByRole('link', { name: 'Ask for a new one' })).toHaveAttribute('href', '/forgotpassword')
    }
  })

  test('removes the token from the address, keeps it out of referrers, and keeps it for a reload', async ({ page }) => {
    const told: string[] = []
    page.on('request', request => told.push(request.headers().referer ?? '', request.url()))
    let sent: unknown
    await page.route(`**/api${resetPassword.path}`, route => {
      sent = route.request().postDataJSON()
      return route.fulfill({ json: { message: 'Password reset success' } })
    })
    // The new password also ends this browser’s session.
    await signUp(page)

    await page.goto(LINK)
    await expect(page).toHaveURL('/resetpassword')
    await page.reload()
    await fill(page, { 'New password': NEW, 'Confirm password': NEW })
    await submit(page, 'Save new password').click()

    await expect(page).toHaveURL('/login')
    await expect(toastOf(page, 'Password reset success')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('customerToken'))).toBeNull()
    expect(sent).toEqual({ token: 'a-token-from-a-mail', newPassword: NEW })
    expect(told.filter(text => text.includes('a-token'))).toHaveLength(1)
  })
})

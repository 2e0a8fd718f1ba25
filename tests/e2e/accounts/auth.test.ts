import { login } from '#contract/auth.ts'
import { holdBack } from '#tests/support/browser/calls.ts'
import { axe, expect, hydrated, NARROWEST, overflowing, test } from '#tests/support/browser/e2e.ts'
import { newcomer, register } from '#tests/support/accounts/customer.ts'
import { autocompletes, expectWrong, field, fill, submit, toastOf } from '#tests/support/browser/forms.ts'

const ADDRESS_TAKEN = 'This email is already registered'
const SERVER_AWAY = 'The marketplace cannot be reached right now'

test.describe('register', { tag: '@phone' }, () => {
  const GOOD = { Name: 'Ada Lovelace', Email: 'ada@piazza.example', Password: 'Piazza-2025!' }
  const WRONG: [label: string, value: string, message: string][] = [
    ['Name', 'A', 'Name must be at least 2 characters'],
    ['Name', 'x'.repeat(51), 'Name must be less than 50 characters'],
    ['Name', 'R2 D2', 'Name can only contain letters and spaces'],
    ['Email', '', 'Email is required'],
    ['Email', 'a@b', 'Email must be at least 5 characters'],
    ['Email', `${'x'.repeat(100)}@piazza.example`, 'Email must be less than 100 characters'],
    ['Email', 'nonsense', 'Please enter a valid email address'],
    ['Password', '', 'Password is required'],
    ['Password', 'Ab1!', 'Password must be at least 8 characters'],
    ['Password', `Ab1!${'x'.repeat(97)}`, 'Password must be less than 100 characters'],
    ['Password', 'piazza-2025!', 'Password must contain at least one uppercase letter'],
    ['Password', 'PIAZZA-2025!', 'Password must contain at least one lowercase letter'],
    ['Password', 'Piazza-market!', 'Password must contain at least one number'],
    ['Password', 'Piazza2025', 'Password must contain at least one special character'],
  ]

  test('validates a field on blur and all fields on submit, and shows the first error as a toast', async ({ page }) => {
    await page.goto('/register')
    await hydrated(field(page, 'Name'))

    await field(page, 'Name').fill('A')
    await field(page, 'Email').focus()
    await expectWrong(page, 'Name', 'Name must be at least 2 characters')
    await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid')
    await field(page, 'Name').pressSequentially('d')
    await expect(field(page, 'Name')).not.toHaveAttribute('aria-invalid')

    await field(page, 'Name').fill('')
    await submit(page, 'Register').click()
    await expect(page.locator('[data-sonner-toast]')).toHaveText(['Name is required'])
    for (const label of ['Name', 'Email', 'Password']) await expectWrong(page, label, `${label} is required`)
    await expect(field(page, 'Name')).toBeFocused()
    expect(await axe(page)).toEqual([])
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])

    await field(page, 'Name').fill('Ada')
    await field(page, 'Email').focus()
    await expect(field(page, 'Name')).not.toHaveAttribute('aria-invalid')
    for (const label of ['Email', 'Password']) await expectWrong(page, label, `${label} is required`)

    for (const [label, value, message] of WRONG) {
      await fill(page, { ...GOOD, [label]: value })
      await submit(page, 'Register').click()

      await expect(page.locator('[data-sonner-toast]')).toHaveText([message])
      await expectWrong(page, label, message)
      await expect(field(page, label)).toBeFocused()
    }
    await expect(page).toHaveURL('/register')
  })

  test('shows the error for a taken email, then registers and signs in', async ({ page, request, faults }) => {
    faults.expect(/^422 .*customer-register/).expect(/status of 422/)
    const { email: taken } = await register(request)
    const { name, email, password } = newcomer('José Núñez')
    await page.goto('/register')
    const main = page.getByRole('main')
    const hrefs = await main.getByRole('link').evaluateAll(all => all.map(link => link.getAttribute('href')))
    expect(new Set(hrefs)).toEqual(new Set(['/login', '/privacy', '/terms']))
    expect(await autocompletes(page)).toEqual({ name: 'name', email: 'email', password: 'new-password' })

    await fill(page, { Name: name, Email: taken, Password: password })
    await field(page, 'Password').press('Enter')
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(1)
    await expectWrong(page, 'Email', ADDRESS_TAKEN)
    await expect(field(page, 'Name')).toHaveValue(name)
    await expect(field(page, 'Email')).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expectWrong(page, 'Email', ADDRESS_TAKEN)
    await fill(page, { Email: email })
    await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid')
    await submit(page, 'Register').click()

    await expect(page).toHaveURL('/')
    await expect(toastOf(page, 'Register success')).toBeVisible()
    const account = page.getByRole('navigation', { name: 'Account and shop' })
    await expect(account.getByRole('link', { name })).toHaveAttribute('href', '/dashboard')
  })
})

test.describe('login', () => {
  test(
    'shows errors for missing fields, a wrong password and no connection, and keeps what was typed',
    { tag: '@desktop' },
    async ({ page, request, faults }) => {
      faults
        .expect(/^422 .*customer-login/)
        .expect(/status of 422/)
        .expect(/ERR_CONNECTION_REFUSED/)
      const { email, password } = await register(request)
      await page.goto('/login')
      const main = page.getByRole('main')
      await expect(main.getByRole('link', { name: 'Reset password' })).toHaveAttribute('href', '/forgotpassword')
      await expect(main.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
      await expect(main.getByRole('link', { name: 'Merchant sign-in' })).toHaveAttribute('href', /^https:\/\//)
      expect(await autocompletes(page)).toEqual({ email: 'username', password: 'current-password' })

      await submit(page, 'Log in').click()
      await expect(page.locator('[data-sonner-toast]')).toHaveText(['Email and password are required!'])
      for (const label of ['Email', 'Password']) await expectWrong(page, label, 'Email and password are required!')
      await expect(field(page, 'Email')).toBeFocused()
      expect(await axe(page)).toEqual([])

      await fill(page, { Email: email, Password: 'Piazza-2024!' })
      await page.getByRole('button', { name: 'Show password' }).click()
      await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
      await expect(field(page, 'Password')).toBeFocused()
      await page.getByRole('button', { name: 'Hide password' }).click()
      await expect(field(page, 'Password')).toHaveAttribute('type', 'password')

      await submit(page, 'Log in').click()
      await expect(toastOf(page, 'Wrong email or password')).toBeVisible()
      await expect(field(page, 'Email')).toHaveValue(email)
      await expect(field(page, 'Password')).toHaveValue('Piazza-2024!')

      await field(page, 'Password').fill(password)
      await page.route('**/api/**', route => route.abort('connectionrefused'))
      await submit(page, 'Log in').click()
      await expect(toastOf(page, SERVER_AWAY)).toBeVisible()
      await page.unroute('**/api/**')
      await submit(page, 'Log in').click()
      await expect(page).toHaveURL('/')
    },
  )

  test(
    'works by keyboard alone and is sent once; signed-in customers are then redirected home from both forms',
    { tag: ['@desktop', '@long'] },
    async ({ page, request }) => {
      const { email, password, name } = await register(request)
      let sent = 0
      const { release } = await holdBack(page, `**/api${login.path}`, () => (sent += 1))
      await page.goto('/login')

      await page.getByRole('main').focus()
      await page.keyboard.press('Tab')
      await expect(field(page, 'Email')).toBeFocused()
      await page.keyboard.type(email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(password)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(submit(page, 'Log in')).toHaveAttribute('aria-busy', 'true')
      await submit(page, 'Log in').click({ force: true })
      await field(page, 'Password').press('Enter')
      release()

      await expect(page).toHaveURL('/')
      expect(sent).toBe(1)
      const account = page.getByRole('navigation', { name: 'Account and shop' })
      await expect(account.getByRole('link', { name }).getByText(name)).toBeVisible()
      for (const path of ['/login', '/register']) {
        await page.goto(path)
        await expect(page, path).toHaveURL('/')
      }
    },
  )

  test(
    'shows an error when its script fails to load, and handles what was typed and clicked before it loads',
    { tag: '@phone' },
    async ({ page, request, faults }) => {
      faults.expect(/ERR_FAILED/).expect(/Error hydrating/)
      const { email, password } = await register(request)
      await page.route(/_astro\/LoginForm/, route => route.abort())
      await page.goto('/login')
      await fill(page, { Email: email, Password: password })
      await submit(page, 'Log in').click()

      await expect(page.getByRole('alert')).toHaveText(/^The market cannot be reached right now/)
      await expect(page).toHaveURL('/login')
      await expect(field(page, 'Email')).toHaveValue(email)

      await page.unroute(/_astro\/LoginForm/)
      const { release } = await holdBack(page, /_astro\/LoginForm/)
      await page.goto('/login')
      await fill(page, { Email: email, Password: password })
      await submit(page, 'Log in').click()
      await expect(page).toHaveURL('/login')
      release()

      await expect(page).toHaveURL('/')
    },
  )
})

test.describe('without JavaScript', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false })

  test('every form says that it needs JavaScript', async ({ page }) => {
    for (const path of ['/login', '/register', '/forgotpassword', '/resetpassword?token=x']) {
      await page.goto(path)

      await expect(page.getByText(/needs JavaScript/), path).toBeVisible()
      await expect(page.getByRole('main').getByRole('textbox'), path).toHaveCount(0)
    }
  })
})

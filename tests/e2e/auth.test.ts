import { axe, expect, hydrated, overflowing, test } from '#tests/support/e2e.ts'
import { newcomer, register, signUp } from '#tests/support/customer.ts'
import { expectWrong, field, fill, submit, toastOf } from '#tests/support/forms.ts'

const NARROWEST = { width: 320, height: 640 }
const SERVER_AWAY = 'The marketplace cannot be reached right now'

test.describe('register', () => {
  const GOOD = { Name: 'Ada Lovelace', Email: 'ada@piazza.example', Password: 'Piazza-2025!' }

  test('says what is wrong with each field, the first as a toast', { tag: '@desktop' }, async ({ page }) => {
    const wrong: [label: string, value: string, message: string][] = [
      ['Name', '', 'Name is required'],
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
    await page.goto('/register')

    for (const [label, value, message] of wrong) {
      await fill(page, { ...GOOD, [label]: value })
      await submit(page, 'Register').click()

      await expect(toastOf(page, message)).toBeVisible()
      await expectWrong(page, label, message)
      await expect(field(page, label)).toBeFocused()
    }
    await expect(page).toHaveURL('/register')
  })

  test('says the first of several errors, and every one at its field', async ({ page }) => {
    await page.goto('/register')

    await submit(page, 'Register').click()

    await expect(page.locator('[data-sonner-toast]')).toHaveText(['Name is required'])
    for (const label of ['Name', 'Email', 'Password']) await expectWrong(page, label, `${label} is required`)
    expect(await axe(page)).toEqual([])
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
  })

  test(
    'checks a field when it is left, and believes it again when it is edited',
    { tag: '@desktop' },
    async ({ page }) => {
      await page.goto('/register')
      await hydrated(field(page, 'Name'))

      await field(page, 'Name').fill('A')
      await field(page, 'Email').focus()

      await expectWrong(page, 'Name', 'Name must be at least 2 characters')
      await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid')
      await field(page, 'Name').pressSequentially('d')
      await expect(field(page, 'Name')).not.toHaveAttribute('aria-invalid')
    },
  )

  test('opens an account and signs its owner in', async ({ page, isMobile }) => {
    const { name, email, password } = newcomer('José Núñez')
    await page.goto('/register')

    await fill(page, { Name: name, Email: email, Password: password })
    await submit(page, 'Register').click()

    await expect(page).toHaveURL('/')
    await expect(toastOf(page, 'Register success')).toBeVisible()
    const account = page.getByRole('navigation', { name: 'Account and shop' })
    await expect(account.getByRole('link', { name })).toHaveAttribute('href', '/dashboard')
    if (!isMobile) await expect(account.getByText(name)).toBeVisible()
  })

  test('says what the provider refuses, at its field too', { tag: '@desktop' }, async ({ page, request, faults }) => {
    faults.expect(/^422 .*customer-register/).expect(/status of 422/)
    const { email } = await register(request)
    await page.goto('/register')

    await fill(page, { ...GOOD, Email: email })
    await submit(page, 'Register').click()

    await expect(page.locator('[data-sonner-toast]')).toHaveCount(1)
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, 'Name')).toHaveValue(GOOD.Name)
  })

  test('leads to what one agrees to, and to the login', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/register')

    const hrefs = await page
      .getByRole('main')
      .getByRole('link')
      .evaluateAll(links => links.map(link => link.getAttribute('href')))
    expect(new Set(hrefs)).toEqual(new Set(['/login', '/privacy', '/terms']))
  })
})

test.describe('login', () => {
  test('wants email and password', async ({ page }) => {
    await page.goto('/login')

    await submit(page, 'Login').click()

    await expect(page.locator('[data-sonner-toast]')).toHaveText(['Email and password are required!'])
    for (const label of ['Email', 'Password']) await expectWrong(page, label, 'Email and password are required!')
    await expect(field(page, 'Email')).toBeFocused()
    expect(await axe(page)).toEqual([])
  })

  test('by keyboard alone', { tag: '@desktop' }, async ({ page, request }) => {
    const { email, password, name } = await register(request)
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

    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name })).toBeVisible()
  })

  test('shows and hides the password without losing the place', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/login')
    await field(page, 'Password').fill('Piazza')

    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
    await expect(field(page, 'Password')).toBeFocused()
    await page.getByRole('button', { name: 'Hide password' }).click()

    await expect(field(page, 'Password')).toHaveAttribute('type', 'password')
    await expect(field(page, 'Password')).toHaveValue('Piazza')
  })

  test(
    'a wrong password is said, and nothing typed is lost',
    { tag: '@desktop' },
    async ({ page, request, faults }) => {
      faults.expect(/^422 .*customer-login/).expect(/status of 422/)
      const { email } = await register(request)
      await page.goto('/login')

      await fill(page, { Email: email, Password: 'Piazza-2024!' })
      await submit(page, 'Login').click()

      await expect(toastOf(page, 'Wrong email or password')).toBeVisible()
      await expect(field(page, 'Email')).toHaveValue(email)
      await expect(field(page, 'Password')).toHaveValue('Piazza-2024!')
    },
  )

  test('is busy while it waits, and sends once', { tag: '@desktop' }, async ({ page, request }) => {
    const { email, password } = await register(request)
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/api/customer/customer-login', async route => {
      sent += 1
      await answered
      await route.continue()
    })
    await page.goto('/login')
    await fill(page, { Email: email, Password: password })

    await submit(page, 'Login').click()
    await expect(submit(page, 'Login')).toHaveAttribute('aria-busy', 'true')
    await submit(page, 'Login').click({ force: true })
    await field(page, 'Password').press('Enter')
    answer()

    await expect(page).toHaveURL('/')
    expect(sent).toBe(1)
  })

  test(
    'a provider that is away is said, and nothing typed is lost',
    { tag: '@desktop' },
    async ({ page, request, faults }) => {
      faults.expect(/ERR_CONNECTION_REFUSED/)
      const { email, password } = await register(request)
      await page.goto('/login')
      await fill(page, { Email: email, Password: password })
      await page.route('**/api/**', route => route.abort('connectionrefused'))

      await submit(page, 'Login').click()
      await expect(toastOf(page, SERVER_AWAY)).toBeVisible()
      await page.unroute('**/api/**')
      await submit(page, 'Login').click()

      await expect(page).toHaveURL('/')
    },
  )

  test(
    'what is typed, filled in and clicked before React comes counts',
    { tag: '@phone' },
    async ({ page, request }) => {
      const { email, password } = await register(request)
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
      await page.route(/_astro\/LoginForm/, async route => {
        await arrived
        await route.continue()
      })
      await page.goto('/login')

      await fill(page, { Email: email, Password: password })
      await submit(page, 'Login').click()
      await expect(page).toHaveURL('/login')
      arrive()

      await expect(page).toHaveURL('/')
    },
  )

  test('whose code does not come says so, and works when it does', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/ERR_FAILED/).expect(/Error hydrating/)
    await page.route(/_astro\/LoginForm/, route => route.abort())
    await page.goto('/login')
    await field(page, 'Email').fill('ada@piazza.example')

    await submit(page, 'Login').click()

    await expect(page.getByRole('alert')).toHaveText(/^The market cannot be reached right now/)
    await expect(page).toHaveURL('/login')
    await expect(field(page, 'Email')).toHaveValue('ada@piazza.example')
  })

  test('leads to everything around it', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/login')
    const main = page.getByRole('main')

    await expect(main.getByRole('link', { name: 'Reset password' })).toHaveAttribute('href', '/forgotpassword')
    await expect(main.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
    await expect(main.getByRole('link', { name: 'Merchant sign-in' })).toHaveAttribute('href', /^https:\/\//)
  })
})

test.describe('for password managers', { tag: '@desktop' }, () => {
  test('every form names its fields', async ({ page }) => {
    for (const [path, expected] of [
      ['/login', { email: 'username', password: 'current-password' }],
      ['/register', { name: 'name', email: 'email', password: 'new-password' }],
      ['/forgotpassword', { email: 'username' }],
      ['/resetpassword?token=x', { password: 'new-password', confirmation: 'new-password' }],
    ] as const) {
      await page.goto(path)
      const inputs = await page
        .getByRole('main')
        .locator('input')
        .evaluateAll(all => all.map(each => [each.getAttribute('name'), each.getAttribute('autocomplete')]))

      expect(Object.fromEntries(inputs), path).toEqual(expected)
    }
  })
})

test('login and register send whoever is signed in home', { tag: '@desktop' }, async ({ page }) => {
  await signUp(page)

  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/')
  }
})

test.describe('without JavaScript', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false })

  test('every form says that it needs it', async ({ page }) => {
    for (const path of ['/login', '/register', '/forgotpassword', '/resetpassword?token=x']) {
      await page.goto(path)

      await expect(page.getByText(/needs JavaScript/), path).toBeVisible()
      await expect(page.getByRole('main').getByRole('textbox'), path).toHaveCount(0)
    }
  })
})

import type { Page } from 'playwright/test'
import { getAccount } from '#contract/account.ts'
import { refreshToken, logout } from '#contract/session.ts'
import { hasAsked, signUp } from '#tests/support/accounts/customer.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, measureShifts, NARROWEST, overflowing, readThrough, test } from '#tests/support/browser/e2e.ts'

const PAGES = [
  { path: '/dashboard', entry: 'Dashboard' },
  { path: '/dashboard/account', entry: 'Account & Shipping' },
  { path: '/dashboard/chat', entry: 'Chat' },
]

const menu = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
const isLogin = (next: string | null) => (url: URL) =>
  url.pathname === '/login' && url.searchParams.get('next') === next

test(
  'the dashboard redirects a visitor to the login, and Back returns to the page before',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto('/about-us')
    for (const { path } of PAGES) {
      await page.goto(path)

      await expect(page).toHaveURL(isLogin(path))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in')
      await page.goBack()
      await expect(page, path).toHaveURL('/about-us')
    }
  },
)

test.describe('the dashboard', () => {
  test('is accessible, fits the window and loads without layout shift', async ({ page, isMobile }) => {
    await signUp(page)
    const shifts = await measureShifts(page)
    const size = page.viewportSize()!
    for (const { path, entry } of PAGES) {
      await page.goto(path)
      await readThrough(page)

      await expect(page.getByRole('heading', { level: 1 })).toHaveText(entry)
      await expect(menu(page).locator('[aria-current]')).toHaveText(entry)
      await expect(menu(page).getByRole('link', { name: entry })).toBeInViewport()
      expect(await shifts(), path).toEqual({ sum: 0, moved: [] })
      expect(await axe(page), path).toEqual([])
      expect(await overflowing(page), path).toEqual([])
      // Colours are the same at every width.
      if (!isMobile) continue
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await axe(page, { onlyColours: true }), path).toEqual([])
      await page.setViewportSize(NARROWEST)
      expect(await overflowing(page), path).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(size)
    }
  })

  test(
    'greets the customer, links to each section, and hides personal data after Back once signed out',
    { tag: '@desktop' },
    async ({ page, request }) => {
      const { name, email } = await signUp(page, 'Grace Hopper')
      await page.goto('/dashboard')
      await expect(page.getByRole('main')).toContainText(`Welcome back, ${name}.`)
      const html = await (await request.get('/dashboard')).text()
      expect(html).not.toContain(name)
      expect(html).not.toContain(email)

      const links = await menu(page).getByRole('link').all()
      const addresses = await Promise.all(links.map(async link => (await link.getAttribute('href')) ?? ''))
      expect(addresses).toEqual([
        '/dashboard',
        '/dashboard/my-orders',
        '/dashboard/my-wishlist',
        '/dashboard/chat',
        '/dashboard/notifications',
        '/dashboard/account',
      ])
      for (const address of addresses) {
        await page.goto(address)
        await expect(menu(page).locator('[aria-current]')).toHaveAttribute('href', address)
      }

      await expect(page.getByRole('textbox', { name: 'City' })).toBeVisible()
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
      await expect(page.getByRole('textbox', { name: 'City' })).toBeHidden()
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      await expect(page.getByRole('textbox', { name: 'City' })).toBeVisible()
      await page.evaluate(() => {
        dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
        localStorage.clear()
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      })
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in')
      await expect(page).toHaveURL(isLogin('/dashboard/account'))
    },
  )
})

test.describe('logging out', () => {
  test('asks for confirmation; Escape and Cancel keep the customer signed in', { tag: '@phone' }, async ({ page }) => {
    await signUp(page)
    await page.goto('/dashboard')
    const opener = menu(page).getByRole('button', { name: 'Logout' })

    await opener.focus()
    await page.keyboard.press('Enter')

    await expect(dialog(page)).toContainText('You will need to log in again to access your account.')
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await expect(opener).toBeFocused()
    await opener.click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeHidden()
    await page.reload()
    await expect(page.getByRole('main')).toContainText('Welcome back')
  })

  test('ends the session in this tab, other tabs and on the server', { tag: '@desktop' }, async ({ page, context }) => {
    const { token } = await signUp(page)
    const other = await context.newPage()
    await other.goto('/dashboard/account')
    await expect(other.getByRole('textbox', { name: 'City' })).toBeVisible()
    await hasAsked(other)
    await page.goto('/dashboard')
    await hasAsked(page)

    const { reached, release } = await holdBack(page, routeOf(logout))
    await menu(page).getByRole('button', { name: 'Logout' }).click()
    await dialog(page).getByRole('button', { name: 'Logout' }).click()
    await reached
    // It is too late for a no.
    for (const _ of [1, 2]) await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click({ force: true })
    await expect(dialog(page)).toBeVisible()
    release()

    await expect(page).toHaveURL('/login')
    await expect(other).toHaveURL(isLogin('/dashboard/account'))
    const kept = await page.evaluate(() => Object.keys(localStorage))
    expect(kept).not.toContain('customerToken')
    expect(kept).not.toContain('currency')
    expect((await page.request.post(`/api${refreshToken.path}`)).status()).toBe(409)
    const asked = await page.request.get(`/api${getAccount.path}`, { headers: { authorization: `Bearer ${token}` } })
    expect(asked.status()).toBe(409)
    await page.goBack()
    await expect(page).not.toHaveURL(/dashboard/)
  })

  test(
    'signs the customer out even when the logout request fails, and only logs the failure',
    { tag: '@desktop' },
    async ({ page, faults }) => {
      await signUp(page)
      await page.goto('/dashboard')
      faults
        .expect(/failed: .*\/customer\/logout/)
        .expect(/ERR_FAILED/)
        .expect(/The logout request failed/)
      await page.route(`**/api${logout.path}`, route => route.abort('failed'))

      await menu(page).getByRole('button', { name: 'Logout' }).click()
      await dialog(page).getByRole('button', { name: 'Logout' }).click()

      await expect(page).toHaveURL('/login')
      expect(await page.evaluate(() => localStorage.getItem('customerToken'))).toBeNull()
    },
  )
})

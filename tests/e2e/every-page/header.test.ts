import { signUp } from '#tests/support/accounts/customer.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { expect, measureShifts, NARROWEST, overflowing, test } from '#tests/support/browser/e2e.ts'

test.describe('header', () => {
  test('links a visitor to the login, and searches within a category', async ({ page }) => {
    await page.goto('/')
    const account = page.getByRole('navigation', { name: 'Account and shop' })
    for (const [name, href] of [
      ['Log in', '/login'],
      ['Wishlist', '/login?next=%2Fdashboard%2Fmy-wishlist'],
      ['Cart', '/login?next=%2Fcart'],
    ] as const)
      await expect(account.getByRole('link', { name })).toHaveAttribute('href', href)
    await expect(account.locator('[data-count]')).toHaveCount(2)
    for (const badge of await account.locator('[data-count]').all()) await expect(badge).toBeHidden()
    await expect(account.getByRole('link', { name: 'Notifications' })).toBeHidden()

    const names = await page.getByRole('combobox', { name: 'Category' }).getByRole('option').allTextContents()
    expect(names[0]).toBe('All categories')
    expect(names.slice(1)).toEqual(names.slice(1).toSorted((a, b) => a.localeCompare(b, 'en')))
    expect(names).toEqual(expect.arrayContaining(['Audio', 'Bags', 'Clothing']))

    await page.getByRole('combobox', { name: 'Category' }).selectOption('Audio')
    await page.getByLabel('Search products').fill('radio')
    await page.getByRole('search').getByRole('button', { name: 'Search' }).click()

    await expect(page).toHaveURL('/products/search?category=Audio&value=radio')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “radio” in Audio')
    await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('Audio')
    await expect(page.getByLabel('Search products')).toHaveValue('radio')
  })

  test('has the menu beside the name on the smallest phone at 200% text size', { tag: '@phone' }, async ({ page }) => {
    await page.setViewportSize(NARROWEST)
    await page.goto('/')
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))

    const menu = (await page.getByRole('button', { name: 'Menu' }).boundingBox())!
    const name = (await page.getByRole('link', { name: 'Piazza, home' }).first().boundingBox())!
    expect(menu.y).toBe(name.y)
    const width = await page.getByLabel('Search products').evaluate(({ clientWidth }) => clientWidth)
    expect(width).toBeGreaterThan(80)
  })

  test('shows the typed search words at 200% text size', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/')
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))

    const width = await page.getByLabel('Search products').evaluate(({ clientWidth }) => clientWidth)
    expect(width).toBeGreaterThan(100)
  })

  test('rounds the outer corners of the search in right-to-left pages too', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/')
    const corners = () =>
      page.getByRole('search').evaluate(form => {
        const [start, end] = ['select', 'button'].map(name => getComputedStyle(form.querySelector(name)!))
        return {
          left: [start!.borderTopLeftRadius, end!.borderTopLeftRadius],
          right: [start!.borderTopRightRadius, end!.borderTopRightRadius],
        }
      })
    const { left, right } = await corners()
    expect(left[1]).toBe('0px')

    await page.evaluate(() => (document.documentElement.dir = 'rtl'))

    expect(await corners()).toEqual({ left: right, right: left })
  })

  test(
    'nothing overflows with letters twice as large, on windows of any width',
    { tag: '@desktop' },
    async ({ page }) => {
      for (const width of [320, 565, 768, 1024]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto('/about-us')
        await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))

        expect(await overflowing(page), `at ${width} px`).toEqual([])
      }
    },
  )

  test('shows a signed-in customer by name without layout shift', async ({ page }) => {
    await signUp(page)
    const shifts = await measureShifts(page)
    await page.goto('/')
    const account = page.getByRole('navigation', { name: 'Account and shop' })

    await expect(account.getByRole('link', { name: 'Ada Lovelace' })).toHaveAttribute('href', '/dashboard')
    await expect(account.getByRole('link', { name: 'Wishlist' })).toHaveAttribute('href', '/dashboard/my-wishlist')
    await expect(account.getByRole('link', { name: 'Cart' })).toHaveAttribute('href', '/cart')
    await expect(account.getByRole('link', { name: 'Notifications' })).toHaveAttribute(
      'href',
      '/dashboard/notifications',
    )
    await expect(account.locator('[data-count]')).toHaveCount(2)
    for (const badge of await account.locator('[data-count]').all()) await expect(badge).toBeHidden()
    await settled(page)
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
  })

  test('leaves a customer’s search words room on tablets', { tag: '@desktop' }, async ({ page }) => {
    await signUp(page)
    await page.goto('/')
    for (const width of [768, 1000]) {
      await page.setViewportSize({ width, height: 1024 })
      const shown = await page.getByLabel('Search products').evaluate(({ clientWidth }) => clientWidth)
      expect(shown, `at ${width} px`).toBeGreaterThan(400)
    }
  })

  test('shows a long name in full where there is room, on tablets too', { tag: '@desktop' }, async ({ page }) => {
    await signUp(page, 'Wilhelmina Featherstone')
    await page.goto('/')
    const name = page.getByRole('navigation', { name: 'Account and shop' }).getByText('Wilhelmina Featherstone')

    for (const width of [640, 900, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const [shown, whole] = await name.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])
      expect(shown, `at ${width} px`).toBe(whole)
      expect(await overflowing(page), `at ${width} px`).toEqual([])
    }
  })
})

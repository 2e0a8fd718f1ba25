import { expect, type Page, type Route } from 'playwright/test'
import { getSuggestions } from '#contract/suggestions.ts'
import { holdBack } from '#tests/support/browser/calls.ts'
import { logOut, signUp } from '#tests/support/accounts/customer.ts'
import { axe, measureShifts, overflowing, test } from '#tests/support/browser/e2e.ts'
import { settled } from '#tests/support/browser/settled.ts'

const SUGGESTIONS = `**/api${getSuggestions.path}?*`

/** The search field: a search box in the stored page, a combobox once its suggestions have loaded. */
const field = (page: Page) => page.getByLabel('Search products')
const options = (page: Page, group: string) => page.getByRole('group', { name: group, exact: true }).getByRole('option')
const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })

test.describe('suggestions in the search field', () => {
  test('show products, categories and shops, by keyboard alone', async ({ page }) => {
    const shifts = await measureShifts(page)
    await page.goto('/')
    await field(page).focus()
    await page.keyboard.type('cl')

    await expect(options(page, 'Categories')).toHaveText(['Clothing'])
    await expect(field(page)).toHaveRole('combobox')
    await expect(field(page)).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('search').getByRole('status')).toContainText('1 category')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    const active = page.locator('[role=option][aria-selected=true]')
    await expect(active).toHaveCount(1)
    await expect(field(page)).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '')
    await expect(field(page)).toBeFocused()

    await page.keyboard.press('Escape')
    await expect(list(page)).toBeHidden()
    await expect(field(page)).toHaveValue('cl')
    await page.keyboard.press('ArrowDown')
    await expect(list(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(list(page)).toBeHidden()
    await expect(field(page)).not.toBeFocused()

    await field(page).fill('clothing')
    await expect(options(page, 'Categories')).toHaveText(['Clothing'])
    await page.keyboard.press('ArrowUp')
    const last = page.locator('[role=option][aria-selected=true]')
    const address = (await last.getAttribute('href')) ?? ''
    // So Safari sends the Enter that ends a word of an input method.
    const ime = { key: 'Enter', keyCode: 229, cancelable: true }
    expect(
      await field(page).evaluate((input, init) => input.dispatchEvent(new KeyboardEvent('keydown', init)), ime),
    ).toBe(true)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(address)
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
  })

  test('lead to a product, with its picture and price, by touch or click', async ({ page, isMobile }) => {
    await page.goto('/stores')
    await field(page).fill('lantern')
    const first = options(page, 'Products').first()
    await expect(first).toContainText(/\$\d/)
    await expect(first.locator('mark').first()).toHaveText(/lantern/i)
    expect(await axe(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
    const href = (await first.getAttribute('href')) ?? ''

    await (isMobile ? first.tap() : first.click())

    await expect(page).toHaveURL(href)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/lantern/i)
  })

  test('need no code until the field is touched', { tag: '@phone' }, async ({ page }) => {
    const scripts: string[] = []
    page.on('request', request => {
      if (/\/_astro\/suggestions\./.test(request.url())) scripts.push(request.url())
    })
    await page.goto('/')
    await settled(page)
    expect(scripts).toEqual([])

    await field(page).tap()

    await expect(field(page)).toHaveRole('combobox')
    expect(scripts).not.toEqual([])
  })

  test('appear for text that was typed before their code had loaded', { tag: '@desktop' }, async ({ page }) => {
    const { release } = await holdBack(page, /\/_astro\/suggestions\..*\.js$/)
    await page.goto('/')
    await field(page).pressSequentially('lant')

    release()

    await expect(options(page, 'Products').first()).toContainText(/lantern/i)
  })

  test('are requested once, 150 ms after the last key', { tag: '@desktop' }, async ({ page }) => {
    const requested: (string | null)[] = []
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === `/api${getSuggestions.path}`) requested.push(searchParams.get('value'))
    })
    await page.clock.install()
    await page.goto('/')
    await field(page).focus()
    await expect(field(page)).toHaveRole('combobox')
    await page.clock.pauseAt(Date.now() + 60_000)

    await page.keyboard.type('lan')
    await page.clock.runFor(149)
    await page.keyboard.type('tern')
    await page.clock.runFor(149)
    // Requests are reported in their order: an earlier one of suggestions would be known now.
    await page.evaluate(() => fetch('/api/health/live').then(() => undefined))
    expect(requested).toEqual([])
    await page.clock.runFor(1)

    await expect(options(page, 'Products').first()).toContainText(/lantern/i)
    expect(requested).toEqual(['lantern'])
  })

  test('never show an older answer after a newer one', { tag: '@desktop' }, async ({ page }) => {
    const slow: Route[] = []
    await page.route(SUGGESTIONS, async route => {
      if (new URL(route.request().url()).searchParams.get('value') === 'lant') slow.push(route)
      else await route.continue()
    })
    await page.goto('/')
    await field(page).fill('lant')
    await expect.poll(() => slow.length).toBe(1)
    await field(page).fill('clothing')
    await expect(options(page, 'Categories')).toHaveText(['Clothing'])

    await slow[0]?.continue().catch(() => undefined)
    await page.evaluate(() => new Promise(requestAnimationFrame))

    await expect(options(page, 'Categories')).toHaveText(['Clothing'])
    await expect(page.getByRole('option', { name: /lantern/i })).toHaveCount(0)
  })

  test(
    'are missing quietly without a network, and the form still searches',
    { tag: '@desktop' },
    async ({ page, faults }) => {
      faults.allow(/suggestions/).allow(/Failed to load resource/)
      await page.goto('/')
      await page.route(SUGGESTIONS, route => route.abort('internetdisconnected'))
      const failed = page.waitForEvent('requestfailed')
      await field(page).fill('lantern')
      await failed
      await expect(list(page)).toBeHidden()

      await page.keyboard.press('Enter')

      await expect(page).toHaveURL(/\/products\/search\?category=&value=lantern|value=lantern/)
      await expect(page.getByRole('article').first()).toContainText('Lantern')
    },
  )
})

test.describe('recent searches', () => {
  test(
    'are offered in the empty field, and can be removed one by one or all',
    { tag: ['@desktop', '@long'] },
    async ({ page }) => {
      for (const search of ['lantern', 'kettle', 'radio']) {
        await page.goto('/')
        await field(page).fill(search)
        await expect(field(page)).toHaveRole('combobox')
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(new RegExp(search))
      }
      await page.goto('/')
      await field(page).focus()
      await expect(options(page, 'Recent searches')).toHaveText(['radio', 'kettle', 'lantern'])
      expect(await axe(page)).toEqual([])

      await page.getByRole('button', { name: 'Remove kettle' }).click()
      await expect(options(page, 'Recent searches')).toHaveText(['radio', 'lantern'])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Delete')
      await expect(options(page, 'Recent searches')).toHaveText(['lantern'])
      await options(page, 'Recent searches').first().click()
      await expect(page).toHaveURL('/products/search?value=lantern')

      await field(page).fill('')
      await page.getByRole('option', { name: 'Clear recent searches' }).click()
      await expect(list(page)).toBeHidden()
      await page.reload()
      await field(page).focus()
      await expect(field(page)).toHaveRole('combobox')
      await expect(list(page)).toBeHidden()
    },
  )

  test('are gone after a logout', { tag: '@desktop' }, async ({ page }) => {
    await signUp(page)
    await page.goto('/')
    await field(page).fill('lantern')
    await expect(field(page)).toHaveRole('combobox')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/lantern/)

    await logOut(page)

    expect(await page.evaluate(() => localStorage.getItem('recentSearches'))).toBeNull()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the field is a search box of an ordinary form', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/')
    await page.getByLabel('Search products').fill('lantern')
    await page.keyboard.press('Enter')

    await expect(page.getByRole('article').first()).toContainText('Lantern')
  })
})

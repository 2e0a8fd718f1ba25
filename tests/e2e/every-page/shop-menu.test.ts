import type { Page } from 'playwright/test'
import { axe, expect, measureShifts, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

const header = (page: Page) => page.getByRole('banner')
const menu = (page: Page) => page.getByRole('navigation', { name: 'Categories' })
const opener = (page: Page, isMobile: boolean) =>
  header(page).getByRole('button', { name: isMobile ? 'Menu' : 'Categories', exact: true })

test.describe('the header’s menu', () => {
  test('loads the pictures of all categories once it is open', async ({ page, isMobile }) => {
    const pictures: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/160.webp')) pictures.push(request.url())
    })
    await page.goto('/return-refund-policy')
    await settled(page)
    expect(pictures).toEqual([])
    await expect(menu(page)).toBeHidden()

    await opener(page, isMobile).click()

    const names = await page.getByRole('combobox', { name: 'Category' }).getByRole('option').allTextContents()
    await expect(menu(page).getByRole('listitem')).toHaveText(names.slice(1))
    await expect.poll(() => pictures.length).toBeGreaterThan(5)
    expect(await axe(page)).toEqual([])
    await menu(page).getByRole('link', { name: 'Bags' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bags')
  })

  test('opens and closes by keyboard', async ({ page, isMobile }) => {
    await page.goto('/stores')
    const button = opener(page, isMobile)
    await button.press('Enter')
    await expect(menu(page)).toBeVisible()

    await page.keyboard.press('Tab')
    await expect(
      menu(page)
        .getByRole(isMobile ? 'button' : 'link')
        .first(),
    ).toBeFocused()
    await page.keyboard.press('Escape')

    await expect(menu(page)).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('leads to the stores, new products, products on sale, and to selling', async ({ page, isMobile }) => {
    await page.goto('/')
    // A phone's row of icons has no room for it.
    await expect(header(page).getByRole('link', { name: 'Sell online' })).toBeVisible({ visible: !isMobile })
    if (isMobile) await opener(page, isMobile).click()

    await expect(header(page).getByRole('link', { name: 'Stores' })).toHaveAttribute('href', '/stores')
    await expect(header(page).getByRole('link', { name: 'Sell online' })).toHaveAttribute('href', /^https:\/\//)
    await header(page).getByRole('link', { name: 'New', exact: true }).click()
    await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('newest')
    if (isMobile) await opener(page, isMobile).click()
    await header(page).getByRole('link', { name: 'On sale' }).click()
    await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('biggest-discount')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('On sale')
    await page.waitForLoadState()
    const reduced = page.getByRole('article').filter({ hasText: /-\d+%/ })
    await expect(reduced).toHaveCount(await page.getByRole('article').count())
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('opens too', async ({ page, isMobile }) => {
      await page.goto('/products')

      await opener(page, isMobile).click()
      await menu(page).getByRole('link', { name: 'Shoes' }).click()

      await expect(page).toHaveURL('/products?category=Shoes')
    })
  })
})

test.describe('on a phone, the header', { tag: '@phone' }, () => {
  const top = (page: Page) => header(page).evaluate(each => Math.round(each.getBoundingClientRect().top))

  test('hides on scrolling down and returns on scrolling up, or when the focus is in it', async ({ page }) => {
    const shifts = await measureShifts(page)
    await page.goto('/products')
    await settled(page)

    await page.evaluate(() => scrollBy(0, 900))
    await expect(header(page)).not.toBeInViewport()
    await page.evaluate(() => scrollBy(0, -60))
    await expect(header(page)).toBeInViewport()
    await expect.poll(() => top(page)).toBe(0)

    await page.evaluate(() => scrollBy(0, 900))
    await expect(header(page)).not.toBeInViewport()
    await page.getByLabel('Search products').focus()
    await expect.poll(() => top(page)).toBe(0)
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
  })

  test('does not cover the element that gets the focus', async ({ page }) => {
    await page.goto(PRODUCT)
    await settled(page)
    await page.getByRole('contentinfo').getByRole('link').first().focus()

    for (let stop = 0; stop < 25; stop += 1) {
      await page.keyboard.press('Shift+Tab')
      const covered = await page.evaluate(() => {
        const bar = document.querySelector('body > header')!
        const focused = document.activeElement!
        if (bar.contains(focused)) return ''
        const isCovered = focused.getBoundingClientRect().bottom <= bar.getBoundingClientRect().bottom
        return isCovered ? focused.outerHTML.slice(0, 100) : ''
      })
      expect(covered).toBe('')
    }
  })

  test('is followed by the categories on home and listings', async ({ page }) => {
    await page.goto('/')
    const chips = page.getByRole('navigation', { name: 'Shop by category' })
    await chips.getByRole('link', { name: 'Clothing' }).click()

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clothing')
    await expect(chips.getByRole('link', { name: 'Clothing' })).toHaveAttribute('aria-current', 'page')
    await page.goto('/stores')
    await expect(chips).toHaveCount(0)
  })
})

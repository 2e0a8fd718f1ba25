import type { Locator, Page } from 'playwright/test'
import { signUp } from '#tests/support/accounts/customer.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

test.describe('by keyboard', { tag: '@desktop' }, () => {
  test('the first Tab stop skips the header', async ({ page }) => {
    await page.goto('/products')

    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
    await page.keyboard.press('Enter')

    await expect(page.getByRole('main')).toBeFocused()
    const [header, heading] = await Promise.all(
      [page.getByRole('banner'), page.getByRole('heading', { level: 1 })].map(each => each.boundingBox()),
    )
    expect(heading!.y).toBeGreaterThanOrEqual(header!.y + header!.height)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Home' })).toBeFocused()
  })

  for (const path of ['/products', STORE])
    test(`the first Tab stop of the filters on ${path} skips them`, async ({ page }) => {
      await page.goto(path)
      const skip = page.getByRole('form', { name: 'Filters' }).getByRole('link', { name: 'Skip to the products' })
      await page.getByRole('banner').getByRole('link').last().focus()
      while (!(await page.evaluate(() => document.activeElement?.closest('#filters')))) await page.keyboard.press('Tab')
      await expect(skip).toBeFocused()
      await expect(skip).toBeInViewport()

      await page.keyboard.press('Enter')

      await expect(page.locator('#list')).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(page.locator('#list :focus')).toBeInViewport()
    })

  for (const path of ['/products', STORE, PRODUCT])
    test(`forced colours outline no section of ${path} without the focus`, async ({ page }) => {
      await page.emulateMedia({ forcedColors: 'active' })
      await page.goto(path)

      const outlined = await page.evaluate(() =>
        [...document.querySelectorAll('[tabindex="-1"]')]
          .filter(each => getComputedStyle(each).outlineStyle !== 'none')
          .map(each => each.outerHTML.slice(0, 100)),
      )
      expect(outlined).toEqual([])
    })

  for (const path of ['/', '/products', PRODUCT, '/stores']) {
    test(`every stop on ${path} shows where the focus is, in the order of reading`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(path)
      const stops: Stop[] = []
      while (stops.length < 30) {
        await page.keyboard.press('Tab')
        stops.push(await focused(page))
      }

      expect(stops.filter(({ isVisible }) => !isVisible)).toEqual([])
      expect(stops.filter(({ isMarked }) => !isMarked)).toEqual([])
      const header = stops.findLastIndex(({ isInHeader }) => isInHeader)
      expect(
        stops
          .slice(0, header + 1)
          .filter(({ isInHeader }) => !isInHeader)
          .map(({ name }) => name),
      ).toEqual(['Skip to content'])
    })
  }

  test('arrow keys switch the tabs of a product', async ({ page }) => {
    await page.goto(PRODUCT)

    await page.getByRole('tab', { name: 'Description' }).press('ArrowRight')

    await expect(page.getByRole('tab', { name: /^Reviews/ })).toBeFocused()
    await expect(page.getByRole('tabpanel', { name: /^Reviews/ })).toBeVisible()
    await expect(page.getByRole('tabpanel', { name: 'Description' })).toBeHidden()
  })

  test('arrow keys choose a sort order, which counts on Enter or when the list is left', async ({ page }) => {
    const loads: string[] = []
    page.on('request', request => {
      if (request.isNavigationRequest()) loads.push(new URL(request.url()).search)
    })
    await page.goto('/products')
    await settled(page)
    const sort = page.getByRole('combobox', { name: 'Sort by' })

    for (const _ of [1, 2, 3]) await sort.press('ArrowDown')
    await expect(sort).toHaveValue('newest')
    await sort.press('Enter')

    await expect(page).toHaveURL('/products?sortPrice=newest')
    await settled(page)
    await sort.press('ArrowUp')
    await expect(sort).toHaveValue('high-to-low')
    await page.keyboard.press('Tab')
    await expect(page).toHaveURL('/products?sortPrice=high-to-low')
    expect(loads).toEqual(['', '?sortPrice=newest', '?sortPrice=high-to-low'])
  })

  test('the browser keeps its shortcuts in tabs and in the enlarged picture', async ({ page }) => {
    await signUp(page)
    await page.goto('/dashboard/notifications')
    await expectShortcuts(page.getByRole('tab', { name: /^All/ }), ['ArrowLeft', 'Home'])
    await page.goto(PRODUCT)
    await settled(page)
    await page.getByRole('tab', { name: 'Description' }).focus()
    await expectShortcuts(page.getByRole('tab', { name: 'Description' }), ['ArrowLeft', 'Home'])
    await page.locator('[data-main]').press('Enter')
    await expectShortcuts(page.getByRole('dialog').getByRole('button', { name: 'Close' }), ['+', '-', '0', 'ArrowLeft'])
  })
})

/** Checks that the page leaves these keys to the browser with Ctrl, Cmd and Alt, but not with Shift. */
async function expectShortcuts(place: Locator, keys: string[]) {
  for (const key of keys) {
    const isLeft = (modifier: string) =>
      place.evaluate(
        (element, [name, held]) =>
          element.dispatchEvent(
            new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, [held]: true }),
          ),
        [key, modifier] as const,
      )
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
      expect(await isLeft(modifier), `${modifier} ${key}`).toBe(true)
    expect(await isLeft('shiftKey'), key).toBe(false)
  }
}

interface Stop {
  name: string
  isVisible: boolean
  isMarked: boolean
  isInHeader: boolean
}

function focused(page: Page): Promise<Stop> {
  return page.evaluate(async () => {
    const element = document.activeElement ?? document.body
    const isInView = () => {
      const { top, bottom, left, right } = element.getBoundingClientRect()
      return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && element !== document.body
    }
    // A carousel scrolls the focused slide into view within the next frames; a busy machine draws few.
    for (let frame = 0; frame < 2 || (frame < 30 && !isInView()); frame += 1)
      await new Promise(resolve => requestAnimationFrame(resolve))
    const isDrawn = (style: CSSStyleDeclaration) =>
      (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none'
    // The ring is on the thumb, whose style scripts cannot read.
    const isThumb = element.matches('input[type=range]')
    const drawnBy = [element, element.parentElement!, element.closest('article') ?? element]
    return {
      name: element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 60),
      isVisible: isInView(),
      isMarked:
        isThumb ||
        drawnBy.some(each => isDrawn(getComputedStyle(each))) ||
        isDrawn(getComputedStyle(element, '::after')),
      isInHeader: element.closest('header') !== null,
    }
  })
}

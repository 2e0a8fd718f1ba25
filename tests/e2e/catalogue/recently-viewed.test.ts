import type { Page } from 'playwright/test'
import { axe, expect, measureShifts, overflowing, readThrough, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'

const OTHER = '/product/details/cirrus-running-shoes'
const row = (page: Page) => page.getByRole('region', { name: 'Recently viewed' })
const links = (page: Page) => row(page).getByRole('link')

const remembered = (page: Page) => page.evaluate(() => localStorage.getItem('recentlyViewed'))

/** Turns the wheel until it is noticed: the page's script may still be loading. */
async function lookAround(page: Page, isNoticed: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, 100)
    await isNoticed()
  }).toPass()
}

/** Opens a product and looks at it: what only loads is not remembered. */
async function view(page: Page, path: string): Promise<string> {
  await page.goto(path)
  const slug = path.split('/').at(-1)!
  await lookAround(page, async () => expect(await remembered(page)).toContain(`"${slug}"`))
  return page.getByRole('heading', { level: 1 }).innerText()
}

/** Looks at a page and reads the row's names. */
async function expectNames(page: Page, names: (string | RegExp)[]): Promise<void> {
  await lookAround(page, () => expect(links(page)).toHaveText(names, { timeout: 500 }))
}

test.describe('recently viewed products', () => {
  test('are shown on the home page and on other products, and can be cleared', { tag: '@phone' }, async ({ page }) => {
    // Carousels that turn move their bullets.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const shifts = await measureShifts(page)
    const name = await view(page, PRODUCT)
    await expect(row(page)).toHaveCount(0)

    await page.goto('/')
    await readThrough(page)
    await expectNames(page, [name])
    expect(await overflowing(page)).toEqual([])
    expect(await axe(page)).toEqual([])
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
    await page.getByRole('article').first().getByRole('link').first().click()
    await expectNames(page, [name])
    await page.goBack()
    await expectNames(page, [/./, name])

    await row(page).getByRole('button', { name: 'Clear recently viewed products' }).click()
    await expect(row(page)).toHaveCount(0)
    expect(await remembered(page)).toBeNull()
  })

  test(
    'lead to their pages, and leave the list when they are gone',
    { tag: ['@desktop', '@long'] },
    async ({ page, faults }) => {
      faults.expect(/404/)
      const name = await view(page, PRODUCT)
      await page.goto('/')
      await expectNames(page, [name])
      await links(page).click()
      await expect(page).toHaveURL(PRODUCT)

      const gone = { id: 'gone', slug: 'gone', name: 'Gone kettle', image: '' }
      await page.evaluate(entry => {
        localStorage.setItem('recentlyViewed', JSON.stringify({ customerId: '', entries: [entry] }))
      }, gone)
      await page.goto('/product/details/gone')
      await lookAround(page, async () => expect(await remembered(page)).toBeNull())
      await expect(row(page)).toHaveCount(0)
    },
  )

  test('are the same in every tab', { tag: ['@desktop', '@long'] }, async ({ page, context }) => {
    await view(page, OTHER)
    await page.goto('/')
    await expectNames(page, [/./])
    const other = await context.newPage()

    const name = await view(other, PRODUCT)

    await expect(links(page)).toHaveText([name, /./])
  })
})

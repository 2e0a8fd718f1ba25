import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { axe, expect, measureShifts, test as inDemo } from '#tests/support/browser/e2e.ts'
import { testWithShop } from '#tests/support/provider/own-shop.ts'

const CATEGORIES = 250
const nameOf = (number: number) => `${number > 220 ? 'Wall' : 'Lamp'} category ${String(number).padStart(3, '0')}`
/** In bytes, before compression; a page of all 5,000 categories of a large market would have 760 kB. */
const MAX_HTML = 150_000

const test = testWithShop(async db => {
  const { id: sellerId } = await addSeller(db)
  for (let number = 1; number <= CATEGORIES; number += 1) {
    await addProduct(db, { sellerId, category: nameOf(number), name: `Thing ${number}` })
  }
})

test.describe('the page of all categories', () => {
  test.describe.configure({ mode: 'default' })

  test('has 200 categories on a page, and links to the other pages', { tag: '@long' }, async ({ page, request }) => {
    await page.goto('/categories')
    const listed = page
      .getByRole('main')
      .getByRole('listitem')
      .getByRole('link', { name: /^\w+ category \d/ })
    await expect(listed).toHaveCount(200)
    expect(await axe(page)).toEqual([])
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)

    await page.getByRole('navigation', { name: 'Pages of categories' }).getByRole('link', { name: 'Page 2' }).click()

    await expect(page).toHaveURL('/categories?pageNumber=2')
    await expect(listed).toHaveCount(50)
    await listed.last().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(nameOf(CATEGORIES))
    expect((await (await request.get('/categories')).body()).length).toBeLessThan(MAX_HTML)
  })

  test('leads to each first letter, also without JavaScript', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/categories')
    const letters = page.getByRole('navigation', { name: 'Categories by letter' }).getByRole('link')
    await expect(letters).toHaveText(['L', 'W'])

    await letters.last().click()

    await expect(page).toHaveURL('/categories?pageNumber=2#letter-1')
    const walls = page.getByRole('region', { name: 'W', exact: true })
    await expect(walls.getByRole('listitem')).toHaveCount(30)
    await expect(walls.getByRole('link', { name: nameOf(221) })).toBeInViewport()
    await expect(page.getByRole('region', { name: 'L', exact: true }).getByRole('listitem')).toHaveCount(20)
    await context.close()
  })

  test('leads back from a page past the last one', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/categories?pageNumber=9')

    await page.getByRole('link', { name: 'Back to page 1' }).click()

    await expect(page).toHaveURL('/categories')
  })
})

inDemo('all categories are shown with their pictures, in a grid that fits the width', async ({ page, isMobile }) => {
  const shifts = await measureShifts(page)
  await page.goto('/categories')
  const categories = page.getByRole('main').locator('.all-categories').getByRole('listitem')
  const tops = await categories.evaluateAll(all => all.map(each => each.getBoundingClientRect().top))
  expect(tops.filter(top => top === tops[0])).toHaveLength(isMobile ? 2 : 7)

  for (const category of await categories.all()) {
    await category.scrollIntoViewIfNeeded()
    const picture = category.locator('img')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axe(page, { onlyColours: true })).toEqual([])
  expect(await shifts()).toEqual({ sum: 0, moved: [] })
})

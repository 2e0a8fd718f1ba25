import type { Page } from 'playwright/test'
import { SHOP_DESCRIPTION_LENGTH } from '#lib/constants.ts'
import { demoId } from '#server/operators/demo/rows.ts'
import { enlargeLetters, expect, overflowing, test } from '#tests/support/browser/e2e.ts'
import { STORE } from '#tests/support/browser/page-kinds.ts'

test.describe('stores', () => {
  test('lists all stores, or only the verified ones', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/stores')
    const steps = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
    await expect(steps).toHaveText(['Home', 'Stores'])
    const all = await shownTotal(page)
    expect(all).toBeGreaterThanOrEqual(12)
    await expect(page.getByRole('article')).toHaveCount(12)
    await expect(page.getByRole('navigation', { name: 'Pages of stores' })).toHaveCount(all > 12 ? 1 : 0)

    await page.getByRole('combobox', { name: 'Show' }).selectOption('Verified stores')

    await expect(page).toHaveURL('/stores?sort=verified')
    const verified = await shownTotal(page)
    expect(verified).toBeGreaterThanOrEqual(8)
    expect(verified).toBeLessThan(all)
    const shown = Math.min(verified, 12)
    await expect(page.getByRole('article')).toHaveCount(shown)
    await expect(page.getByRole('article').getByText('Verified', { exact: true })).toHaveCount(shown)
  })

  test('are shown in a grid or a list, with descriptions cut at 100 characters', async ({ page }) => {
    await page.goto('/stores')
    const texts = await page.getByRole('article').locator('p.text-muted').allInnerTexts()
    for (const text of texts) expect(text.replace(/\.\.\.$/, '').length).toBeLessThanOrEqual(SHOP_DESCRIPTION_LENGTH)
    expect(texts.some(text => text.endsWith('...'))).toBe(true)

    await page.getByRole('link', { name: 'Show as list' }).click()

    await expect(page).toHaveURL('/stores?layout=list')
    await page.waitForLoadState()
    const lefts = await page.getByRole('article').evaluateAll(all => all.map(each => each.getBoundingClientRect().left))
    expect(new Set(lefts).size).toBe(1)
  })
})

test.describe('store page', () => {
  test('describes the shop and lists its products', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/stores')

    await page.getByRole('article').getByRole('link', { name: 'Tonehaus' }).click()

    await expect(page).toHaveURL(STORE)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tonehaus')
    await expect(page.getByRole('main').getByText('Verified', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
    const count = Number((await page.getByText(/^\d+ products$/).innerText()).replace(/\D/g, ''))
    await expect(page.getByRole('article')).toHaveCount(Math.min(count, 12))
    await expect(page.getByRole('navigation', { name: 'Pages of Tonehaus' })).toHaveCount(count > 12 ? 1 : 0)
  })

  test('shows its name in one piece with letters twice as large', { tag: '@phone' }, async ({ page }) => {
    await page.goto(STORE)
    await enlargeLetters(page)

    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText('Tonehaus')
    const lineHeight = await heading.evaluate(element => Number.parseFloat(getComputedStyle(element).lineHeight))
    expect((await heading.boundingBox())?.height).toBeLessThan(1.5 * lineHeight)
    const banner = page.getByRole('main').locator('header').first()
    const { x, width } = (await banner.boundingBox())!
    const count = (await banner.getByText(/^\(\d+/).boundingBox())!
    expect(count.x + count.width).toBeLessThanOrEqual(x + width)
    expect(await overflowing(page)).toEqual([])
  })

  test('pages through its products and keeps the layout', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(STORE)
    await page.getByRole('link', { name: 'Show as list' }).click()
    await expect(page).toHaveURL(`${STORE}?layout=list`)

    await page.getByRole('navigation', { name: 'Pages of Tonehaus' }).getByRole('link', { name: 'Page 2' }).click()

    await expect(page).toHaveURL(`${STORE}?layout=list&pageNumber=2`)
    await expect(page.getByRole('article').first()).toBeVisible()
  })

  test('is searched and sorted', async ({ page }) => {
    await page.goto(STORE)
    const total = page.getByText(/^\d+ products?$/)
    const all = await total.innerText()

    await page.getByRole('searchbox', { name: 'Search in Tonehaus' }).fill('headphones')
    await page.getByRole('searchbox', { name: 'Search in Tonehaus' }).press('Enter')
    await expect(page).toHaveURL(`${STORE}?value=headphones`)
    await expect(total).not.toHaveText(all)
    await expect(page.getByRole('article').first()).toContainText(/headphones/i)

    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price: low to high')
    await expect(page).toHaveURL(`${STORE}?value=headphones&sortPrice=low-to-high`)
    await page.getByRole('link', { name: /“headphones”/ }).click()
    await expect(page).toHaveURL(`${STORE}?sortPrice=low-to-high`)
    await expect(total).toHaveText(all)
  })

  test('shows products first once they are searched or paged through', { tag: '@phone' }, async ({ page }) => {
    await page.goto(STORE)
    await expect(page.getByRole('heading', { name: 'About' })).toBeInViewport()

    for (const query of ['value=headphones', 'pageNumber=2', 'sortPrice=newest']) {
      await page.goto(`${STORE}?${query}`)
      await expect(page.getByRole('article').first()).toBeInViewport()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tonehaus')
    }
    await page.getByRole('heading', { name: 'Shipping and returns' }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('link', { name: 'Returns within 30 days' })).toBeInViewport()
  })

  test('says why the shop can be trusted and how to reach it', { tag: '@phone' }, async ({ page }) => {
    await page.goto(STORE)
    const main = page.getByRole('main')

    await expect(main.getByText(/^Here since \w+ \d{4}$/)).toBeVisible()
    await expect(main.getByText('Usually replies within an hour')).toBeVisible()
    await expect(main.getByText(/^[\d,]+\+? sold in the last 90 days$/)).toBeVisible()
    await expect(main.getByRole('img', { name: /^Rated .* out of 5$/ }).first()).toBeVisible()
    await expect(main.getByRole('link', { name: 'Returns within 30 days' })).toHaveAttribute(
      'href',
      '/return-refund-policy',
    )
    await main.getByRole('link', { name: 'Message Tonehaus' }).click()
    await expect(page).toHaveURL(/^[^?]*\/login\?next=/)
  })

  test('redirects a wrong shop name to the right one', { tag: '@desktop' }, async ({ request }) => {
    const answer = await request.get(`/stores/someone-else/${demoId('shop', 'tonehaus')}`, { maxRedirects: 0 })

    expect(answer.status()).toBe(301)
    expect(answer.headers().location).toBe(STORE)
  })

  test('an unknown store shows a message and links to all stores', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^404 .*nobody/).expect(/status of 404/)

    await page.goto('/stores/nobody/nothing')
    await page.getByRole('main').getByRole('link', { name: 'See all stores' }).click()

    await expect(page).toHaveURL('/stores')
  })
})

async function shownTotal(page: Page): Promise<number> {
  return Number.parseInt(await page.getByText(/^\d+ Stores$/).innerText(), 10)
}

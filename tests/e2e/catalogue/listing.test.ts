import type { Page } from 'playwright/test'
import { holdBack } from '#tests/support/browser/calls.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { applyButton, shownTotal } from '#tests/support/browser/listing.ts'

test.describe('product listing', () => {
  test('sorts by the discounted price across all pages', { tag: '@desktop' }, async ({ page }) => {
    const prices: number[] = []
    for (const number of [1, 2, 3]) {
      await page.goto(`/products?category=Clothing&sortPrice=low-to-high&pageNumber=${number}`)
      prices.push(...(await shownPrices(page)))
    }
    // A choice made before the script has loaded is kept.
    const openScript = await withoutScript(page, '/products?category=Clothing')
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price: high to low')
    openScript()
    await expect(page).toHaveURL('/products?category=Clothing&sortPrice=high-to-low')
    const [highest] = await shownPrices(page)

    expect(prices).toHaveLength(24)
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    expect(highest).toBe(prices.at(-1))
    const openFilters = await withoutScript(page, '/products')
    const lowest = page.getByRole('slider', { name: 'Lowest price' })
    await lowest.press('ArrowRight')
    const low = await lowest.inputValue()
    await page.getByRole('spinbutton', { name: 'To' }).fill('150')
    await page.getByRole('radio', { name: '4 to 4.9 stars' }).click()
    openFilters()
    await expect(page).toHaveURL(`/products?lowPrice=${low}&highPrice=150&rating=4`)
  })

  test('raises a card under a mouse, but not under a finger', async ({ page, isMobile }) => {
    await page.goto('/products')
    const card = page.getByRole('article').first()
    const shadow = () =>
      card.evaluate(async element => {
        await Promise.all(element.getAnimations().map(animation => animation.finished))
        return getComputedStyle(element).boxShadow
      })
    const flat = await shadow()

    await card.hover()

    await expect.poll(async () => (await shadow()) === flat).toBe(isMobile)
  })

  test('filters by rating, and removes the filter again', async ({ page, isMobile }) => {
    await page.goto('/products?category=Audio')
    const all = await shownTotal(page)

    if (isMobile) await page.getByRole('button', { name: 'Filter items' }).click()
    await page.getByRole('radio', { name: '4 to 4.9 stars' }).click()
    if (isMobile) await applyButton(page).click()
    await expect(page).toHaveURL('/products?category=Audio&rating=4')
    await page.waitForLoadState()

    const ratings = await page
      .getByRole('article')
      .getByRole('img', { name: /^Rated/ })
      .evaluateAll(stars => stars.map(star => Number(star.getAttribute('aria-label')?.match(/[\d.]+/)?.[0])))
    expect(ratings.length).toBeGreaterThan(0)
    for (const rating of ratings) expect(Math.floor(rating)).toBe(4)
    expect(await shownTotal(page)).toBeLessThan(all)
    await page.getByRole('list', { name: 'Filters in use' }).getByRole('link', { name: '4 stars' }).click()
    await expect(page).toHaveURL('/products?category=Audio')
    expect(await shownTotal(page)).toBe(all)
  })

  test('narrows the prices with the slider by keyboard', { tag: '@desktop' }, async ({ page, isMobile }) => {
    await page.goto('/products')
    const all = await shownTotal(page)
    if (isMobile) await page.getByRole('button', { name: 'Filter items' }).click()
    const lowest = page.getByRole('slider', { name: 'Lowest price' })

    const from = Number(await lowest.inputValue())
    await lowest.press('ArrowRight')
    await lowest.press('ArrowRight')
    await lowest.press('PageUp')

    const value = Number(await lowest.inputValue())
    expect(value).toBeGreaterThan(from + 2)
    await expect(lowest).toHaveAttribute('aria-valuetext', `$${value}`)
    await expect(page.getByRole('spinbutton', { name: 'From' })).toHaveValue(String(value))
    await applyButton(page).click()
    await expect(page).toHaveURL(`/products?lowPrice=${value}`)
    const prices = await shownPrices(page)
    expect(prices.length).toBeGreaterThan(0)
    for (const price of prices) expect(price).toBeGreaterThanOrEqual(value)
    expect(await shownTotal(page)).toBeLessThan(all)
  })

  test('narrows the prices by dragging the slider, whose ends cannot cross', async ({ page, isMobile }) => {
    await page.goto('/products')
    if (isMobile) await page.getByRole('button', { name: 'Filter items' }).click()
    const highest = page.getByRole('slider', { name: 'Highest price' })
    await highest.scrollIntoViewIfNeeded()
    const track = await highest.boundingBox()
    if (!track) throw new Error('There is no slider')
    const end = Number(await highest.getAttribute('max'))
    const middle = track.y + track.height / 2

    await page.mouse.move(track.x + track.width - 12, middle)
    await page.mouse.down()
    await page.mouse.move(track.x + track.width / 4, middle, { steps: 5 })
    await page.mouse.up()
    if (isMobile) await applyButton(page).click()

    await expect(page).toHaveURL(/\/products\?highPrice=\d+$/)
    const high = Number(new URL(page.url()).searchParams.get('highPrice'))
    expect(high).toBeLessThan(end / 2)
    const prices = await shownPrices(page)
    expect(prices.length).toBeGreaterThan(0)
    for (const price of prices) expect(price).toBeLessThanOrEqual(high)
    if (isMobile) await page.getByRole('button', { name: 'Filter items' }).click()
    await page.getByRole('slider', { name: 'Lowest price' }).press('End')
    await expect(page.getByRole('slider', { name: 'Lowest price' })).toHaveValue(String(high))
  })

  test('shows a grid of three columns, or a list', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products')
    expect(await columns(page)).toBe(3)

    await page.getByRole('link', { name: 'Show as list' }).click()
    await expect(page).toHaveURL('/products?layout=list')
    expect(await columns(page)).toBe(1)
    await page.getByRole('link', { name: 'Show as grid' }).click()

    await expect(page).toHaveURL('/products')
  })

  test('hides the filters behind a button on a phone', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/products?category=Audio')
    const filters = page.getByRole('form', { name: 'Filters' })
    await expect(filters).toBeHidden()
    expect(await columns(page)).toBe(2)

    await page.getByRole('button', { name: 'Filter items' }).click()
    await expect(filters).toBeInViewport()
    await page.keyboard.press('Escape')

    await expect(filters).toBeHidden()
  })

  test(
    'shows at most five page numbers, and none when there is only one page',
    { tag: '@desktop' },
    async ({ page }) => {
      await page.goto('/products?pageNumber=10')
      const pager = page.getByRole('navigation', { name: 'Pages of products' })
      const numbers = await pager.getByRole('link', { name: /^Page \d+$/ }).allInnerTexts()
      expect(numbers.map(Number)).toEqual([8, 9, 10, 11, 12])

      await pager.getByRole('link', { name: 'Next page' }).click()
      await expect(page).toHaveURL('/products?pageNumber=11')
      await expect(pager.locator('[aria-current=page]')).toHaveText('11')
      await expect(page.getByRole('article')).toHaveCount(12)
      await page.goto('/products?category=Bags')

      expect(await shownTotal(page)).toBe(11)
      await expect(pager).toHaveCount(0)
    },
  )

  test('says that no products were found, and links to all products', async ({ page }) => {
    await page.goto('/products/search?value=zzzzzz')

    await expect(page.getByText('No products found.')).toBeVisible()
    await page.getByRole('link', { name: 'Browse Other Products' }).click()

    await expect(page).toHaveURL('/products')
  })

  test('suggests top sellers when nothing is found', async ({ page }) => {
    await page.goto('/products/search?value=zzzzzz')

    await expect(page.getByText('try fewer or more general words')).toBeVisible()
    await expect(page.getByRole('form', { name: 'Filters', includeHidden: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Filter items' })).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveCount(0)
    const topSellers = page.locator('section', { has: page.getByRole('heading', { name: 'Top selling products' }) })
    expect(await topSellers.getByRole('article').count()).toBeGreaterThan(3)
    await topSellers.getByRole('link', { name: 'See all products' }).click()

    await expect(page).toHaveURL('/products')
  })

  test('shows related products below few matches, and none of them twice', async ({ page }) => {
    await page.goto('/products/search?value=abacus')

    const total = await shownTotal(page)
    expect(total).toBeLessThan(4)
    await expect(page.getByRole('heading', { name: 'Related to “abacus”' })).toBeVisible()
    const names = await page.getByRole('article').getByRole('heading').allInnerTexts()
    expect(names.length).toBeGreaterThan(total)
    expect(new Set(names).size).toBe(names.length)
  })

  test('finds products despite a typo in the search', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/')

    await page.getByLabel('Search products').fill('headphnoes')
    await page.getByLabel('Search products').press('Enter')

    await expect(page.getByRole('article').first()).toContainText('Headphones')
  })

  test('keeps a literal search when it is sorted', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products/search?value=lantern&literal=true')

    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price: low to high')

    await expect(page).toHaveURL(/value=lantern&.*literal=true/)
  })

  test('Back restores the filters and the scroll position', { tag: '@phone' }, async ({ page, isMobile }) => {
    await page.goto('/products')
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price: low to high')
    await expect(page).toHaveURL('/products?sortPrice=low-to-high')
    const last = page.getByRole('article').last().getByRole('heading').getByRole('link')
    await last.scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => scrollY)
    expect(place).toBeGreaterThan(isMobile ? 500 : 200)

    await last.click()
    await expect(page).toHaveURL(/\/product\/details\//)
    await page.goBack()

    await expect(page).toHaveURL('/products?sortPrice=low-to-high')
    await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('low-to-high')
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(place - 50)
    await page.goBack()
    await expect(page).toHaveURL('/products')
    await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('')
  })

  test('redirects an invalid address to the clean one', { tag: '@desktop' }, async ({ request, page }) => {
    for (const [wrong, clean] of [
      ['/products?rating=9&category=Audio', '/products?category=Audio'],
      ['/products?pageNumber=0', '/products'],
      ['/products?lowPrice=90&highPrice=10', '/products?lowPrice=10&highPrice=90'],
      ['/products/search?value=a&value=b', '/products/search?value=a'],
    ] as const) {
      const answer = await request.get(wrong, { maxRedirects: 0 })
      expect(answer.status(), wrong).toBe(302)
      expect(answer.headers().location).toBe(clean)
    }
    await page.goto('/products?category=Audio&pageNumber=99')
    await expect(page.getByText('This page is past the last product.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to page 1' })).toHaveAttribute('href', '/products?category=Audio')
  })

  test(
    'names the category in the breadcrumb, and shows the latest products beside the list',
    { tag: '@desktop' },
    async ({ page }) => {
      await page.goto('/products?category=Audio')

      const steps = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
      await expect(steps).toHaveText(['Home', 'Products', 'Audio'])
      const latest = page.getByRole('complementary', { name: 'Latest Products' })
      await expect(latest.getByRole('listitem').getByRole('link')).toHaveCount(6)
    },
  )
})

/** Opens a page without its script; the script loads when the returned function is called. */
async function withoutScript(page: Page, path: string): Promise<() => void> {
  const { release } = await holdBack(page, '**/_astro/*.js')
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  return release
}

/** The address of a page changes before its list is there. */
async function shownPrices(page: Page): Promise<number[]> {
  await page.waitForLoadState()
  const prices = page.getByRole('article').locator('[data-usd]:not(s [data-usd])')
  return prices.evaluateAll(all => all.map(each => Number((each as HTMLElement).dataset.usd) / 100))
}

async function columns(page: Page): Promise<number> {
  await page.waitForLoadState()
  const tops = await page.getByRole('article').evaluateAll(cards => cards.map(card => card.getBoundingClientRect().top))
  return tops.filter(top => top === tops[0]).length
}

import type { Locator, Page } from 'playwright/test'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { applyButton, shownTotal } from '#tests/support/browser/listing.ts'
import { STORE } from '#tests/support/browser/page-kinds.ts'

test.describe('the filters of a list', () => {
  test('narrow it to what a shopper can buy, and are removed one by one', async ({ page, isMobile }) => {
    await page.goto('/products?category=Shoes')
    const all = await shownTotal(page)

    await openFilters(page, isMobile)
    const size = page.getByRole('group', { name: 'Size' }).getByRole('checkbox', { name: /^43 / })
    const count = await countOf(size)
    await size.click()
    await apply(page, isMobile)
    await expect(page).toHaveURL('/products?category=Shoes&option.size=43')
    expect(await shownTotal(page)).toBe(count)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(all)

    await openFilters(page, isMobile)
    await expect(size).toBeChecked()
    await page.getByRole('group', { name: 'Size' }).getByRole('checkbox', { name: /^42 / }).click()
    await apply(page, isMobile)
    await expect(page).toHaveURL(/option\.size=42&option\.size=43|option\.size=43&option\.size=42/)
    expect(await shownTotal(page)).toBeGreaterThanOrEqual(count)

    const inUse = page.getByRole('list', { name: 'Filters in use' })
    await expect(inUse.getByRole('link')).toHaveText([/Shoes/, /Size 42/, /Size 43/, 'Clear all'])
    await inUse.getByRole('link', { name: 'Remove filter Size 42' }).click()
    await expect(page).toHaveURL('/products?category=Shoes&option.size=43')
    await page.goBack()
    await inUse.getByRole('link', { name: 'Clear all' }).click()
    await expect(page).toHaveURL('/products?category=Shoes')
  })

  for (const { group, role, name, chip } of [
    { group: 'Shop', role: 'checkbox', name: / \(\d+\)$/, chip: /\w/ },
    { group: 'Discount', role: 'radio', name: /^10% off or more/, chip: /10% off or more/ },
    { group: 'Rating', role: 'radio', name: /^4 to 4\.9/, chip: /4 stars/ },
    { group: 'Delivery', role: 'checkbox', name: /^In stock/, chip: /In stock/ },
  ] as const)
    test(`count what each choice leaves: ${group}`, async ({ page, isMobile }) => {
      await page.goto('/products?category=Clothing')
      await openFilters(page, isMobile)
      if (group === 'Shop') await page.locator('summary', { hasText: group }).click()
      const choice = page.getByRole('group', { name: group }).getByRole(role, { name }).first()
      const count = await countOf(choice)

      await choice.click()
      if (isMobile) await expect(applyButton(page)).toHaveText(`Show ${count} ${count === 1 ? 'product' : 'products'}`)
      await apply(page, isMobile)

      const inUse = page.getByRole('list', { name: 'Filters in use' })
      await expect(inUse.getByRole('link')).toHaveText([/Clothing/, chip])
      expect(await shownTotal(page)).toBe(count)
      expect(count).toBeGreaterThan(0)
    })

  test('leave the products that ship to a country', async ({ page, isMobile }) => {
    await page.goto('/products?category=Shoes')
    await openFilters(page, isMobile)
    await page.getByRole('combobox', { name: 'Ships to' }).selectOption('Kenya')
    await applyButton(page).click()

    await expect(page).toHaveURL('/products?category=Shoes&shipsTo=Kenya')
    await page.getByRole('link', { name: 'Remove filter Ships to Kenya' }).click()
    await expect(page).toHaveURL('/products?category=Shoes')
  })

  test(
    'say how many products a shop has for a choice before it is made',
    { tag: '@phone' },
    async ({ page, faults }) => {
      faults.expect(/failed: .*count-products/).expect(/ERR_FAILED/)
      await page.goto(STORE)
      const all = await shownTotal(page)
      await openFilters(page, true)
      await expect(applyButton(page)).toHaveText(`Show ${all} products`)

      const colour = page.getByRole('group', { name: 'Colour' }).getByRole('checkbox', { name: /^Sand / })
      const count = await countOf(colour)
      await colour.click()
      await expect(applyButton(page)).toHaveText(`Show ${count} ${count === 1 ? 'product' : 'products'}`)
      await page.route('**/count-products?*', route => route.abort())
      await colour.click()
      await expect(applyButton(page)).toHaveText('Apply filters')
    },
  )

  test('are counted on a phone’s button, and cleared in the panel', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/products?category=Shoes')
    const button = page.getByRole('button', { name: 'Filter items' })
    await expect(button).toHaveText('Filter items')
    await button.tap()
    await expect(page.getByRole('link', { name: 'Clear filters' })).toHaveCount(0)

    await page.goto('/products?category=Shoes&option.size=43&inStock=true')
    await expect(button).toHaveAccessibleName('Filter items 2 in use')
    await button.tap()
    await page.getByRole('link', { name: 'Clear filters' }).tap()

    await expect(page).toHaveURL('/products?category=Shoes')
  })

  test('do not cover the focused control with their button', { tag: '@phone' }, async ({ page }) => {
    await page.setViewportSize({ width: 640, height: 700 })
    await page.goto('/products')
    await page.getByRole('button', { name: 'Filter items' }).press('Enter')

    for (let stop = 0; stop < 25; stop += 1) {
      await page.keyboard.press('Tab')
      const covered = await page.evaluate(() => {
        const focused = document.activeElement!
        const { left, top, width, height } = focused.getBoundingClientRect()
        const shown = document.elementFromPoint(left + width / 2, top + height / 2)
        const bar = shown?.closest('.filter-apply')
        return bar && !bar.contains(focused) ? focused.outerHTML.slice(0, 100) : ''
      })
      expect(covered, `stop ${stop + 1}`).toBe('')
    }
  })

  test('leave a phone room for the name of each sort order', { tag: '@phone' }, async ({ page }) => {
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/products?category=Shoes&option.size=43&inStock=true')
      const sort = page.getByRole('combobox', { name: 'Sort by' })
      const shown = await sort.evaluate((element: HTMLElement) => element.offsetWidth)
      // As wide as its widest option.
      const needed = await sort.evaluate((element: HTMLElement) => {
        element.style.width = 'max-content'
        return element.offsetWidth
      })
      expect(shown, `at ${width} px`).toBeGreaterThanOrEqual(needed)
      const tops = await Promise.all(
        [sort, page.getByRole('link', { name: 'Show as list' })].map(async each => (await each.boundingBox())?.y),
      )
      expect(Math.abs(tops[0]! - tops[1]!)).toBeLessThan(10)
    }
  })

  test('have prices from the cheapest product of the list', async ({ page, isMobile }) => {
    await page.goto('/products?category=Shoes&sortPrice=low-to-high')
    const cheapest = await page.getByRole('article').first().locator('[data-usd]').first().getAttribute('data-usd')
    await openFilters(page, isMobile)

    const lowest = page.getByRole('slider', { name: 'Lowest price' })
    await expect(lowest).toHaveAttribute('min', String(Math.floor(Number(cheapest) / 100)))
    await page.goto('/products')
    await openFilters(page, isMobile)
    await expect(lowest).not.toHaveAttribute('min', String(Math.floor(Number(cheapest) / 100)))
  })

  test('begin with the price in a list of everything, and with sizes in one of shoes', async ({ page, isMobile }) => {
    const topOf = async (filter: Locator) => (await filter.boundingBox())!.y
    const price = page.getByRole('slider', { name: 'Lowest price' })
    const size = page.locator('summary', { hasText: /^Size$/ })
    await page.goto('/products')
    await openFilters(page, isMobile)
    expect(await topOf(price)).toBeLessThan(await topOf(size))

    await page.goto('/products?category=Shoes')
    await openFilters(page, isMobile)
    expect(await topOf(size)).toBeLessThan(await topOf(price))
  })

  test('are chosen with the keyboard', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products?category=Clothing')
    const brands = page.locator('summary', { hasText: 'Brand' })

    await brands.press('Enter')
    const brand = page.getByRole('group', { name: 'Brand' }).getByRole('checkbox', { name: /^Ostara / })
    await brand.press('Space')
    await expect(page).toHaveURL('/products?category=Clothing')
    await applyButton(page).press('Enter')

    await expect(page).toHaveURL('/products?category=Clothing&brand=Ostara')
    await expect(brand).toBeChecked()
    expect(await shownTotal(page)).toBe(await countOf(brand))
  })

  test('collapse long lists of values', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products')
    const colours = page.getByRole('group', { name: 'Colour' })
    const shown = await colours.getByRole('checkbox').count()
    const more = colours.getByText(/^Show all \d+/)
    const count = Number(/\d+/.exec(await more.innerText()))

    await more.click()

    await expect(colours.getByRole('checkbox')).toHaveCount(count)
    expect(count).toBeGreaterThan(shown)
  })

  test('are named when no product has all of them', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products?category=Shoes&option.size=43&brand=Nobody')

    await expect(page.getByText('No products found.')).toBeVisible()
    await expect(page.getByText('There may be some without')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Nobody', exact: true }).click()
    await expect(page).toHaveURL('/products?category=Shoes&option.size=43')
    expect(await shownTotal(page)).toBeGreaterThan(0)
  })

  test('have clean addresses, and are not stored', { tag: '@desktop' }, async ({ request }) => {
    for (const [wrong, clean] of [
      ['/products?option.Color=Red', '/products?option.colour=Red'],
      ['/products?option.size=43&option.size=43', '/products?option.size=43'],
      ['/products?option.=43&brand=Calla', '/products?brand=Calla'],
      [`${STORE}?option.COLOR=Sand`, `${STORE}?option.colour=Sand`],
    ] as const) {
      const answer = await request.get(wrong, { maxRedirects: 0 })
      expect(answer.status(), wrong).toBe(302)
      expect(answer.headers().location).toBe(clean)
    }
    await request.get('/products?option.size=43')
    const filtered = await request.get('/products?option.size=43')
    expect(filtered.headers()['x-cache']).not.toBe('HIT')
  })

  test('narrow a shop', async ({ page, isMobile }) => {
    await page.goto(STORE)
    const all = await shownTotal(page)

    await openFilters(page, isMobile)
    const colour = page.getByRole('group', { name: 'Colour' }).getByRole('checkbox', { name: /^Sand / })
    const count = await countOf(colour)
    await colour.click()
    await apply(page, isMobile)

    await expect(page).toHaveURL(`${STORE}?option.colour=Sand`)
    expect(await shownTotal(page)).toBe(count)
    await page.getByRole('link', { name: 'Remove filter Sand' }).click()
    await expect(page).toHaveURL(STORE)
    expect(await shownTotal(page)).toBe(all)
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('narrow the list, in its order', async ({ page, isMobile }) => {
      await page.goto('/products?category=Clothing&sortPrice=low-to-high')

      await openFilters(page, isMobile)
      const sizes = page.getByRole('group', { name: 'Size' })
      await sizes.getByRole('checkbox', { name: /^M / }).check()
      await sizes.getByRole('checkbox', { name: /^L / }).check()
      await applyButton(page).click()

      await expect(page).toHaveURL(url => String(url.searchParams.getAll('option.size')) === 'M,L')
      await expect(page).toHaveURL(url => url.searchParams.get('sortPrice') === 'low-to-high')
      const inUse = page.getByRole('list', { name: 'Filters in use' })
      await expect(inUse.getByRole('link')).toHaveText([/Clothing/, /Size M/, /Size L/, 'Clear all'])
      await expect(page.getByRole('article').first()).toBeVisible()
    })
  })
})

async function openFilters(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole('button', { name: 'Filter items' }).click()
}

/** On wide screens, a choice by pointer applies at once. */
async function apply(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await applyButton(page).click()
}

async function countOf(value: ReturnType<Page['getByRole']>): Promise<number> {
  const text = await value.locator('..').innerText()
  return Number(/\((\d+)\)/.exec(text)?.[1])
}

import type { Locator, Page } from 'playwright/test'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { pressIn, typeIn } from '#tests/support/browser/keyboard.ts'
import { shownTotal } from '#tests/support/browser/listing.ts'
import { signUp } from '#tests/support/accounts/customer.ts'

/** How a shopper uses what a page shows. */
interface Hands {
  press(control: Locator): Promise<void>
  choose(box: Locator): Promise<void>
  type(field: Locator, text: string): Promise<void>
}

const CATEGORY = '/products?category=Audio'

const fingers: Hands = {
  press: control => control.tap(),
  choose: box => box.tap(),
  type: (field, text) => field.fill(text),
}
const mouse: Hands = {
  press: control => control.click(),
  choose: box => box.check(),
  type: (field, text) => field.fill(text),
}
const keys: Hands = {
  press: control => pressIn(control, 'Enter'),
  choose: box => pressIn(box, 'Space'),
  async type(field, text) {
    await pressIn(field, 'ControlOrMeta+A')
    await typeIn(field, text)
  },
}

const addressOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search
const products = (page: Page) => page.getByRole('article').getByRole('heading').getByRole('link')

/** Comes from a search engine, and narrows the category until three products are left. Returns their names. */
async function narrowToThree(page: Page, hands: Hands, isPhone: boolean): Promise<string[]> {
  await page.goto(CATEGORY, { referer: 'https://search.example/' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audio')
  expect(await shownTotal(page)).toBeGreaterThan(3)

  if (isPhone) await hands.press(page.getByRole('button', { name: 'Filter items' }))
  await hands.type(page.getByRole('spinbutton', { name: 'To' }), '60')
  await hands.choose(page.getByRole('checkbox', { name: /^In stock/ }))
  // With scripts, it says what it will show.
  await hands.press(page.getByRole('button', { name: /^(Apply filters|Show 3 products)$/ }))

  await expect(page).toHaveURL(({ searchParams: filters }) => {
    return filters.get('inStock') === 'true' && filters.get('highPrice') === '60'
  })
  expect(await shownTotal(page)).toBe(3)
  await expect(products(page)).toHaveCount(3)
  return products(page).allInnerTexts()
}

/** Opens each product and goes back to the same list, filters and place. Returns the name of the cheapest. */
async function compare(page: Page, hands: Hands, names: string[]): Promise<string> {
  const list = addressOf(page)
  const prices: number[] = []
  for (const name of names) {
    const link = products(page).filter({ hasText: name })
    await hands.press(link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    prices.push(await shownPrice(page))

    await page.goBack()
    expect(addressOf(page)).toBe(list)
    await expect(page.getByRole('list', { name: 'Filters in use' }).getByRole('link')).toHaveText([
      /Audio/,
      /In stock/,
      /Up to \$60/,
      'Clear all',
    ])
    await expect(link).toBeInViewport()
  }
  return names[prices.indexOf(Math.min(...prices))] ?? ''
}

async function shownPrice(page: Page): Promise<number> {
  const text = await page
    .getByRole('main')
    .getByText(/^\$\d+$/)
    .first()
    .innerText()
  return Number(text.slice(1))
}

/** Adds the product and finds it in the cart. */
async function addToCart(page: Page, hands: Hands, name: string): Promise<void> {
  await hands.press(page.getByRole('link', { name: `Add ${name} to cart` }))
  await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
  await expect(page.locator('[data-count="cart"]')).toHaveText('1')
  await page.goto('/cart')
  await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible()
}

test.describe('a shopper who comes from a search engine', () => {
  test(
    'narrows a category to three products, compares them and adds one, by touch',
    { tag: ['@phone', '@long'] },
    async ({ page }) => {
      await signUp(page)
      const names = await narrowToThree(page, fingers, true)
      await addToCart(page, fingers, await compare(page, fingers, names))
    },
  )

  test('does the same by keyboard', { tag: ['@desktop', '@long'] }, async ({ page }) => {
    await signUp(page)
    const names = await narrowToThree(page, keys, false)
    await addToCart(page, keys, await compare(page, keys, names))
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test(
      'narrows the list, compares products, and reads what to choose before adding one',
      { tag: '@long' },
      async ({ page, isMobile }) => {
        const names = await narrowToThree(page, mouse, isMobile)
        const cheapest = await compare(page, mouse, names)

        await page.getByRole('link', { name: `Add ${cheapest} to cart` }).click()

        await expect(page.getByText(/Logging in needs JavaScript/)).toBeVisible()
        await page.goBack()
        expect(await shownTotal(page)).toBe(3)
      },
    )
  })
})

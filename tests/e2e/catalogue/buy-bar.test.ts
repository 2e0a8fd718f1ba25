import type { Page } from 'playwright/test'
import { expect, measureShifts, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

const SOLD_OUT = '/product/details/minute-fader-two-channel-mixer'

const form = (page: Page) => page.getByRole('form', { name: /^Buy/ })
const barButton = (page: Page, name: string) => page.locator('[data-buy-bar]').getByRole('button', { name })

/** Makes the first movement, at which the bar's code is loaded, and scrolls to the reviews. */
async function readOn(page: Page): Promise<void> {
  await settled(page)
  await page.keyboard.press('Shift')
  await settled(page)
  await page.getByRole('heading', { name: 'Related Products' }).scrollIntoViewIfNeeded()
}

test('price and button stay in view once the buy button is scrolled past', async ({ page }) => {
  const shifts = await measureShifts(page)
  await page.goto(PRODUCT)
  await expect(barButton(page, 'Add to cart')).toBeHidden()

  await readOn(page)

  await expect(barButton(page, 'Add to cart')).toBeInViewport({ ratio: 1 })
  await expect(page.locator('[data-buy-bar] [data-usd]').first()).toHaveText('$171')
  await form(page).getByRole('button', { name: 'Add to cart' }).scrollIntoViewIfNeeded()
  await expect(barButton(page, 'Add to cart')).toBeHidden()
  expect(await shifts()).toEqual({ sum: 0, moved: [] })
})

test(
  'price and button are in view on a phone whose window ends above the buy button',
  { tag: '@phone' },
  async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 568 })
    await page.goto('/product/details/cirrus-running-shoes')
    await expect(form(page).getByRole('button', { name: 'Add to cart' })).not.toBeInViewport()
    await settled(page)

    await page.keyboard.press('Shift')

    await expect(barButton(page, 'Add to cart')).toBeInViewport({ ratio: 1 })
    await form(page).getByRole('button', { name: 'Buy Now' }).scrollIntoViewIfNeeded()
    await expect(barButton(page, 'Add to cart')).toBeHidden()
  },
)

test('the bar covers neither the footer nor the element that has the focus', async ({ page }) => {
  await page.goto(PRODUCT)
  await readOn(page)
  await expect(barButton(page, 'Add to cart')).toBeVisible()
  const top = async () => (await page.locator('[data-buy-bar]').boundingBox())!.y

  const all = page.getByRole('main').getByRole('link', { name: 'See all' })
  await page.evaluate(() => scrollTo({ top: document.querySelector('[data-tabs]')!.scrollHeight, behavior: 'instant' }))
  await readOn(page)
  await all.focus()
  const focused = (await all.boundingBox())!
  expect(focused.y + focused.height).toBeLessThanOrEqual(await top())

  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  // The bar may still be moving.
  await expect(async () => {
    const bar = (await page.locator('[data-buy-bar]').boundingBox())!
    const footer = (await page.getByRole('contentinfo').boundingBox())!
    expect(bar.y + bar.height).toBeLessThanOrEqual(footer.y + 1)
  }).toPass()
})

test('the bar’s button does what the buy button does, for the chosen colour', { tag: '@phone' }, async ({ page }) => {
  await page.goto(PRODUCT)
  await form(page).getByRole('radio', { name: 'Graphite' }).check()
  await readOn(page)

  await barButton(page, 'Add to cart').click()

  await expect(page).toHaveURL(/\/login\?next=.*variant/)
})

test('the bar of a sold-out product cannot be pressed', { tag: '@phone' }, async ({ page }) => {
  await page.goto(SOLD_OUT)
  await readOn(page)

  await expect(barButton(page, 'Add to cart')).toBeDisabled()
})

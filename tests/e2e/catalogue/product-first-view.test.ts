import type { Page } from 'playwright/test'
import { expect, NARROWEST, test } from '#tests/support/browser/e2e.ts'

const PRODUCTS = [
  { name: 'with an option and pictures', slug: 'elbe-over-ear-headphones' },
  { name: 'with two rows of sizes', slug: 'cirrus-running-shoes' },
  { name: 'with sizes and colours', slug: 'lagoon-flip-flops' },
  { name: 'with two rows of sizes and one of colours', slug: 'cirrus-trail' },
  { name: 'with few left', slug: 'bellweather-stage-microphone' },
  { name: 'that is sold out', slug: 'minute-fader-two-channel-mixer' },
  { name: 'with a long name', slug: 'braided-charging-cable-with-right-angle-plug-2-m' },
]
const PHONE = { width: 390, height: 844 }
/** The same phone's window between the bars of its browser. */
const BETWEEN_BARS = { width: 390, height: 664 }

async function expectInFirstView(page: Page, slug: string, phone: typeof PHONE) {
  await page.setViewportSize(phone)
  await page.goto(`/product/details/${slug}`)
  const main = page.getByRole('main')
  const heading = main.getByRole('heading', { level: 1 })
  const picture = main.getByRole('img', { name: await heading.innerText(), exact: true })
  const button = page.getByRole('form', { name: /^Buy/ }).getByRole('button', { name: 'Add to cart', exact: true })

  const parts = [picture, heading, main.locator('a[href="#reviews"]').first(), main.locator('[data-usd]').first()]
  for (const part of [...parts, button]) await expect(part).toBeInViewport({ ratio: 1 })
  expect((await picture.boundingBox())!.height).toBeLessThanOrEqual(phone.height * 0.45)
}

for (const { name, slug } of PRODUCTS) {
  test(
    `a phone shows picture, name, rating, price and buy button of a product ${name} without scrolling`,
    { tag: '@phone' },
    ({ page }) => expectInFirstView(page, slug, PHONE),
  )
}

test(
  'products with few choices also fit between the bars of a phone’s browser',
  { tag: '@phone' },
  async ({ page }) => {
    for (const slug of ['elbe-over-ear-headphones', 'bellweather-stage-microphone', 'minute-fader-two-channel-mixer'])
      await expectInFirstView(page, slug, BETWEEN_BARS)
  },
)

test('at 320 px, picture, name and price of a product come first', { tag: '@phone' }, async ({ page }) => {
  await page.setViewportSize(NARROWEST)
  await page.goto('/product/details/elbe-over-ear-headphones')
  const main = page.getByRole('main')

  await expect(main.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
  await expect(main.locator('[data-usd]').first()).toBeInViewport({ ratio: 1 })
})

test(
  'the banner follows the buy box on phones, and is a strip above from 768 px',
  { tag: '@phone' },
  async ({ page }) => {
    await page.setViewportSize(PHONE)
    await page.goto('/product/details/elbe-over-ear-headphones')
    const form = page.getByRole('form', { name: /^Buy/ })
    const banner = page
      .getByRole('main')
      .getByText('Each instrument leaves us tuned')
      .locator('xpath=ancestor::*[.//img][1]')
    const below = (await form.boundingBox())!
    expect((await banner.boundingBox())!.y).toBeGreaterThan(below.y + below.height)

    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const strip = (await banner.boundingBox())!
      const path = (await page.getByRole('navigation', { name: 'Breadcrumb' }).boundingBox())!
      expect(strip.height).toBeLessThanOrEqual(96)
      expect(strip.y + strip.height).toBeLessThanOrEqual(path.y)
    }
  },
)

import type { Locator } from 'playwright/test'
import { SIDE_DESCRIPTION_LENGTH, SIDE_NAME_LENGTH } from '#lib/constants.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'

/** On a busy machine, the test may come too late for a slide, which is then shown again after all others. */
const WHOLE_LOOP = { timeout: 60_000 }

test.describe('home page', () => {
  test(
    'the banner carousel slides automatically in a loop until paused',
    { tag: ['@desktop', '@long'] },
    async ({ page }) => {
      await page.goto('/')
      const banners = page.getByRole('group', { name: 'Offers of the market', exact: true })
      const shown = banners.getByRole('button', { name: /^Show slide/ })
      const current = banners.locator('[aria-current][aria-label^="Show slide"]')
      await expect(current).toHaveAccessibleName('Show slide 1 of 5', WHOLE_LOOP)
      await expect(shown).toHaveCount(5)

      await expect(current).toHaveAccessibleName('Show slide 2 of 5', WHOLE_LOOP)
      await banners.getByRole('button', { name: 'Pause' }).click()
      await banners.getByRole('button', { name: 'Show slide 5 of 5' }).click()
      await expect(current).toHaveAccessibleName('Show slide 5 of 5')
      await expect(current).toHaveAttribute('aria-current', 'true')
      await banners.getByRole('button', { name: 'Next slide' }).click()

      await expect(current).toHaveAccessibleName('Show slide 1 of 5')
      await expect(banners.getByRole('button', { name: 'Play' })).toBeVisible()
      await expect(banners.locator('[data-playing]')).toHaveCount(0)
    },
  )

  test(
    'with reduced motion, the banners do not move automatically but the shopper can page through them',
    { tag: '@phone' },
    async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/')
      const banners = page.getByRole('group', { name: 'Offers of the market', exact: true })

      await expect(banners.getByRole('button', { name: 'Play' })).toBeVisible()
      await banners.getByRole('button', { name: 'Next slide' }).press('Enter')

      await expect(banners.locator('[aria-current][aria-label^="Show slide"]')).toHaveAccessibleName(
        'Show slide 2 of 5',
      )
    },
  )

  test('shows as many categories as fit the width', { tag: ['@desktop', '@long'] }, async ({ page }) => {
    const countByWidth = { 1280: 6, 768: 4, 565: 3, 480: 2, 440: 1 }
    for (const [width, count] of Object.entries(countByWidth)) {
      await page.setViewportSize({ width: Number(width), height: 900 })
      await page.goto('/')
      const categories = page.getByRole('group', { name: 'Categories' })
      const slides = categories.getByRole('group', { name: 'Slides' })

      await expect.poll(() => inView(slides), `at ${width} px`).toBe(count)
      await expect(categories).toHaveAttribute('data-awake')
      await expect.poll(() => inView(slides), `at ${width} px, with Swiper`).toBe(count)
    }
  })

  test(
    'top products have four columns and side lists nine entries; banners and stores link to their pages',
    { tag: ['@desktop', '@long'] },
    async ({ page }) => {
      await page.goto('/')
      const section = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) })
      const boxes = await section('Top selling products')
        .getByRole('article')
        .evaluateAll(cards => cards.map(card => card.getBoundingClientRect()))
      expect(boxes.filter(({ top }) => top === boxes[0]?.top)).toHaveLength(4)
      expect(boxes).toHaveLength(12)

      const shortened: string[] = []
      for (const title of ['Latest Product', 'Top Rated Products', 'On discount']) {
        const list = page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })
        const entries = list.locator('li.card:not(.swiper-slide-duplicate *)')
        await expect(entries).toHaveCount(9)
        const names = await entries.locator('h3').allInnerTexts()
        const descriptions = await entries.locator('h3 + p').allInnerTexts()
        for (const name of names) expect(lengthOf(name)).toBeLessThanOrEqual(SIDE_NAME_LENGTH)
        for (const text of descriptions) expect(lengthOf(text)).toBeLessThanOrEqual(SIDE_DESCRIPTION_LENGTH)
        shortened.push(...descriptions.filter(text => text.endsWith('...')))
      }
      // In a shop with other goods, the latest may all have short texts.
      expect(shortened).not.toEqual([])

      const stores = section('Featured stores')
      await expect(stores.getByRole('article')).toHaveCount(8)
      await expect(stores.getByText('Verified', { exact: true })).toHaveCount(8)
      await stores.getByRole('article').first().getByRole('link').click()
      await expect(page).toHaveURL(/\/stores\/[^/]+\/[^/]+$/)
      await page.goBack()
      await stores.getByRole('link', { name: 'See all stores' }).click()
      await expect(page).toHaveURL('/stores')

      await page.goto('/')
      const banner = page.getByRole('group', { name: 'Offers of the market' }).getByRole('link').first()
      const href = await banner.getAttribute('href')
      await banner.click()
      await expect(page).toHaveURL(href ?? 'nowhere')
    },
  )

  test('toasts grow with the browser’s text size', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/')
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))

    await page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe' }).click()

    await expect(page.locator('[data-sonner-toast]')).toHaveCSS('font-size', '26px')
  })

  test(
    'the newsletter form thanks for an address, on the first click; footer and categories link to their pages',
    { tag: '@phone' },
    async ({ page }) => {
      await page.goto('/')
      const footer = page.getByRole('contentinfo')

      await footer.getByRole('button', { name: 'Subscribe' }).click()
      await expect(page.getByText('Please enter a valid email.')).toBeVisible()
      await footer.getByRole('textbox', { name: 'Email' }).fill('ada@piazza.example')
      await footer.getByRole('button', { name: 'Subscribe' }).dblclick()

      await expect(page.getByText('Subscribed!')).toBeVisible()
      // The newest toast comes first.
      await expect(page.locator('[data-sonner-toast]').first()).toHaveText('Subscribed!')
      await expect(footer.getByRole('textbox', { name: 'Email' })).toHaveValue('')
      await expect(page).toHaveURL('/')

      for (const path of ['/about-us', '/privacy-policy', '/return-refund-policy', '/terms-and-conditions'])
        await expect(footer.locator(`a[href="${path}"]`)).toBeVisible()
      await expect(footer.getByRole('link', { name: 'support@piazza.example' })).toHaveAttribute('href', /^mailto:/)
      await expect(footer).toContainText('© 2025')
      await page.getByRole('group', { name: 'Categories' }).getByRole('link', { name: 'Audio' }).click()
      await expect(page).toHaveURL('/products?category=Audio')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audio')
    },
  )
})

/** Counts the slides that are completely in view. */
function inView(view: Locator): Promise<number> {
  return view.evaluate(element => {
    const { left, right } = element.getBoundingClientRect()
    const isInside = (slide: DOMRect) => slide.left > left - 2 && slide.right < right + 2
    return [...element.querySelectorAll('.carousel-slide')].filter(slide => isInside(slide.getBoundingClientRect()))
      .length
  })
}

function lengthOf(text: string): number {
  return text.replace(/\.\.\.$/, '').length
}

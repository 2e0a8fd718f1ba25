import type { Page } from 'playwright/test'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

/** A picture this far below the window is not near; src/scripts/early/pictures.ts requests them a little nearer. */
const FAR_PX = 700

/** Names of the pictures that the browser has requested, but that are far below the window or in a hidden slide. */
function requestedFarAway(page: Page): Promise<string[]> {
  return page.evaluate(far => {
    const requested = new Set(performance.getEntriesByType('resource').map(({ name }) => name))
    const isNear = (box: Element) => box.getBoundingClientRect().top < innerHeight + far
    // The slide after those in view is near.
    const isNextSlide = (slide: Element) => {
      const view = slide.closest('.carousel-view')!.getBoundingClientRect()
      return slide.getBoundingClientRect().left < view.right + slide.clientWidth - 1
    }
    return [...document.querySelectorAll('main img')]
      .filter(image => requested.has((image as HTMLImageElement).currentSrc))
      .filter(image => {
        const box = image.closest('picture')?.parentElement ?? image.parentElement!
        const slide = image.closest('.carousel-slide')
        return !isNear(box) || (slide && !isNextSlide(slide))
      })
      .map(image => (image as HTMLImageElement).currentSrc)
  }, FAR_PX)
}

test.describe('pictures', { tag: '@phone' }, () => {
  for (const [name, path] of Object.entries({
    home: '/',
    listing: '/products',
    categories: '/categories',
    product: PRODUCT,
    store: STORE,
  })) {
    test(`${name}: those far below and in hidden slides are not requested until they come near`, async ({ page }) => {
      const requests = new Set<string>()
      page.on('request', request => {
        if (request.resourceType() === 'image') requests.add(request.url())
      })
      await page.goto(path)
      await settled(page)

      expect(await requestedFarAway(page)).toEqual([])
      const first = requests.size
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()

      await expect.poll(() => requests.size).toBeGreaterThan(first)
    })
  }
})

import { expect, test } from '#tests/support/browser/e2e.ts'
import { recordLoads } from '#tests/support/browser/loads.ts'
import { settled } from '#tests/support/browser/settled.ts'

const PRODUCT = '/product/details/elbe-over-ear-headphones'

test('the thumbnail strip slides automatically until it is paused', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await page.goto(PRODUCT)
  const thumbnails = page.getByRole('group', { name: 'Views of this product', exact: true })
  await expect(thumbnails.getByRole('button', { name: 'Pause' })).toBeVisible()
  const last = thumbnails.getByRole('link', { name: 'View 5 of 5' })
  await expect(last).not.toBeInViewport({ ratio: 1 })

  await expect(last).toBeInViewport({ ratio: 1 })
  await thumbnails.getByRole('button', { name: 'Pause' }).click()

  await expect(thumbnails.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('the thumbnail strip needs no carousel script', { tag: '@phone' }, async ({ page }) => {
  const record = await recordLoads(page)
  await record.start()
  await page.goto(PRODUCT)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await settled(page)

  // Swiper alone is larger.
  expect(record.bytesOf('Script')).toBeLessThan(8000)
})

test('the thumbnails follow the colour that is chosen', { tag: '@phone' }, async ({ page }) => {
  // Otherwise they slide automatically.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/product/details/everyday-tee-heavy-organic-jersey')
  const olive = page.getByRole('link', { name: 'View 7 of 7', exact: true })
  await expect(olive).not.toBeInViewport()

  await page.getByRole('radio', { name: 'Olive' }).check()

  await expect(olive).toBeInViewport({ ratio: 1 })
})

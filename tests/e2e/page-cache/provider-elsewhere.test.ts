import sharp from 'sharp'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { axe, expect, overflowing } from '#tests/support/browser/e2e.ts'
import { testWithOwn } from '#tests/support/provider/own-shop.ts'

const test = testWithOwn(async ({ startShop, startSmallShop }) => {
  const provider = await startSmallShop(async (db, media) => {
    const red = { r: 200, g: 30, b: 30 }
    const bytes = await sharp({ create: { width: 640, height: 640, channels: 3, background: red } })
      .png()
      .toBuffer()
    const pictures = [await media.store(bytes)]
    for (const slug of ['kite', 'train']) await addProduct(db, { slug, name: `A ${slug}`, pictures, stock: 7 })
  })
  const storefront = await startShop({ PROVIDER_URL: provider.url, DEMO: '' })
  return {
    url: storefront.url,
    provider,
    async stop() {
      await storefront.stop()
      await provider.stop()
    },
  }
})

test.describe('a storefront whose API runs in another process', { tag: '@desktop' }, () => {
  test('shows pages and pictures; without the API, cached pages and an honest 503', async ({
    shop,
    page,
    request,
    faults,
  }) => {
    for (const path of ['/', '/products?category=Toys', '/product/details/kite']) {
      await page.goto(path)
      const picture = page.getByRole('main').locator('img[src*="/media/"]').filter({ visible: true }).first()
      await picture.scrollIntoViewIfNeeded()
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), path)
        .toBeGreaterThan(0)
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A kite')

    await shop.provider.stop()

    const stored = await request.get('/product/details/kite')
    expect(stored.status()).toBe(200)
    expect(await stored.text()).toContain('A kite')
    faults.expect(/^503 .*\/never-seen$/).expect(/status of 503/)
    const unseen = await page.goto('/product/details/never-seen')
    expect(unseen?.status()).toBe(503)
    expect(unseen?.headers()['retry-after']).toBe('5')
    await expect(page.getByRole('main')).toContainText('Failed to fetch product')
    expect(await axe(page)).toEqual([])
    faults.expect(/^503 .*\/stores\?sort=all$/).expect(/status of 503/)
    await page.goto('/stores?sort=all')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Back in a moment')
    await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', '/stores?sort=all')
    expect(await axe(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
    const store = await request.get('/stores/any/never-seen')
    expect(store.status()).toBe(503)
    expect(await store.text()).toContain('Failed to fetch products by seller')
  })
})

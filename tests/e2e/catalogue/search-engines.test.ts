import type { APIRequestContext, Page } from 'playwright/test'
import { createApi } from '#lib/api.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'

test.describe('search engines', { tag: '@desktop' }, () => {
  test('find every public page through robots.txt and its sitemaps', async ({ baseURL, request, page }) => {
    const robots = await (await request.get('/robots.txt')).text()
    const index = robots.match(/^Sitemap: \S+?(\/sitemap-index\.xml)$/m)?.[1]
    expect(robots).toContain('Disallow: /dashboard')

    const files = await locations(page, request, index ?? 'no sitemap')
    const paths = (await Promise.all(files.map(file => locations(page, request, file)))).flat()

    expect(new Set(paths).size).toBe(paths.length)
    const { totalProduct } = (await (await request.get('/api/home/query-products')).json()) as { totalProduct: number }
    const api = createApi({ origin: baseURL ?? '', fetch: asked => fetch(asked) })
    const [{ total }, { categories }] = await Promise.all([api.getSellers({}), api.getCategories({})])
    expect(paths.filter(path => path.startsWith('/product/details/'))).toHaveLength(totalProduct)
    expect(paths.filter(path => /^\/stores\/[^/]+\/[^/]+$/.test(path))).toHaveLength(total)
    expect(paths.filter(path => path.startsWith('/products?category='))).toHaveLength(categories.length)
    for (const path of ['/', '/stores', '/products', '/about-us']) expect(paths).toContain(path)
    const some = paths.filter((_, at) => at % 10 === 0)
    for (const path of some) expect((await request.get(path, { maxRedirects: 0 })).status(), path).toBe(200)
  })

  test('get one canonical address for every order and layout of a list', async ({ page }) => {
    await page.goto('/products?category=Audio&sortPrice=low-to-high&layout=list')
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/products\?category=Audio$/)

    await page.goto('/products/search?value=lantern')
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  })

  test('get the marketplace as structured data', async ({ page }) => {
    await page.goto('/')
    const texts = await page.locator('script[type="application/ld+json"]').allTextContents()

    expect(texts.map(text => (JSON.parse(text) as Record<string, unknown>)['@type'])).toContain('Organization')
  })
})

/** The paths that a sitemap lists, read by a browser's XML parser. */
async function locations(page: Page, request: APIRequestContext, path: string): Promise<string[]> {
  const answer = await request.get(path)
  expect(answer.headers()['content-type']).toMatch(/xml/)
  const found = await page.evaluate(
    text => {
      const file = new DOMParser().parseFromString(text, 'application/xml')
      return {
        mistakes: file.querySelectorAll('parsererror').length,
        urls: [...file.querySelectorAll('loc')].map(loc => loc.textContent ?? ''),
      }
    },
    await answer.text(),
  )
  expect(found.mistakes).toBe(0)
  return found.urls.map(url => new URL(url)).map(({ pathname, search }) => pathname + search)
}

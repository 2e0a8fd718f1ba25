import type { APIRequestContext, Page } from 'playwright/test'
import { createApi } from '#lib/create-api.ts'
import { demoId } from '#server/operators/demo/rows.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'

/** Pages that search engines keep, each with its canonical URL. */
const INDEXED = [
  ['/', '/'],
  ['/products', '/products'],
  ['/products?pageNumber=2', '/products?pageNumber=2'],
  ['/products?category=Audio', '/products?category=Audio'],
  ['/products?category=Clothing&pageNumber=2', '/products?category=Clothing&pageNumber=2'],
  // All orders and layouts of a list are the same products.
  ['/products?category=Audio&sortPrice=low-to-high&layout=list', '/products?category=Audio'],
  ['/products?category=Clothing&sortPrice=newest&pageNumber=2', '/products?category=Clothing&pageNumber=2'],
  ['/products/search?category=Audio', '/products?category=Audio'],
  ['/categories', '/categories'],
  ['/stores', '/stores'],
  ['/stores?layout=list', '/stores'],
  [STORE, STORE],
  [`${STORE}?sortPrice=newest&layout=list`, STORE],
  [PRODUCT, PRODUCT],
  [`${PRODUCT}?reviews=2`, PRODUCT],
  ['/about-us', '/about-us'],
] as const

/** Each filter alone, searches, pages without products and pages for customers only. */
const LEFT_OUT = [
  '/products/search?value=lantern',
  '/products/search?value=lantern&category=Lighting',
  '/products?category=Audio&rating=4',
  '/products?discount=10',
  '/products?inStock=true',
  '/products?shipsTo=Kenya',
  '/products?lowPrice=10',
  '/products?highPrice=100&pageNumber=2',
  '/products?brand=Ostara',
  `/products?shop=${demoId('shop', 'tonehaus')}`,
  '/products?option.size=43&sortPrice=newest',
  '/products?category=Nothing+like+this',
  '/products?pageNumber=900',
  `${STORE}?option.colour=Sand`,
  `${STORE}?value=headphones`,
  `${STORE}?pageNumber=900`,
  '/categories?pageNumber=2',
  '/stores?sort=verified',
  '/stores?pageNumber=900',
  '/login',
  '/cart',
  '/dashboard',
  '/product/details/nothing-here',
  '/no/such/page',
]

test.describe('search engines', { tag: '@desktop' }, () => {
  test('find every public page through robots.txt and its sitemaps', async ({ baseURL, request, page }) => {
    const robots = await (await request.get('/robots.txt')).text()
    const index = robots.match(/^Sitemap: \S+?(\/sitemap-index\.xml)$/m)?.[1]
    expect(robots).toContain('Disallow: /dashboard')

    const files = await locations(page, request, index ?? 'no sitemap')
    const paths = (await Promise.all(files.map(file => locations(page, request, file)))).flat()

    expect(new Set(paths).size).toBe(paths.length)
    const api = createApi({ origin: baseURL ?? '', fetch: asked => fetch(asked) })
    const [products, sellers, { categories }] = await Promise.all([
      api.queryProducts({}),
      api.getSellers({}),
      api.getCategories({}),
    ])
    expect(paths.filter(path => path.startsWith('/product/details/'))).toHaveLength(products.total)
    expect(paths.filter(path => /^\/stores\/[^/]+\/[^/]+$/.test(path))).toHaveLength(sellers.total)
    expect(paths.filter(path => path.startsWith('/products?category='))).toHaveLength(categories.length)
    for (const path of ['/', '/categories', '/stores', '/products', '/about-us']) expect(paths).toContain(path)
    const some = paths.filter((_, at) => at % 10 === 0)
    for (const path of some) expect((await request.get(path, { maxRedirects: 0 })).status(), path).toBe(200)
  })

  for (const [path, canonical] of INDEXED) {
    test(`keep ${path} as ${canonical}`, async ({ request }) => {
      const { robots, address } = signsOf(await (await request.get(path)).text())

      expect([robots, address]).toEqual([undefined, canonical])
    })
  }

  for (const path of LEFT_OUT) {
    test(`leave out ${path}, and follow its links`, async ({ request }) => {
      const answer = await request.get(path, { maxRedirects: 0 })
      const { robots, address } = signsOf(await answer.text())

      expect([robots, address]).toEqual(['noindex, follow', undefined])
    })
  }

  test('may read the pages that they must not list', async ({ request }) => {
    const robots = await (await request.get('/robots.txt')).text()
    const rules = rulesOf(robots)

    for (const path of LEFT_OUT.filter(path => !/^\/(cart|dashboard)/.test(path)))
      expect(rules.filter(rule => rule.test(path))).toEqual([])
  })

  test('may read policy pages whose addresses begin like private ones', async ({ request }) => {
    const rules = rulesOf(await (await request.get('/robots.txt')).text())
    const isPrivate = (path: string) => rules.some(rule => rule.test(path))

    const policies = ['/shipping-policy', '/payment-methods', '/cart-help']
    const pages = ['/cart', '/shipping', '/shipping?buy=lamp', '/payment?order=1', '/dashboard', '/dashboard/account']
    expect(policies.filter(isPrivate)).toEqual([])
    expect(pages.filter(isPrivate)).toEqual(pages)
  })

  test('get the marketplace as structured data', async ({ page }) => {
    await page.goto('/')
    const texts = await page.locator('script[type="application/ld+json"]').allTextContents()

    expect(texts.map(text => (JSON.parse(text) as Record<string, unknown>)['@type'])).toContain('Organization')
  })
})

/** What robots must not read: a rule is the beginning of a path, with `*` for any characters and `$` for the end. */
function rulesOf(robots: string): RegExp[] {
  const paths = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, path = '']) => path)
  return paths.map(path => new RegExp(`^${path.replace(/[.?+]/g, '\\$&').replaceAll('*', '.*')}`))
}

/** What a page tells search engines: its rule for robots, and the path and query of its canonical URL. */
function signsOf(html: string) {
  const robots = /<meta name="robots" content="([^"]*)"/.exec(html)?.[1]
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]
  if (canonical === undefined) return { robots, address: undefined }
  const { pathname, search } = new URL(canonical.replaceAll('&amp;', '&').replaceAll('&#38;', '&'))
  return { robots, address: pathname + search }
}

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

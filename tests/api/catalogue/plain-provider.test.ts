import { expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { shopPath } from '#contract/page-urls.ts'
import { findBuild, loadStorefront } from '#server/page-cache/storefront.ts'
import { renderingFrom } from '#tests/support/rendering.ts'
import { ANSWERS } from '#tests/support/contract/plain-answers.ts'

/** A provider that knows no other calls and fields than every provider of this API has. */
async function provider({ method, url }: Request): Promise<Response> {
  const { pathname } = new URL(url)
  const name = (Object.keys(ANSWERS) as (keyof typeof endpoints)[]).find(each => {
    const { path, method: own } = endpoints[each]
    return own === method && new RegExp(`^/api${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname)
  })
  return name ? Response.json(ANSWERS[name]) : Response.json({ error: 'Not found' }, { status: 404 })
}

const render = renderingFrom(await loadStorefront(findBuild('dist')), provider)

test.each([
  ['home', '/', 'Ada Shop'],
  ['all products', '/products', 'Train'],
  ['a category', '/products?category=Toys', 'Train'],
  ['a search', '/products/search?value=train', 'Train'],
  ['a product', '/product/details/train', 'Train'],
  ['its reviews', '/product/details/train?reviews=1', 'Good'],
  ['the stores', '/stores', 'Ada Shop'],
  ['a store', shopPath({ shopName: 'Ada Shop', sellerId: 's1' }), 'Train'],
  ['the categories', '/categories', 'Toys'],
  ['the sitemap', '/sitemap-index.xml', 'sitemap-2.xml'],
])('%s can be shown with the data of any provider of this API', async (_, path, shown) => {
  const { status, body } = await render(path)

  expect(status).toBe(200)
  expect(body.toString()).toContain(shown)
})

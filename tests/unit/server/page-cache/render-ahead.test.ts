import * as z from 'zod/mini'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { getCategories, queryProducts } from '#contract/catalogue.ts'
import { plainPage } from '#server/page-cache/plain-page.ts'
import { isFromPage, isSigned, pageHeaders, sign } from '#server/http/signature.ts'
import { renderingAt } from '#server/page-cache/storefront.ts'
import { pathsToWarm } from '#server/page-cache/warm.ts'
import { cartLine } from '#tests/support/catalogue/shopping.ts'
import { fakePages } from '#tests/support/pages.ts'

const SECRET = 'a secret that is long enough to be one'
const { product } = cartLine('kite')

/** A provider with `count` products, twelve per page. */
function providerOf(count: number) {
  const asked: string[] = []
  const ask = (request: Request) => {
    const { pathname, search, searchParams } = new URL(request.url)
    asked.push(pathname + search)
    if (pathname === `/api${getCategories.path}`) {
      const categories = ['Toys', 'Home & Garden'].map(name => ({ name, image: '' }))
      return Response.json(z.encode(getCategories.output, { categories }))
    }
    const first = (Number(searchParams.get('pageNumber')) - 1) * 12
    const products = Array.from({ length: Math.max(0, Math.min(12, count - first)) }, (_, at) => ({
      ...product,
      slug: `p ${first + at + 1}`,
    }))
    return Response.json(
      z.encode(queryProducts.output, {
        products,
        total: count,
        pageSize: 12,
        filters: [],
        isPartial: false,
        isUnrelated: false,
      }),
    )
  }
  return { ask, asked }
}

describe('paths to warm', () => {
  test('are the public pages, the categories and the products', async () => {
    const { ask, asked } = providerOf(14)

    const paths = await Array.fromAsync(pathsToWarm(ask, [{ id: 'about' }, { id: 'returns' }]))

    expect(paths.slice(0, 9)).toEqual([
      '/',
      '/products',
      '/stores',
      '/login',
      '/about',
      '/returns',
      '/products?category=Toys',
      '/products?category=Home+%26+Garden',
      '/product/details/p%201',
    ])
    expect(paths).toHaveLength(8 + 14)
    // The third page is the first one without products.
    expect(asked.filter(path => path.includes('pageNumber'))).toHaveLength(3)
  })

  test('include at most 240 products', async () => {
    const { ask, asked } = providerOf(1000)

    expect(await Array.fromAsync(pathsToWarm(ask, []))).toHaveLength(6 + 240)
    expect(asked.filter(path => path.includes('pageNumber'))).toHaveLength(20)
  })

  test('throw when the provider fails', async () => {
    const ask = () => new Response('', { status: 503 })

    await expect(Array.fromAsync(pathsToWarm(ask, []))).rejects.toThrow(`${getCategories.path} responded with 503`)
  })
})

test('warming ends and says so in the log if the paths cannot be read, unless the shop closes', async () => {
  const { pages, rendered, errors } = fakePages(url => ({ tags: [url] }))
  const failure = new Error('The provider is away')
  async function* paths() {
    yield '/'
    throw failure
  }

  await pages.warm(paths())
  expect(rendered).toEqual(['/'])
  expect(errors).toEqual([{ err: failure, text: 'not every page could be rendered ahead' }])

  const closed = pages.close()
  await pages.warm(paths())
  await closed
  expect(errors).toHaveLength(1)
})

describe('a signature', () => {
  const now = () => Math.floor(Date.now() / 1000)

  test('is valid for five minutes, with clocks ahead or behind', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    onTestFinished(() => void vi.useRealTimers())
    const isGood = (seconds: number) =>
      isSigned(SECRET, String(now() + seconds), sign(SECRET, now() + seconds, 'body'), 'body')

    expect([-300, 0, 300].map(isGood)).toEqual([true, true, true])
    expect([-301, 301].map(isGood)).toEqual([false, false])
  })

  test.each([
    ['', 'a'.repeat(64)],
    ['x1', 'a'.repeat(64)],
    ['1x', 'a'.repeat(64)],
    [String(now()), 'a'.repeat(63)],
    [String(now()), 'a'.repeat(65)],
    [String(now()), `x${'a'.repeat(64)}`],
    [String(now()), `${'a'.repeat(64)}x`],
    [String(now()), 'g'.repeat(64)],
  ])('with the timestamp %j and the signature %j is invalid', (timestamp, signature) => {
    expect(isSigned(SECRET, timestamp, signature, 'body')).toBe(false)
  })

  test('of a page request is valid for its own path, and not as a body signature', () => {
    const headers = pageHeaders(SECRET, '/api/rates')
    const isOurs = (path: string, secret = SECRET) => isFromPage(secret, path, name => headers[name])

    expect([isOurs('/api/rates'), isOurs('/api/health'), isOurs('/api/rates', 'another')]).toEqual([true, false, false])
    expect(isFromPage(SECRET, '/api/rates', () => undefined)).toBe(false)
    expect(
      isSigned(SECRET, headers['x-piazza-timestamp'] ?? '', headers['x-piazza-signature'] ?? '', '/api/rates'),
    ).toBe(false)
  })
})

test('a page is rendered at the shop’s public address, with the shared locals', async () => {
  const asked: unknown[] = []
  const renderPage = async (address: string, locals: object) => {
    asked.push(address, locals)
    return { status: 200, headers: [], body: new Uint8Array(Buffer.from('xA page')).subarray(1) }
  }
  const render = renderingAt(renderPage, { publicUrl: 'https://shop.example/', locals: { a: 1 } })

  const { status, body } = await render('/stores?layout=list')

  expect([status, body.toString()]).toEqual([200, 'A page'])
  expect(asked).toEqual(['https://shop.example/stores?layout=list', { a: 1 }])
})

test('the plain page shows its title and text, and a link to try again', () => {
  const page = plainPage({ title: 'The market is very busy', text: 'Please try again in a moment.' })

  expect(page).toContain('<title>The market is very busy</title>\n<h1>The market is very busy</h1>')
  expect(page).toContain('<p>Please try again in a moment.</p>\n<p><a href="">Try again</a></p>')
  expect(plainPage({ title: 'Something went wrong' })).toContain('</h1>\n<p><a href="">Try again</a></p>')
})

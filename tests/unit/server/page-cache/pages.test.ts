import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { bodyOf, pack, toPage } from '#server/page-cache/page.ts'
import { fakePages, gate } from '#tests/support/pages.ts'
import { PATIENCE } from '#tests/support/patience.ts'

/** Text in which fast compression finds few repetitions. */
const VARIED = Array.from(
  { length: 2000 },
  (_, at) => `${(at * 7919) % 997} cups, ${(at * 104_729) % 1009} spoons`,
).join('; ')
const LONG = 'A page with the same words again and again. '.repeat(200)

describe('a cached page', () => {
  test('is rendered once and then returned from memory', async () => {
    const { ask, rendered } = fakePages(() => ({ text: LONG, tags: ['home'] }))

    const first = await ask('/')
    const second = await ask('/')

    expect(first.headers['x-cache']).toBe('MISS')
    expect(second.headers['x-cache']).toBe('HIT')
    expect(second.body).toBe(LONG)
    expect(rendered).toEqual(['/'])
  })

  test('is rendered once for a hundred concurrent visitors', async () => {
    const { wait, open, reached } = gate()
    const { ask, rendered } = fakePages(async () => {
      await wait()
      return { text: LONG, tags: ['home'] }
    })

    const visitors = Array.from({ length: 100 }, () => ask('/', { 'accept-encoding': 'br' }))
    await reached
    open()
    const answers = await Promise.all(visitors)

    expect(rendered).toEqual(['/'])
    expect(answers.map(answer => brotliDecompressSync(answer.rawPayload).toString())).toEqual(Array(100).fill(LONG))
  })

  test('is decompressed once for concurrent uncompressed requests', async () => {
    const page = toPage({ status: 200, headers: [], body: Buffer.from(LONG) })
    await pack(page)

    const atOnce = await Promise.all([bodyOf(page, 'identity'), bodyOf(page, 'identity')])
    const later = await bodyOf(page, 'identity')

    expect(later.toString()).toBe(LONG)
    for (const body of atOnce) expect(body).toBe(later)
  })

  test('is compressed better when it is requested again, and again when it is popular', async () => {
    const { ask, pages } = fakePages(() => ({ text: VARIED, tags: ['home'] }))
    await ask('/')
    const quick = pages.size().bytes

    await ask('/')
    await vi.waitFor(() => expect(pages.size().bytes).toBeLessThan(quick), PATIENCE)
    const good = pages.size().bytes
    for (let count = 0; count < 50; count += 1) await ask('/')
    await vi.waitFor(() => expect(pages.size().bytes).toBeLessThan(good), PATIENCE)

    const { rawPayload } = await ask('/', { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(rawPayload).toString()).toBe(VARIED)
  })

  test('is not cached without tags', async () => {
    const { ask, rendered, pages } = fakePages(() => ({ text: 'Only now' }))

    const first = await ask('/login')
    await ask('/login')

    expect(rendered).toHaveLength(2)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect(pages.size().pages).toBe(0)
  })

  test('has caching headers, and does not expose its tags', async () => {
    const { ask } = fakePages(() => ({ tags: ['home'], headers: { 'content-security-policy': "default-src 'self'" } }))

    const { headers } = await ask('/')

    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=0, s-maxage=60',
      'content-security-policy': "default-src 'self'",
      vary: 'Accept-Encoding',
    })
    expect(headers).not.toHaveProperty('x-page-tags')
  })

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['gzip;q=1.0, br;q=0.5', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['identity;q=0.5, *;q=0', undefined, (body: Buffer) => body],
    ['deflate', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
  ])('for Accept-Encoding %j is encoded with %s', async (accepted, encoding, decode) => {
    const { ask } = fakePages(() => ({ text: LONG, tags: ['home'] }))

    const answers = [await ask('/', { 'accept-encoding': accepted }), await ask('/', { 'accept-encoding': accepted })]

    for (const { headers, rawPayload } of answers) {
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers['content-length']).toBe(String(rawPayload.length))
      expect(decode(rawPayload).toString()).toBe(LONG)
    }
  })

  test('returns 304 without a body for a matching ETag', async () => {
    const { ask } = fakePages(() => ({ text: LONG, tags: ['home'] }))
    const { etag } = (await ask('/')).headers

    const withoutItsMark = String(etag).replace('W/', '')
    for (const known of [String(etag), withoutItsMark, `"other", ${etag}`, '*']) {
      const answer = await ask('/', { 'if-none-match': known, 'accept-encoding': 'gzip' })

      expect(answer.statusCode).toBe(304)
      expect(answer.rawPayload).toHaveLength(0)
      expect(answer.headers).toMatchObject({ etag, 'x-cache': 'HIT' })
      expect(answer.headers).not.toHaveProperty('content-encoding')
    }
    expect((await ask('/', { 'if-none-match': 'W/"other"' })).statusCode).toBe(200)
  })

  test('has the same headers for HEAD, without a body', async () => {
    const { ask } = fakePages(() => ({ text: LONG, tags: ['home'] }))

    const { headers, rawPayload } = await ask('/', {}, 'HEAD')

    expect(headers['content-length']).toBe(String(LONG.length))
    expect(rawPayload).toHaveLength(0)
  })

  test('returns 405 for POST', async () => {
    const { ask, rendered } = fakePages(() => ({ tags: ['home'] }))

    const answer = await ask('/', {}, 'POST')

    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD')
    expect(rendered).toEqual([])
  })

  test('is not cached when it sets a cookie', async () => {
    const { ask, pages } = fakePages(() => ({ tags: ['home'], headers: { 'set-cookie': 'a=b' } }))

    expect((await ask('/')).headers['cache-control']).toBe('private, no-cache')
    expect(pages.size().pages).toBe(0)
  })

  test('that is a redirect keeps its location and is not cached', async () => {
    const { ask, pages } = fakePages(() => ({ status: 301, text: '', headers: { location: '/product/details/kite' } }))

    const answer = await ask('/product/details/0198')

    expect(answer.statusCode).toBe(301)
    expect(answer.headers.location).toBe('/product/details/kite')
    expect(pages.size().pages).toBe(0)
  })
})

describe('the size limit of the cache', () => {
  test('is kept in bytes, evicting the least recently used pages', async () => {
    const random = () => Array.from({ length: 4000 }, () => Math.random().toString(36)[2]).join('')
    const { ask, pages } = fakePages(url => ({ text: random(), tags: ['products', url] }), { maxBytes: 100_000 })

    for (let page = 1; page <= 60; page++) {
      await ask(`/product/details/${page}`, { 'accept-encoding': 'gzip' })
      await ask(`/product/details/${page}`, { 'accept-encoding': 'gzip' })
    }

    expect(pages.size().pages).toBeGreaterThan(5)
    expect(pages.size().bytes).toBeLessThanOrEqual(100_000)
    expect(pages.size().tags).toBe(pages.size().pages + 1)
    expect((await ask('/product/details/60')).headers['x-cache']).toBe('HIT')
    expect((await ask('/product/details/1')).headers['x-cache']).toBe('MISS')
  })

  test('is not affected by unknown parameters or a forged Host', async () => {
    const { ask, rendered, pages } = fakePages(() => ({ tags: ['products'] }))

    for (let visitor = 0; visitor < 50; visitor++) {
      await ask(`/products?utm_source=${visitor}&category=Toys&fbclid=${visitor}`, { host: `evil${visitor}.example` })
    }

    expect(rendered).toEqual(['/products?category=Toys'])
    expect(pages.size().pages).toBe(1)
  })

  test('is not affected by searches, price filters, missing pages or failures', async () => {
    const { ask, pages } = fakePages(url => ({ status: url.includes('missing') ? 404 : 200, tags: ['products'] }))

    for (let attempt = 0; attempt < 20; attempt++) {
      await ask(`/products/search?value=${attempt}`)
      await ask(`/products?lowPrice=${attempt}&highPrice=99`)
      await ask(`/products?pageNumber=-${attempt}`)
      await ask(`/missing${attempt}`)
    }

    expect(pages.size()).toEqual({ pages: 0, bytes: 0, tags: 0 })
  })
})

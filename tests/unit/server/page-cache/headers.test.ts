import { describe, expect, test } from 'vitest'
import { fakePages } from '#tests/support/pages.ts'

const EVERY_TIME = 'private, no-cache'
const NEVER = 'no-store'
const STORED = 'public, max-age=0, s-maxage=60'
const cdn = { service: 'fastly' as const, urls: ['http://cdn.example'], key: 'secret' }
const cacheControl = { 'cache-control': 'public, max-age=3600' }

describe('cache-control', () => {
  test.each([
    ['a page of a customer', {}, EVERY_TIME],
    ['a page that says so itself', { headers: cacheControl }, cacheControl['cache-control']],
    [
      'a stored page, whatever it says',
      { tags: ['home'], headers: cacheControl },
      expect.stringContaining('s-maxage=60'),
    ],
    ['a page that is not there', { status: 404 }, NEVER],
    ['a redirect', { status: 302, headers: { location: '/' } }, EVERY_TIME],
    ['an address that cannot be read', { status: 400 }, NEVER],
    ['a failure', { status: 500 }, NEVER],
  ])('of %s', async (_page, shown, expected) => {
    const { ask } = fakePages(() => shown)

    expect((await ask('/')).headers['cache-control']).toEqual(expected)
  })

  test.each([
    ['with a CDN that is purged', cdn],
    ['without one', null],
  ])('%s lets no browser show a stored page without asking', async (_, of) => {
    const { ask } = fakePages(() => ({ tags: ['home'] }), { cdn: of })

    const { headers } = await ask('/')

    expect(headers['cache-control']).toContain('max-age=0')
    expect(headers['cache-control']).not.toContain('stale')
  })

  test('of a purged page that cannot be rendered allows no caching', async () => {
    let status = 200
    const { ask, pages } = fakePages(() => ({ status, tags: ['home'] }))
    const packed = () => ask('/', { 'accept-encoding': 'br' })
    expect((await packed()).headers).toMatchObject({ 'x-cache': 'MISS', 'cache-control': STORED })
    expect((await packed()).headers).toMatchObject({ 'x-cache': 'HIT', 'cache-control': STORED })
    expect((await packed()).headers).toMatchObject({ 'x-cache': 'HIT', 'cache-control': STORED })
    status = 503
    pages.purge('home')

    expect((await packed()).headers).toMatchObject({ 'x-cache': 'STALE', 'cache-control': 'public, max-age=0' })
  })
})

describe('the headers of a page', () => {
  test('are the shared ones, unless the page has its own', async () => {
    const { ask } = fakePages(() => ({ headers: { 'referrer-policy': 'no-referrer', vary: 'Cookie' } }), {
      headers: [
        ['referrer-policy', 'same-origin'],
        ['x-frame-options', 'DENY'],
      ],
    })

    const { headers } = await ask('/')

    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      vary: 'Accept-Encoding',
      'content-type': 'text/html; charset=utf-8',
    })
  })

  test('do not contain what belongs to the storefront’s own response', async () => {
    const own = { 'content-length': '3', connection: 'close', date: 'yesterday', etag: '"own"' }
    const { ask } = fakePages(() => ({ text: 'A long page', headers: own }))

    const { headers } = await ask('/')

    expect(headers['content-length']).toBe('11')
    for (const [name, value] of Object.entries(own)) expect([name, headers[name]]).not.toEqual([name, value])
  })

  test.each([
    [{}, '5'],
    [{ 'retry-after': '60' }, '60'],
  ])('contain retry-after for a 503: %j', async (headers, seconds) => {
    const { ask } = fakePages(() => ({ status: 503, headers }))

    expect((await ask('/')).headers['retry-after']).toBe(seconds)
  })

  test('contain no retry-after for other statuses', async () => {
    const { ask } = fakePages(() => ({ status: 500 }))

    expect((await ask('/')).headers).not.toHaveProperty('retry-after')
  })

  test('contain an ETag for a 200, and for no other status', async () => {
    const { ask } = fakePages(url => ({ status: url === '/' ? 200 : 404, text: url }))

    expect((await ask('/')).headers['etag']).toMatch(/^W\/"[\w-]{27}"$/)
    expect((await ask('/missing')).headers).not.toHaveProperty('etag')
    expect((await ask('/missing', { 'if-none-match': '*' })).statusCode).toBe(404)
  })

  test('contain no content-encoding for an empty page', async () => {
    const { ask } = fakePages(() => ({ text: '', tags: ['home'] }))

    const answers = [await ask('/', { 'accept-encoding': 'br' }), await ask('/', { 'accept-encoding': 'br' })]

    for (const { headers, rawPayload } of answers) {
      expect(headers).not.toHaveProperty('content-encoding')
      expect(rawPayload).toHaveLength(0)
    }
  })

  test('contain no transport headers of the renderer', async () => {
    const own = { 'x-page-max-age': '60', 'transfer-encoding': 'chunked', connection: 'close', etag: '"theirs"' }
    const { ask } = fakePages(() => ({ tags: ['home'], headers: own }))

    const { headers } = await ask('/')

    expect(headers).not.toHaveProperty('x-page-max-age')
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(headers['etag']).not.toBe('"theirs"')
  })
})

describe('an address', () => {
  test('that is malformed returns 400 in plain text', async () => {
    const { ask, rendered } = fakePages(() => ({ tags: ['home'] }))

    const answer = await ask('/%')

    expect([answer.statusCode, answer.body]).toEqual([400, 'This address cannot be read'])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(answer.body.length),
      'cache-control': 'no-store',
    })
    expect(rendered).toEqual([])
  })

  test('with extra slashes redirects to the clean one', async () => {
    const { ask } = fakePages(() => ({ tags: ['home'] }))

    const answer = await ask('/stores//?layout=list')

    expect([answer.statusCode, answer.headers.location]).toEqual([301, '/stores?layout=list'])
  })

  test('with other parameters is the same page', async () => {
    const { ask, rendered } = fakePages(() => ({ tags: ['home'] }))

    await ask('/stores?layout=list&utm_source=mail')
    const again = await ask('/stores?layout=list')

    expect(again.headers['x-cache']).toBe('HIT')
    expect(rendered).toEqual(['/stores?layout=list'])
  })

  test('returns an error in plain text for POST', async () => {
    const { ask } = fakePages(() => ({ tags: ['home'] }))
    await ask('/')

    expect((await ask('/', {}, 'POST')).body).toBe('Method not allowed')
  })
})

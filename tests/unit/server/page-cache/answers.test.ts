import inject from 'light-my-request'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PATIENCE } from '#tests/support/patience.ts'
import { fakePages, gate } from '#tests/support/pages.ts'

const LONG = 'A page with the same words again and again. '.repeat(2000)

describe('the ETag of a page', () => {
  test('differs from that of other pages, and changes with the page', async () => {
    let price = '$19'
    const { ask, pages } = fakePages(url => ({ text: `${url} ${price}`, tags: ['product:1'] }))
    const etagOf = async (url: string) => (await ask(url, { 'accept-encoding': 'br' })).headers['etag']
    const [first, other] = [await etagOf('/product/details/kite'), await etagOf('/product/details/ball')]

    price = '$17'
    pages.purge('product:1')
    const changed = await etagOf('/product/details/kite')

    expect(new Set([first, other, changed]).size).toBe(3)
  })

  test('of a page that is not stored changes with it, too', async () => {
    const { ask } = fakePages(url => ({ text: url }))

    expect((await ask('/a')).headers['etag']).not.toBe((await ask('/b')).headers['etag'])
  })
})

describe('the content type of a page', () => {
  test.each([
    [{ 'content-type': 'text/html' }, 'text/html; charset=utf-8'],
    [{ 'content-type': 'application/xml' }, 'application/xml'],
  ])('is its own, in UTF-8 if it is HTML: %j', async (headers, expected) => {
    const { ask } = fakePages(() => ({ headers }))

    expect((await ask('/')).headers['content-type']).toBe(expected)
  })

  test('is HTML for a page that could not be rendered', async () => {
    const { ask } = fakePages(() => Promise.reject(new Error('out of order')))

    expect((await ask('/')).headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

test('a page that is too old is sent once more, for which nobody may keep it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask } = fakePages(() => ({ tags: ['home'] }), { maxAgeSeconds: 60 })
  await ask('/')

  vi.setSystemTime(Date.now() + 61_000)
  const { headers } = await ask('/')

  expect(headers).toMatchObject({ 'x-cache': 'STALE', 'cache-control': 'public, max-age=0' })
})

test.each([500, 503])('a stored page is sent as long as rendering it again ends with %i', async failure => {
  let status = 200
  const { ask, pages } = fakePages(() => ({ status, text: `Status ${status}`, tags: ['home'] }))
  await ask('/')

  status = failure
  pages.purge('home')

  expect(await ask('/')).toMatchObject({ statusCode: 200, body: 'Status 200' })
})

test('another spelling of an address shows the stored page', async () => {
  const { ask, rendered } = fakePages(() => ({ tags: ['home'] }))
  await ask('/')

  expect((await ask('/?utm_source=mail')).headers['x-cache']).toBe('HIT')
  expect(rendered).toEqual(['/'])
})

test('a page is not stored if any of what it shows has changed while it was rendered', async () => {
  const { wait, open, reached } = gate()
  const { ask, pages, rendered } = fakePages(async () => {
    await wait()
    return { tags: ['product:1', 'home'] }
  })
  const asked = ask('/')
  await reached

  pages.purge('home')
  open()
  await asked
  await ask('/')

  expect(rendered).toEqual(['/', '/'])
})

test('the shop closes only after the pages that visitors wait for are rendered', async () => {
  const { wait, open, reached } = gate()
  const order: string[] = []
  const { ask, pages } = fakePages(async () => {
    await wait()
    order.push('rendered')
    return { tags: ['home'] }
  })
  const asked = ask('/')
  await reached

  const closed = pages.close().then(() => order.push('closed'))
  await new Promise(resolve => setImmediate(resolve))
  open()
  await Promise.all([asked, closed])

  expect(order).toEqual(['rendered', 'closed'])
})

describe('the memory that pages take', () => {
  test('counts their compressed text, in each encoding that was asked for', async () => {
    const { ask, pages } = fakePages(() => ({ text: LONG, tags: ['home'] }))
    await ask('/', { 'accept-encoding': 'br' })
    const packed = pages.size().bytes

    await ask('/', { 'accept-encoding': 'gzip' })

    expect(packed).toBeLessThan(LONG.length / 4)
    await vi.waitFor(() => expect(pages.size().bytes).toBeGreaterThan(packed), PATIENCE)
  })

  test('is free after the shop has closed', async () => {
    const { ask, pages } = fakePages(() => ({ tags: ['home'] }))
    await ask('/')

    await pages.close()

    expect(pages.size()).toEqual({ pages: 0, bytes: 0, tags: 0 })
  })
})

test('only reading requests are answered with a stored page', async () => {
  const { ask, pages } = fakePages(() => ({ tags: ['home'] }))
  await ask('/')
  const answeredBy = async (method: 'GET' | 'HEAD' | 'POST') =>
    (await inject((req, res) => void (pages.hit(req, res) || res.end('another handler')), { url: '/', method })).payload

  expect([await answeredBy('GET'), await answeredBy('HEAD'), await answeredBy('POST')]).toEqual([
    'A page',
    '',
    'another handler',
  ])
})

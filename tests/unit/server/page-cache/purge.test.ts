import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fakePages, gate } from '#tests/support/pages.ts'
import { PATIENCE } from '#tests/support/patience.ts'

afterEach(() => void vi.useRealTimers())

describe('a purged page', () => {
  test('shows the change on the next request, while others stay cached', async () => {
    let price = '$19'
    const { ask, pages, rendered } = fakePages(url => ({
      text: `${url} ${price}`,
      tags: [url === '/' ? 'home' : 'stores'],
    }))
    await ask('/')
    await ask('/stores')

    price = '$17'
    pages.purge('home')

    expect((await ask('/')).body).toBe('/ $17')
    expect((await ask('/stores')).headers['x-cache']).toBe('HIT')
    expect(rendered).toEqual(['/', '/stores', '/'])
  })

  test('shows each change together with all pages of the same tag', async () => {
    let text = 'first'
    const { ask, pages } = fakePages(() => ({ text, tags: ['shop:1'] }))
    const both = async () => [(await ask('/')).body, (await ask('/stores')).body]
    expect(await both()).toEqual(['first', 'first'])

    for (const next of ['second', 'third']) {
      text = next
      pages.purge('shop:1')
      expect(await both()).toEqual([next, next])
    }
  })

  test('may have any text in its tags', async () => {
    const { ask, pages } = fakePages(() => ({ tags: ['category:Café, Tea & more — 茶'] }))
    await ask('/products?category=Caf%C3%A9')

    pages.purge('category:Café, Tea & more — 茶')

    expect((await ask('/products?category=Caf%C3%A9')).headers['x-cache']).toBe('MISS')
  })

  test('is purged together with all others by a null tag', async () => {
    const { ask, pages } = fakePages(url => ({ tags: [url] }))
    await ask('/')
    await ask('/stores')

    pages.purge(null)

    expect((await ask('/')).headers['x-cache']).toBe('MISS')
    expect((await ask('/stores')).headers['x-cache']).toBe('MISS')
  })

  test('is not cached with data from before the change', async () => {
    let price = '$19'
    const { wait, open, reached } = gate()
    const { ask, pages } = fakePages(async () => {
      const read = price
      if (read === '$19') await wait()
      return { text: read, tags: ['product:1'] }
    })

    const early = ask('/product/details/kite')
    await reached
    price = '$17'
    pages.purge('product:1')
    const late = await ask('/product/details/kite')
    open()

    expect(late.body).toBe('$17')
    expect((await early).body).toBe('$19')
    const after = await ask('/product/details/kite')
    expect(after.body).toBe('$17')
    expect(after.headers['x-cache']).toBe('HIT')
  })

  test('is not cached when everything is purged while it is rendered', async () => {
    const { wait, open, reached } = gate()
    const { ask, pages, rendered } = fakePages(async () => {
      await wait()
      return { tags: ['home'] }
    })
    const asking = ask('/')
    await reached

    pages.purge(null)
    open()
    await asking
    await ask('/')

    expect(rendered).toEqual(['/', '/'])
  })

  test('is cached when another tag is purged while it is rendered', async () => {
    const { wait, open, reached } = gate()
    const { ask, pages } = fakePages(async () => {
      await wait()
      return { tags: ['product:1'] }
    })

    const early = ask('/product/details/kite')
    await reached
    pages.purge('product:2')
    open()
    await early

    expect((await ask('/product/details/kite')).headers['x-cache']).toBe('HIT')
  })

  test('is served stale while the provider is unavailable', async () => {
    let isAway = false
    const { ask, pages } = fakePages(() =>
      isAway ? { status: 503, text: 'Away' } : { text: 'Kite', tags: ['product:1'] },
    )
    await ask('/product/details/kite')

    isAway = true
    pages.purge('product:1')
    const stale = await ask('/product/details/kite')
    const unknown = await ask('/product/details/ball')
    isAway = false
    const back = await ask('/product/details/kite')

    expect([stale.statusCode, stale.body, stale.headers['x-cache']]).toEqual([200, 'Kite', 'STALE'])
    expect([unknown.statusCode, unknown.body, unknown.headers['retry-after']]).toEqual([503, 'Away', '5'])
    expect(unknown.headers['cache-control']).toBe('no-store')
    expect([back.body, back.headers['x-cache']]).toEqual(['Kite', 'MISS'])
  })

  test('is removed once it returns 404', async () => {
    let isThere = true
    const { ask, pages } = fakePages(() =>
      isThere ? { tags: ['product:1'] } : { status: 404, text: 'Product Not Available' },
    )
    await ask('/product/details/kite')

    isThere = false
    pages.purge('product:1')

    expect((await ask('/product/details/kite')).statusCode).toBe(404)
    expect(pages.size().pages).toBe(0)
  })

  test('that cannot be rendered returns 500 and is logged', async () => {
    const { ask, errors } = fakePages(() => Promise.reject(new Error('out of order')))

    const answer = await ask('/')

    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('out of order')
    expect(errors).toMatchObject([{ err: { message: 'out of order' }, url: '/', text: 'a page could not be rendered' }])
  })
})

describe('a page with a maximum age', () => {
  test('is served stale and refreshed in the background after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let price = '$19'
    const counted: string[] = []
    const { wait, open } = gate()
    const { ask, rendered } = fakePages(
      async () => {
        if (price === '$17') await wait()
        return { text: price, tags: ['home'] }
      },
      { maxAgeSeconds: 60, onSent: state => counted.push(state) },
    )
    await ask('/')
    price = '$17'

    vi.setSystemTime(Date.now() + 59_000)
    expect((await ask('/')).headers['x-cache']).toBe('HIT')
    vi.setSystemTime(Date.now() + 2000)
    const stale = await Promise.all([ask('/'), ask('/'), ask('/')])
    open()
    // Not STALE: that alarms the operator.
    expect(counted.slice(2)).toEqual(['UPDATING', 'UPDATING', 'UPDATING'])

    expect(stale.map(({ body, headers }) => [body, headers['x-cache']])).toEqual(
      Array.from({ length: 3 }, () => ['$19', 'STALE']),
    )
    await vi.waitFor(async () => expect((await ask('/')).body).toBe('$17'), PATIENCE)
    expect(rendered).toHaveLength(2)
  })

  test('is refreshed when the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { ask, rendered } = fakePages(() => ({ tags: ['home'] }), { maxAgeSeconds: 60 })
    await ask('/')

    vi.setSystemTime(Date.now() - 3600_000)

    expect((await ask('/')).headers['x-cache']).toBe('STALE')
    await vi.waitFor(() => expect(rendered).toHaveLength(2), PATIENCE)
  })

  test('can set a shorter age itself', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { ask } = fakePages(() => ({ tags: ['home'], headers: { 'x-page-max-age': '10' } }))
    await ask('/')

    vi.setSystemTime(Date.now() + 11_000)

    expect((await ask('/')).headers['x-cache']).toBe('STALE')
  })
})

describe('warming', () => {
  test('renders at most 500 pages, two at a time, and skips cached ones', async () => {
    let atOnce = 0
    let most = 0
    const { pages, rendered, ask } = fakePages(async url => {
      most = Math.max(most, ++atOnce)
      await setImmediate()
      atOnce--
      return { tags: [url] }
    })
    await ask('/product/details/0')

    await pages.warm(Array.from({ length: 600 }, (_, at) => `/product/details/${at}`))

    expect(rendered).toHaveLength(500)
    expect(most).toBe(2)
  })

  test('renders the first page alone, since a visitor may wait for it', async () => {
    const { reached, open, wait } = gate()
    const { pages, rendered } = fakePages(async url => {
      await wait()
      return { tags: [url] }
    })

    const warmed = pages.warm(['/', '/products', '/stores'])
    await reached
    await setImmediate()
    expect(rendered).toEqual(['/'])
    open()
    await warmed

    expect(rendered).toHaveLength(3)
  })

  test('stops when the shop closes', async () => {
    const { pages, rendered } = fakePages(url => {
      if (rendered.length === 10) void pages.close()
      return { tags: [url] }
    })

    await pages.warm(Array.from({ length: 100 }, (_, at) => `/product/details/${at}`))

    expect(rendered.length).toBeLessThanOrEqual(11)
  })

  test('waits for running renderings before the shop closes', async () => {
    const { reached, open, wait } = gate()
    let isClosed = false
    const { pages, errors } = fakePages(async url => {
      await wait()
      if (isClosed) throw new Error('asked a closed shop')
      return { tags: [url] }
    })
    const warmed = pages.warm(['/product/details/1', '/product/details/2'])
    await reached

    const closed = pages.close().then(() => (isClosed = true))
    open()
    await Promise.all([closed, warmed])

    expect(errors).toEqual([])
  })

  test('reads no further paths after the shop has closed', async () => {
    const { reached, open, wait } = gate()
    const { pages, rendered } = fakePages(url => ({ tags: [url] }))
    let isLooking = true
    async function* paths() {
      yield '/'
      await wait()
      await setImmediate()
      isLooking = false
      yield '/products'
    }
    void pages.warm(paths())
    await reached

    const closed = pages.close().then(() => isLooking)
    open()

    expect(await closed).toBe(false)
    expect(rendered).toEqual(['/'])
  })
})

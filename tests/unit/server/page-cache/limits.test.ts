import { describe, expect, test, vi } from 'vitest'
import { TooManyRequestsError } from '#server/platform/errors.ts'
import { fakePages, gate } from '#tests/support/pages.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const AT_ONCE = 4
const WAITING = 64

const search = (value: number | string) => `/products/search?value=${value}`

/** Allows this many renderings; all visitors share one address. */
function allowing(renderings: number) {
  return vi.fn<() => Promise<void>>(async () => {
    renderings -= 1
    if (renderings < 0) throw new TooManyRequestsError('Too many attempts, please try again in 40 seconds', 40)
  })
}

describe('a visitor over the rendering limit', () => {
  test('gets a 429 page with the time to wait', async () => {
    const { ask, rendered } = fakePages(() => ({}), {
      countRender: allowing(2),
      headers: [['x-content-type-options', 'nosniff']],
    })
    const statuses = [await ask(search(1)), await ask(search(2)), await ask(search(3))].map(each => each.statusCode)
    const { headers, body } = await ask(search(4))

    expect(statuses).toEqual([200, 200, 429])
    expect(rendered).toHaveLength(2)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '40',
      'x-content-type-options': 'nosniff',
    })
    expect(body).toContain('<h1>Too many pages at once</h1>')
    expect(body).toContain('please try again in 40 seconds.')
    expect((await ask(search(4), {}, 'HEAD')).rawPayload).toHaveLength(0)
  })

  test('still gets cached pages, also stale ones', async () => {
    const { ask, pages } = fakePages(() => ({ tags: ['home'] }), { countRender: allowing(1) })
    await ask('/')
    expect((await ask('/')).statusCode).toBe(200)

    pages.purge('home')
    const { statusCode, headers } = await ask('/')
    expect([statusCode, headers['x-cache']]).toEqual([200, 'STALE'])
  })
})

test('a page is shown when it cannot be counted, and the error is logged', async () => {
  const failure = new Error('The database is away')
  const { ask, errors } = fakePages(() => ({ text: 'Hello' }), { countRender: () => Promise.reject(failure) })

  expect((await ask('/')).body).toBe('Hello')
  expect(errors).toEqual([{ err: failure, path: '/', text: 'a page could not be counted' }])
})

describe('not counted against the limit', () => {
  test('is a rendering that another visitor already waits for', async () => {
    const { wait, open, reached } = gate()
    const countRender = allowing(1)
    const { ask } = fakePages(async () => (await wait(), {}), { countRender })
    const first = ask('/')
    await reached
    const others = Array.from({ length: 20 }, () => ask('/'))
    open()

    expect((await Promise.all([first, ...others])).map(({ statusCode }) => statusCode)).toEqual(Array(21).fill(200))
    expect(countRender).toHaveBeenCalledTimes(1)
  })

  test('is a stale page that is refreshed, and a page that is warmed', async () => {
    const countRender = allowing(1)
    const { ask, pages, rendered } = fakePages(() => ({ tags: ['home'] }), { countRender, maxAgeSeconds: 0 })
    await pages.warm(['/', '/stores'])
    for (let at = 0; at < 5; at += 1) expect((await ask('/')).headers['x-cache']).toBe('STALE')

    expect(rendered.length).toBeGreaterThan(2)
    expect(countRender).not.toHaveBeenCalled()
  })
})

describe('when many pages are requested at once', () => {
  /** Pages that are not rendered until the test opens them. */
  function slowPages() {
    const opened = Promise.withResolvers<object>()
    const { ask, rendered } = fakePages(() => opened.promise)
    return { ask, rendered, open: () => opened.resolve({}) }
  }

  test(`${AT_ONCE} are rendered, ${WAITING} wait, and the next one gets a 503 with Retry-After`, async () => {
    const { ask, rendered, open } = slowPages()
    const asked = Array.from({ length: AT_ONCE + WAITING }, (_, at) => ask(search(at)))
    await vi.waitFor(() => expect(rendered).toHaveLength(AT_ONCE), PATIENCE)

    const { statusCode, headers, body } = await ask(search('late'))
    expect(statusCode).toBe(503)
    expect(headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
    expect(body).toContain('<h1>The market is very busy</h1>\n<p>Please try again in a moment.</p>')
    expect(rendered).toHaveLength(AT_ONCE)

    open()
    expect(new Set((await Promise.all(asked)).map(each => each.statusCode))).toEqual(new Set([200]))
  })

  test('a request waits at most two seconds for its turn', async () => {
    const { ask, rendered, open } = slowPages()
    const served = Array.from({ length: AT_ONCE }, (_, at) => ask(search(at)))
    await vi.waitFor(() => expect(rendered).toHaveLength(AT_ONCE), PATIENCE)

    expect((await ask(search('late'))).statusCode).toBe(503)
    open()
    await Promise.all(served)
    expect((await ask(search('late'))).statusCode).toBe(200)
  })
})

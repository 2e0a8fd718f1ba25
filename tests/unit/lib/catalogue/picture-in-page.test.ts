import { describe, expect, test, vi } from 'vitest'
import { pictureInPage } from '#lib/catalogue/picture-in-page.ts'

type Fetch = NonNullable<App.Locals['provider']>

const pageOf = (provider: Fetch | undefined) => ({
  locals: { provider },
  cache: { set: vi.fn<(age: object) => void>() },
})
let count = 0
/** Pictures are cached, so each test uses its own. */
const picture = () => `/media/${String((count += 1)).padStart(64, '0')}/640.webp`

describe('pictureInPage', () => {
  test('returns the picture in the requested width, and reads it once', async () => {
    const fetch = vi.fn<Fetch>(() => new Response('pixels', { headers: { 'content-type': 'image/avif' } }))
    const image = picture()

    expect(await pictureInPage(pageOf(fetch), image, 960)).toBe(`data:image/avif;base64,${btoa('pixels')}`)
    expect(await pictureInPage(pageOf(fetch), image, 960)).toBe(`data:image/avif;base64,${btoa('pixels')}`)
    expect(fetch.mock.calls.map(([{ url }]) => new URL(url).pathname)).toEqual([image.replace('640.webp', '960.avif')])
  })

  test('returns nothing for a large picture, and does not read it again', async () => {
    const fetch = vi.fn<Fetch>(() => new Response('x'.repeat(8193)))
    const image = picture()

    expect(await pictureInPage(pageOf(fetch), image, 960)).toBeUndefined()
    expect(await pictureInPage(pageOf(fetch), image, 960)).toBeUndefined()
    expect(fetch).toHaveBeenCalledOnce()
  })

  test('returns nothing for a missing picture', async () => {
    const page = pageOf(() => new Response('gone', { status: 404 }))

    expect(await pictureInPage(page, picture(), 960)).toBeUndefined()
    expect(page.cache.set).not.toHaveBeenCalled()
  })

  test('returns nothing when reading fails, and lets the page be rendered again soon', async () => {
    const answers = [() => new Response('busy', { status: 503 }), () => Promise.reject(new Error('reset'))]
    const page = pageOf(() => answers.shift()?.() ?? new Response('pixels'))
    const image = picture()

    expect(await pictureInPage(page, image, 960)).toBeUndefined()
    expect(await pictureInPage(page, image, 960)).toBeUndefined()
    expect(page.cache.set.mock.calls).toEqual([[{ maxAge: 5 }], [{ maxAge: 5 }]])
    expect(await pictureInPage(page, image, 960)).toContain('base64')
    expect(page.cache.set).toHaveBeenCalledTimes(2)
  })

  test('does not wait for a slow picture, and lets the page be rendered again soon', async () => {
    vi.useFakeTimers()
    try {
      const page = pageOf(() => new Promise(() => {}))
      const answer = pictureInPage(page, picture(), 960)
      await vi.runAllTimersAsync()

      expect(await answer).toBeUndefined()
      expect(page.cache.set).toHaveBeenCalledExactlyOnceWith({ maxAge: 5 })
    } finally {
      vi.useRealTimers()
    }
  })

  test('returns nothing for pictures of other hosts, or without a provider', async () => {
    const fetch = vi.fn<Fetch>()

    expect(await pictureInPage(pageOf(fetch), 'https://example.com/a.jpg', 960)).toBeUndefined()
    expect(await pictureInPage(pageOf(undefined), picture(), 960)).toBeUndefined()
    expect(fetch).not.toHaveBeenCalled()
  })
})

import { describe, expect, test, vi } from 'vitest'
import { pictureInPage } from '#lib/catalogue/picture-in-page.ts'

type Fetch = NonNullable<App.Locals['provider']>

const pageOf = (provider: Fetch | undefined) => ({
  locals: { provider },
  cache: { set: vi.fn<(age: object) => void>() },
})
const image = `/media/${'0'.repeat(64)}/640.webp`

describe('pictureInPage', () => {
  test('returns the picture in the requested width', async () => {
    const fetch = vi.fn<Fetch>(() => new Response('pixels', { headers: { 'content-type': 'image/avif' } }))

    expect(await pictureInPage(pageOf(fetch), image)).toBe(`data:image/avif;base64,${btoa('pixels')}`)
    expect(fetch.mock.calls.map(([{ url }]) => new URL(url).pathname)).toEqual([image.replace('640.webp', '960.avif')])
  })

  test('returns nothing for a large picture', async () => {
    const page = pageOf(() => new Response('x'.repeat(8193)))

    expect(await pictureInPage(page, image)).toBeUndefined()
    expect(page.cache.set).not.toHaveBeenCalled()
  })

  test('returns nothing for a missing picture', async () => {
    const page = pageOf(() => new Response('gone', { status: 404 }))

    expect(await pictureInPage(page, image)).toBeUndefined()
    expect(page.cache.set).not.toHaveBeenCalled()
  })

  test('returns nothing when reading fails, and lets the page be rendered again soon', async () => {
    const answers = [() => new Response('busy', { status: 503 }), () => Promise.reject(new Error('reset'))]
    const page = pageOf(() => answers.shift()?.() ?? new Response('pixels'))

    expect(await pictureInPage(page, image)).toBeUndefined()
    expect(await pictureInPage(page, image)).toBeUndefined()
    expect(page.cache.set.mock.calls).toEqual([[{ maxAge: 5 }], [{ maxAge: 5 }]])
    expect(await pictureInPage(page, image)).toContain('base64')
    expect(page.cache.set).toHaveBeenCalledTimes(2)
  })

  test('does not wait for a slow picture, and lets the page be rendered again soon', async () => {
    vi.useFakeTimers()
    try {
      const page = pageOf(() => new Promise(() => {}))
      const answer = pictureInPage(page, image)
      await vi.runAllTimersAsync()

      expect(await answer).toBeUndefined()
      expect(page.cache.set).toHaveBeenCalledExactlyOnceWith({ maxAge: 5 })
    } finally {
      vi.useRealTimers()
    }
  })

  test('returns nothing for pictures of other hosts, or without a provider', async () => {
    const fetch = vi.fn<Fetch>()

    expect(await pictureInPage(pageOf(fetch), 'https://example.com/a.jpg')).toBeUndefined()
    expect(await pictureInPage(pageOf(undefined), image)).toBeUndefined()
    expect(fetch).not.toHaveBeenCalled()
  })
})

import { describe, expect, test, vi } from 'vitest'
import { pictureInPage } from '#lib/catalogue/picture-in-page.ts'

type Ask = NonNullable<App.Locals['provider']>

const pageOf = (provider: Ask | undefined) => ({ locals: { provider }, cache: { set: vi.fn<(age: object) => void>() } })
let count = 0
/** Pictures that were read are kept, so each test has one of its own. */
const picture = () => `/media/${String((count += 1)).padStart(64, '0')}/640.webp`

describe('pictureInPage', () => {
  test('has the picture in the width that was asked for, and reads it once', async () => {
    const ask = vi.fn<Ask>(() => new Response('pixels', { headers: { 'content-type': 'image/avif' } }))
    const image = picture()

    expect(await pictureInPage(pageOf(ask), image, 960)).toBe(`data:image/avif;base64,${btoa('pixels')}`)
    expect(await pictureInPage(pageOf(ask), image, 960)).toBe(`data:image/avif;base64,${btoa('pixels')}`)
    expect(ask.mock.calls.map(([{ url }]) => new URL(url).pathname)).toEqual([image.replace('640.webp', '960.avif')])
  })

  test('leaves a large picture where it is, and does not read it again', async () => {
    const ask = vi.fn<Ask>(() => new Response('x'.repeat(8193)))
    const image = picture()

    expect(await pictureInPage(pageOf(ask), image, 960)).toBeUndefined()
    expect(await pictureInPage(pageOf(ask), image, 960)).toBeUndefined()
    expect(ask).toHaveBeenCalledOnce()
  })

  test('goes without what there is not', async () => {
    const page = pageOf(() => new Response('gone', { status: 404 }))

    expect(await pictureInPage(page, picture(), 960)).toBeUndefined()
    expect(page.cache.set).not.toHaveBeenCalled()
  })

  test('goes without what cannot be had now: the page is soon rendered again, and asks again', async () => {
    const answers = [() => new Response('busy', { status: 503 }), () => Promise.reject(new Error('reset'))]
    const page = pageOf(() => answers.shift()?.() ?? new Response('pixels'))
    const image = picture()

    expect(await pictureInPage(page, image, 960)).toBeUndefined()
    expect(await pictureInPage(page, image, 960)).toBeUndefined()
    expect(page.cache.set.mock.calls).toEqual([[{ maxAge: 5 }], [{ maxAge: 5 }]])
    expect(await pictureInPage(page, image, 960)).toContain('base64')
    expect(page.cache.set).toHaveBeenCalledTimes(2)
  })

  test('does not wait for a picture that is slow to make: the page is soon rendered again', async () => {
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

  test('has nothing to do with pictures of other addresses, or without somebody to ask', async () => {
    const ask = vi.fn<Ask>()

    expect(await pictureInPage(pageOf(ask), 'https://example.com/a.jpg', 960)).toBeUndefined()
    expect(await pictureInPage(pageOf(undefined), picture(), 960)).toBeUndefined()
    expect(ask).not.toHaveBeenCalled()
  })
})

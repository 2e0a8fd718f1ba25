import { describe, expect, test } from 'vitest'
import type { CdnService } from '#server/page-cache/cdn/config.ts'
import { keyOf, keysOfChanges, keysOfPage } from '#server/page-cache/cdn/keys.ts'
import { SERVICES } from '#server/page-cache/cdn/services.ts'
import { fakePages, gate } from '#tests/support/pages.ts'

const cdnOf = (service: CdnService) => ({ service, urls: ['http://cdn.example'], key: 'secret' })
const KEPT = 'public, max-age=0, s-maxage=3600'

describe('a page that a CDN keeps', () => {
  test.each<[CdnService, string | undefined]>([
    ['varnish', 'max-age=3600, stale-while-revalidate=60'],
    ['fastly', 'max-age=3600, stale-while-revalidate=60'],
    ['cloudflare', undefined],
  ])('says so to %s', async (service, surrogateControl) => {
    const { ask } = fakePages(() => ({ tags: ['home'] }), { cdn: cdnOf(service) })

    const { headers } = await ask('/')

    expect(headers).toMatchObject({ 'cache-control': KEPT, 'cache-tag': `pages,${keyOf('home')}` })
    expect(headers['surrogate-key']).toBe(`pages ${keyOf('home')}`)
    expect(headers['surrogate-control']).toBe(surrogateControl)
  })

  test('is not one with a maximum age, which no purge would reach', async () => {
    const show = () => ({ tags: ['home'], headers: { 'x-page-max-age': '10' } })
    const { ask } = fakePages(show, { cdn: cdnOf('varnish') })

    const { headers } = await ask('/')

    expect(headers['cache-control']).toContain('s-maxage=60')
    expect(headers).not.toHaveProperty('cache-tag')
  })

  test('has at most a hundred keys of its own, and then one for all changes', () => {
    const tags = Array.from({ length: 101 }, (_, at) => `product:${at}`)

    expect(keyOf('home')).toMatch(/^[\w-]{8}$/)
    expect(keysOfPage(tags.slice(1))).toEqual(['pages', ...tags.slice(1).map(keyOf)])
    expect(keysOfPage(tags)).toEqual(['pages', 'many', ...tags.slice(0, 100).map(keyOf)])
    expect(keysOfChanges(['home'])).toEqual(['many', keyOf('home')])
  })
})

test('the keys of a page stay below a kilobyte per header, whatever it shows', async () => {
  const tags = Array.from({ length: 500 }, (_, at) => `category:${'Bücher, Karten & mehr '.repeat(20)}${at}`)
  const { ask } = fakePages(() => ({ tags }), { cdn: cdnOf('varnish') })

  const { headers } = await ask('/')

  expect(headers['cache-tag']).toMatch(/^[\w,-]{9,1000}$/)
  expect(headers['surrogate-key']).toBe(String(headers['cache-tag']).replaceAll(',', ' '))
})

test('without a CDN, pages have no keys, and a proxy keeps them for a minute', async () => {
  const { headers } = await fakePages(() => ({ tags: ['home'] })).ask('/')

  expect(headers).not.toHaveProperty('cache-tag')
  expect(headers).not.toHaveProperty('surrogate-key')
  expect(headers['cache-control']).toContain('s-maxage=60')
})

test('a page that has changed while it was rendered is not kept', async () => {
  const rendering = gate()
  const { ask, pages } = fakePages(() => rendering.wait().then(() => ({ tags: ['home'] })), { cdn: cdnOf('varnish') })
  const asked = ask('/')
  await rendering.reached

  pages.purge('home')
  rendering.open()

  const { headers } = await asked
  expect(headers['cache-control']).toBe('public, max-age=0')
  expect(headers).not.toHaveProperty('surrogate-control')
})

describe('a purge', () => {
  const sent = async (service: CdnService) => {
    const request = SERVICES[service].request('http://cdn.example/x', 'secret', ['many', 'abc'])
    const { method, url, headers } = request
    return { method, url, headers: Object.fromEntries(headers), body: await request.text() }
  }

  test('is one request to Varnish', async () => {
    expect(await sent('varnish')).toMatchObject({
      method: 'PURGE',
      url: 'http://cdn.example/x',
      headers: { authorization: 'Bearer secret', xkey: 'many abc' },
    })
  })

  test('is one request to Fastly', async () => {
    expect(await sent('fastly')).toMatchObject({
      method: 'POST',
      url: 'http://cdn.example/x/purge',
      headers: { 'fastly-key': 'secret', accept: 'application/json', 'content-type': 'application/json' },
      body: '{"surrogate_keys":["many","abc"]}',
    })
  })

  test('is one request to Cloudflare, which may fail with status 200', async () => {
    expect(await sent('cloudflare')).toMatchObject({
      method: 'POST',
      url: 'http://cdn.example/x/purge_cache',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: '{"tags":["many","abc"]}',
    })
    const { reasonOf } = SERVICES.cloudflare
    expect(reasonOf?.({ success: true })).toBeNull()
    expect(reasonOf?.({ success: false, errors: [] })).toBe('{"success":false,"errors":[]}')
    expect(reasonOf?.(null)).toBe('null')
  })
})

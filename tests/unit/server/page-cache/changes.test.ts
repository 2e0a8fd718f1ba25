import inject from 'light-my-request'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createPurgeReceiver } from '#server/page-cache/purge-receiver.ts'
import { createPurgeSender } from '#server/page-cache/purge-sender.ts'
import { sign } from '#server/http/signature.ts'
import { NOTHING_HERE } from '#server/platform/errors.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const SECRET = 'a secret that is long enough to be one'
const closing: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closing.map(close => close())))

function receiver(secret: string | undefined = SECRET) {
  const purged: (string | null)[] = []
  const receive = createPurgeReceiver({ secret, purge: tag => purged.push(tag) })
  const send = (
    payload: string,
    { timestamp = now(), signature = sign(SECRET, timestamp, payload), method = 'POST' } = {},
  ) =>
    inject((req, res) => void receive(req, res), {
      url: '/internal/purge',
      method: method as 'POST',
      payload,
      headers: { 'x-piazza-timestamp': String(timestamp), 'x-piazza-signature': signature },
      validate: false,
    })
  return { purged, receive, send }
}

const now = () => Math.floor(Date.now() / 1000)
const ofTags = (tags: unknown) => JSON.stringify({ id: randomUUID(), tags })

describe('a signed purge request', () => {
  test('purges the tags it names', async () => {
    const { purged, send } = receiver()

    expect((await send(ofTags(['product:1', 'home']))).statusCode).toBe(200)
    expect((await send(ofTags(null))).statusCode).toBe(200)

    expect(purged).toEqual(['product:1', 'home', null])
  })

  test('is applied once, even when it is sent or replayed again', async () => {
    const { purged, send } = receiver()
    const message = ofTags(['home'])

    for (let count = 0; count < 3; count += 1) expect((await send(message)).statusCode).toBe(200)
    expect(purged).toEqual(['home'])
    await send(ofTags(['home']))

    expect(purged).toEqual(['home', 'home'])
  })

  test.each([
    ['of another secret', { signature: sign('another secret, as long as the first one', now(), '{"tags":null}') }],
    ['for another body', { signature: sign(SECRET, now(), '{"tags":["home"]}') }],
    [
      'with one digit changed',
      { signature: sign(SECRET, now(), '{"tags":null}').replace(/^./, digit => (digit === '0' ? '1' : '0')) },
    ],
    ['that is none', { signature: '' }],
    ['of an hour ago', { timestamp: now() - 3600 }],
    ['of an hour from now', { timestamp: now() + 3600 }],
    ['at no time', { timestamp: Number.NaN }],
  ])('is rejected with a signature %s', async (_, forged) => {
    const { purged, send } = receiver()

    expect((await send('{"tags":null}', forged)).statusCode).toBe(401)
    expect(purged).toEqual([])
  })

  test('returns 404 when no secret is configured', async () => {
    const { purged, send } = receiver('')

    const answer = await send('{"tags":null}')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: NOTHING_HERE })
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    expect(purged).toEqual([])
  })

  test.each(['', 'null', ofTags('home'), ofTags([1]), '{"tags":null}', '[]', '{'])(
    'returns an error for the body %j',
    async body => {
      const { purged, send } = receiver()

      const answer = await send(body)

      expect([400, 413]).toContain(answer.statusCode)
      expect(answer.json()).toHaveProperty('error')
      expect(purged).toEqual([])
    },
  )

  test('may not exceed the size limit, and must be a POST', async () => {
    const { send } = receiver()

    const large = await send(JSON.stringify({ tags: ['x'.repeat(300_000)] }))
    expect([large.statusCode, large.json()]).toEqual([413, { error: 'The body is too large' }])
    const asked = await send('', { method: 'GET' })
    expect([asked.statusCode, asked.json()]).toEqual([405, { error: 'Method not allowed' }])
    const unsigned = await send(ofTags([]), { signature: '' })
    expect(unsigned.json()).toEqual({ error: 'The signature is wrong or too old' })
    const shapeless = await send('{"tags":[]}')
    expect(shapeless.json()).toEqual({
      error: 'The body must be {"id": UUID, "tags": […]}; null tags mean everything',
    })
  })

  test('may name at most 10,000 tags, of at most 2,000 characters', async () => {
    const { purged, send } = receiver()
    const many = Array.from({ length: 10_000 }, (_, at) => String(at))

    for (const tags of [[...many, 'more'], ['x'.repeat(2001)]]) expect((await send(ofTags(tags))).statusCode).toBe(400)
    expect(purged).toEqual([])
    for (const tags of [many, ['x'.repeat(2000)]]) expect((await send(ofTags(tags))).statusCode).toBe(200)
    expect(purged).toHaveLength(many.length + 1)
  })
})

describe('sending purges to storefronts', () => {
  async function storefront(failures = 0) {
    const { purged, receive } = receiver()
    let requests = 0
    const listening = await listen((req, res) => {
      expect(req).toMatchObject({ url: '/internal/purge', headers: { 'content-type': 'application/json' } })
      requests++
      if (requests > failures) void receive(req, res)
      else res.writeHead(503).end()
    })
    closing.push(listening.close)
    return { url: listening.url, purged, requests: () => requests }
  }

  test('groups the tags of a moment into one request per storefront', async () => {
    const [first, second] = await Promise.all([storefront(), storefront()])
    const sender = createPurgeSender({
      urls: [first.url, second.url],
      secret: SECRET,
      log: { error: vi.fn<() => void>() },
    })

    for (const tag of ['home', 'product:1', 'home']) sender.send(tag)
    await vi.waitFor(() => expect(first.purged).toEqual(['home', 'product:1']), PATIENCE)
    await sender.close()

    expect(second.purged).toEqual(['home', 'product:1'])
    expect([first.requests(), second.requests()]).toEqual([1, 1])
  })

  test('purges everything instead of sending an endless list', async () => {
    const { url, purged } = await storefront()
    const sender = createPurgeSender({ urls: [url], secret: SECRET, log: { error: vi.fn<() => void>() } })

    for (let product = 0; product < 1001; product++) sender.send(`product:${product}`)
    await sender.close()
    expect(purged).toEqual([null])

    for (let product = 0; product < 1000; product++) sender.send(`product:${product}`)
    await sender.close()
    expect(purged).toHaveLength(1 + 1000)
  })

  test('purges everything on request, without naming tags', async () => {
    const { url, purged, requests } = await storefront()
    const sender = createPurgeSender({ urls: [url], secret: SECRET, log: { error: vi.fn<() => void>() } })

    sender.send('home')
    sender.send(null)
    await sender.close()
    await sender.close()
    expect([purged, requests()]).toEqual([[null], 1])

    sender.send('home')
    await sender.close()
    expect(purged).toEqual([null, 'home'])
  })

  test('retries while a storefront is unavailable', async () => {
    const { url, purged, requests } = await storefront(3)
    const error = vi.fn<() => void>()
    const sender = createPurgeSender({ urls: [url], secret: SECRET, log: { error }, retryMs: [1, 1, 1] })

    sender.send('home')
    await sender.close()

    expect(purged).toEqual(['home'])
    expect(requests()).toBe(4)
    expect(error).not.toHaveBeenCalled()
  })

  test('gives up after the last retry and logs it', async () => {
    const { url, purged } = await storefront(100)
    const error = vi.fn<(details: unknown, text?: string) => void>()
    const sender = createPurgeSender({ urls: [url], secret: SECRET, log: { error }, retryMs: [1, 1, 1] })

    sender.send('home')
    await sender.close()
    await sleep(1)

    expect(purged).toEqual([])
    const err = expect.objectContaining({ message: 'The storefront responded with 503' }) as Error
    expect(error).toHaveBeenCalledExactlyOnceWith({ err, url }, 'a storefront could not be told what changed')
  })
})

import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { createForwarder } from '#server/http/forward.ts'
import { isFromPage } from '#server/http/signature.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { freePort } from '#tests/support/ports.ts'

const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map(close => close())))
afterEach(() => void vi.restoreAllMocks())

const SECRET = 'only the storefront and its provider know this'

async function storefrontOf(providerUrl: string, trustedProxies = 0) {
  const publicUrl = 'https://shop.example'
  const log = { warn: vi.fn<() => void>() }
  const forwarder = createForwarder({ providerUrl, publicUrl, trustedProxies, purgeSecret: SECRET, log })
  const listening = await listen((req, res) => void forwarder.forward(req, res))
  listening.server.on('upgrade', (req, socket, head) => void forwarder.upgrade(req, socket, head))
  closing.push(forwarder.close, listening.close)
  return { url: listening.url, forwarder, log }
}

async function echo() {
  const provider = await listen(async (req, res) => {
    const body = await text(req)
    res.writeHead(201, {
      'content-type': 'application/json',
      'keep-alive': 'timeout=99',
      'proxy-authenticate': 'Basic',
    })
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }))
  })
  closing.push(provider.close)
  return provider
}

describe('a provider in another process', () => {
  test('receives the request unchanged, and its response reaches the visitor', async () => {
    const provider = await echo()
    const { url } = await storefrontOf(provider.url)

    const answer = await fetch(`${url}/api/home/any-call?a=%20b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
      body: '{"quantity":1}',
    })

    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({
      method: 'POST',
      url: '/api/home/any-call?a=%20b',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json', host: new URL(provider.url).host },
      body: '{"quantity":1}',
    })
  })

  test('receives our own forwarded headers, not the visitor’s, and no hop-by-hop headers', async () => {
    const provider = await echo()
    const { url } = await storefrontOf(provider.url)
    const forged = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      'http2-settings': 'AAMAAABk',
    }

    const asking = request(`${url}/api/health`, { headers: forged }).end()
    const [answer] = await once(asking, 'response')
    const { headers } = JSON.parse(await text(answer)) as { headers: Record<string, string> }

    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'shop.example',
      'x-forwarded-proto': 'https',
    })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['te']))
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|evil|proxy-auth|trailers|http2/)
    expect(answer.headers).not.toHaveProperty('proxy-authenticate')
    expect(answer.headers['keep-alive']).not.toBe('timeout=99')
  })

  test.each([
    [0, '127.0.0.1'],
    [1, '1.2.3.4'],
    [2, '6.6.6.6'],
  ])('receives the visitor’s address from behind %d proxies', async (trustedProxies, address) => {
    const provider = await echo()
    const { url } = await storefrontOf(provider.url, trustedProxies)

    const answer = await fetch(`${url}/api/health`, { headers: { 'x-forwarded-for': '6.6.6.6, 1.2.3.4' } })

    const { headers } = (await answer.json()) as { headers: Record<string, string> }
    expect(headers).toMatchObject({ 'x-forwarded-for': address, 'x-forwarded-host': 'shop.example' })
  })

  test('that returns 503 gets a retry-after header added', async () => {
    const provider = await listen((_, res) => res.writeHead(503).end())
    closing.push(provider.close)
    const { url } = await storefrontOf(provider.url)

    const answer = await fetch(`${url}/api/health`)

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  })

  test('that is unreachable gives a 503 with an API error, and a warning in the log', async () => {
    const { url, log } = await storefrontOf(`http://127.0.0.1:${await freePort()}`)

    const answer = await fetch(`${url}/api/health`)

    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await answer.json()).toEqual({ error: 'The marketplace cannot be reached right now' })
    expect(log.warn).toHaveBeenCalledOnce()
  })

  test('that breaks off gives an error, not an endless wait', async () => {
    const provider = await listen(req => req.socket.destroy())
    closing.push(provider.close)
    const { url } = await storefrontOf(provider.url)

    expect([502, 503]).toContain((await fetch(`${url}/api/health`)).status)
  })

  test('can use a WebSocket', async () => {
    const provider = await listen((_, res) => res.end())
    provider.server.on('upgrade', (req, socket) => {
      socket.on('end', () => socket.end())
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      socket.write(`hello from ${String(req.headers['x-forwarded-host'])}`)
    })
    closing.push(provider.close)
    const { url } = await storefrontOf(provider.url)

    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET /socket.io/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    let received = ''
    socket.on('data', chunk => (received += String(chunk)))
    await vi.waitFor(() => expect(received).toContain('hello from shop.example'), PATIENCE)
    socket.destroy()

    expect(received).toMatch(/^HTTP\/1\.1 101/)
  })

  test('can have a base path for page requests', async () => {
    const provider = await echo()
    const { forwarder } = await storefrontOf(`${provider.url}/market`)

    const answer = await forwarder.fetch(new Request('http://localhost:4321/api/home/sellers?page=2'))

    expect(await answer.json()).toMatchObject({ method: 'GET', url: '/market/api/home/sellers?page=2' })
  })

  test('recognises page requests by a secret', async () => {
    const provider = await echo()
    const { forwarder, url } = await storefrontOf(provider.url)
    const path = '/api/home/query-products?searchValue=a%20kite'
    const isPage = async (answer: Promise<Response>) => {
      const { headers } = (await (await answer).json()) as { headers: Record<string, string> }
      return isFromPage(SECRET, path, name => headers[name])
    }

    expect(await isPage(forwarder.fetch(new Request(`http://localhost:4321${path}`)))).toBe(true)
    expect(await isPage(fetch(url + path))).toBe(false)
  })
})

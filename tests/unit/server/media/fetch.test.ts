import { readFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublic } from '#server/media/address.ts'
import { createPictureFetcher } from '#server/media/fetch.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url), 'utf8')
const ca = fixture('pictures-cert.pem')
const server = createServer({ key: fixture('pictures-key.pem'), cert: ca }, (request, response) => {
  asked.push(request.url ?? '')
  answer(request, response)
})
const PIXELS = Buffer.from('pixels')
let asked: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void
let shop: string
let mirror: string

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  shop = `https://shop.example:${port}`
  mirror = `https://mirror.example:${port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  asked = []
  answer = picture
})

function picture(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' }).end(PIXELS)
}

function respond(status: number, headers: OutgoingHttpHeaders = {}) {
  return (_request: IncomingMessage, response: ServerResponse) => response.writeHead(status, headers).flushHeaders()
}

function redirect(to: string) {
  return respond(302, { location: to })
}

/** Treats the tests’ server as public; `inner.example` resolves to a private address. */
function fetcher(options: { timeoutMs?: number } = {}) {
  return createPictureFetcher({
    ca,
    isAllowed: address => address === '127.0.0.1' || isPublic(address),
    resolve: async hostname => [{ address: hostname === 'inner.example' ? '10.0.0.7' : '127.0.0.1', family: 4 }],
    ...options,
  })
}

describe('fetching a picture', () => {
  test('returns the bytes', async () => {
    expect(await fetcher()(`${shop}/a.png`)).toEqual(PIXELS)
  })

  test('follows at most three redirects', async () => {
    const fetchPicture = fetcher()
    answer = (request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) picture(request, response)
      else redirect(`${left % 2 ? mirror : shop}/${left - 1}`)(request, response)
    }

    expect(await fetchPicture(`${shop}/3`)).toEqual(PIXELS)
    await expect(fetchPicture(`${shop}/4`)).rejects.toThrow('more than 3 redirects')
    expect(asked).toEqual(['/3', '/2', '/1', '/0', '/4', '/3', '/2', '/1'])
  })

  test('runs at most four requests at once', async () => {
    const waiting: (() => void)[] = []
    answer = (request, response) => void waiting.push(() => picture(request, response))
    const fetchPicture = fetcher()

    const fetched = Promise.all(Array.from({ length: 12 }, (_, index) => fetchPicture(`${shop}/${index}`)))

    for (const count of [4, 8, 12]) {
      await expect.poll(() => asked.length).toBe(count)
      for (const send of waiting.splice(0)) send()
    }
    expect(await fetched).toHaveLength(12)
  })

  test('rejects a response whose content type is not a picture', async () => {
    answer = (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')

    await expect(fetcher()(`${shop}/a.png`)).rejects.toThrow('the answer is not a picture')
  })

  test('rejects an untrusted certificate', async () => {
    const fetchPicture = createPictureFetcher({
      isAllowed: () => true,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })

    await expect(fetchPicture(`${shop}/a.png`)).rejects.toThrow(/cannot be reached \(.*CERT/)
    expect(asked).toEqual([])
  })

  test.each(['http://shop.example/a.png', 'ftp://shop.example/a', 'file:///etc/passwd', 'data:image/png,a'])(
    'rejects %s',
    async address => {
      await expect(fetcher()(address)).rejects.toThrow('only https addresses are fetched')
    },
  )

  test('rejects an invalid address and one with a password', async () => {
    await expect(fetcher()('a.png')).rejects.toThrow('not an address')
    await expect(fetcher()('https://me:secret@shop.example/a.png')).rejects.toThrow('password')
  })
})

describe('a private network', () => {
  const addresses =
    '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 2130706433 0x7f.1 ' +
    '0177.0.0.1 127.1 127.0.0.1. 198.18.0.1 192.0.0.192 240.0.0.1 [::1] [::] [::ffff:127.0.0.1] ' +
    '[::127.0.0.1] [fe80::1] [fd00::1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [::ffff:0:127.0.0.1] ' +
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2] [ff02::1] [2002:7f00:1::]'
  test.each(addresses.split(' '))('cannot be reached as %s', async host => {
    const fetchPicture = createPictureFetcher({ ca })

    await expect(fetchPicture(`${shop.replace('shop.example', host)}/a.png`)).rejects.toThrow('not a public address')
    expect(asked).toEqual([])
  })

  test('cannot be reached as localhost', async () => {
    const fetchPicture = createPictureFetcher({ ca })

    await expect(fetchPicture(`${shop.replace('shop.example', 'localhost')}/a`)).rejects.toThrow('not a public address')
    expect(asked).toEqual([])
  })

  test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:127.0.0.1'])(
    'cannot be reached by a name that resolves to %s, even next to a public address',
    async address => {
      const family = address.includes(':') ? 6 : 4
      const resolve = async () => [
        { address: '8.8.8.8', family: 4 },
        { address, family },
      ]

      await expect(createPictureFetcher({ ca, resolve })(`${shop}/a.png`)).rejects.toThrow('not a public address')
      expect(asked).toEqual([])
    },
  )

  test.each(['https://10.0.0.7/a.png', 'https://inner.example/a.png', 'https://[::1]/a.png'])(
    'cannot be reached by a redirect to %s',
    async address => {
      answer = redirect(address)

      await expect(fetcher()(`${shop}/a.png`)).rejects.toThrow('not a public address')
      expect(asked).toEqual(['/a.png'])
    },
  )

  test('cannot be reached by a redirect to http', async () => {
    answer = redirect('http://shop.example/a.png')

    await expect(fetcher()(`${shop}/a.png`)).rejects.toThrow('only https addresses are fetched')
  })

  test('cannot be reached by DNS rebinding: the connection uses the checked address', async () => {
    let questions = 0
    const resolve = async () => [{ address: questions++ === 0 ? '127.0.0.1' : '10.0.0.7', family: 4 }]
    const fetchPicture = createPictureFetcher({ ca, resolve, isAllowed: address => address === '127.0.0.1' })

    expect(await fetchPicture(`${shop}/a.png`)).toEqual(PIXELS)
    expect(questions).toBe(1)
    await expect(fetchPicture(`${shop}/a.png`)).rejects.toThrow('not a public address')
  })
})

describe('a harmful host', () => {
  const MB = 1024 * 1024

  test('is stopped at 15 MB by its content-length', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(15 * MB + 1) })
      response.write('a')
    }

    await expect(fetcher()(`${shop}/a.png`)).rejects.toThrow('larger than 15 MB')
  })

  test('is stopped at 15 MB by the bytes it sends', async () => {
    let sent = 0
    let gone: Promise<void> | undefined
    answer = (_request, response) => {
      gone = new Promise(resolve => response.on('close', resolve))
      response.writeHead(200, { 'content-type': 'image/png' })
      const more = () => {
        let hasRoom = true
        while (hasRoom && !response.destroyed && sent < 64 * MB) {
          hasRoom = response.write(Buffer.alloc(MB))
          sent += MB
        }
        if (!hasRoom) response.once('drain', more)
      }
      more()
    }

    await expect(fetcher()(`${shop}/a.png`)).rejects.toThrow('larger than 15 MB')
    await gone
    expect(sent).toBeLessThan(32 * MB)
  })

  test('times out when it sends slowly', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const drip = setInterval(() => response.write('a'), 20)
      response.on('close', () => clearInterval(drip))
    }

    const answered = fetcher({ timeoutMs: 300 })(`${shop}/a.png`)

    await expect(answered).rejects.toThrow(/^shop\.example:\d+ did not respond within 0\.3 s$/)
  })

  test('times out when it is silent, with one limit for all redirects together', async () => {
    answer = (request, response) => void setTimeout(() => redirect('/on')(request, response), 400)

    await expect(fetcher({ timeoutMs: 1000 })(`${shop}/a.png`)).rejects.toThrow('did not respond within 1 s')
    expect(asked.length).toBeLessThanOrEqual(3)
  })

  test.each([503, 429, 401])('is given up after it responded with %i three times, others are not', async status => {
    const fetchPicture = fetcher()
    const { host } = new URL(shop)
    answer = (request, response) => {
      if (request.headers.host === host) response.writeHead(status).end()
      else picture(request, response)
    }

    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(fetchPicture(`${shop}/a.png`)).rejects.toThrow(`${host} responded with ${status}`)
    }
    await expect(fetchPicture(`${shop}/b.png`)).rejects.toThrow(`${host} was given up after 3 failures`)

    expect(asked).toEqual(['/a.png', '/a.png', '/a.png'])
    expect(await fetchPicture(`${mirror}/a.png`)).toEqual(PIXELS)
  })

  test('is given up when its name does not resolve', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    const fetchPicture = createPictureFetcher({ resolve })

    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(fetchPicture('https://dead.example/a.png')).rejects.toThrow('dead.example is not known')
    }
    await expect(fetchPicture('https://dead.example/a.png')).rejects.toThrow('dead.example was given up')
  })

  const faults: [fault: string, reason: string, status: number, headers: OutgoingHttpHeaders][] = [
    ['missing', 'responded with 404', 404, {}],
    ['forbidden', 'responded with 403', 403, {}],
    ['pages', 'the answer is not a picture', 200, { 'content-type': 'text/html' }],
    ['too large', 'larger than 15 MB', 200, { 'content-type': 'image/png', 'content-length': 20 * MB }],
    ['elsewhere, without https', 'only https addresses are fetched', 302, { location: 'http://shop.example/a' }],
  ]
  test.each(faults)('is kept when only pictures are %s', async (_fault, reason, status, headers) => {
    const fetchPicture = fetcher()
    answer = respond(status, headers)
    for (let attempt = 0; attempt < 4; attempt++) await expect(fetchPicture(`${shop}/a`)).rejects.toThrow(reason)
    for (let round = 0; round < 2; round++) {
      answer = respond(500)
      for (let attempt = 0; attempt < 2; attempt++)
        await expect(fetchPicture(`${shop}/a`)).rejects.toThrow('responded with 500')
      answer = respond(status, headers)
      await expect(fetchPicture(`${shop}/a`)).rejects.toThrow(reason)
    }
  })

  test('is kept when it recovers', async () => {
    const fetchPicture = fetcher()
    for (let round = 0; round < 2; round++) {
      answer = respond(500)
      for (let attempt = 0; attempt < 2; attempt++)
        await expect(fetchPicture(`${shop}/a`)).rejects.toThrow('responded with 500')
      answer = picture
      expect(await fetchPicture(`${shop}/a`)).toEqual(PIXELS)
    }
  })
})

test.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is a public address', address => {
  expect(isPublic(address)).toBe(true)
})

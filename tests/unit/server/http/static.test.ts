import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import inject from 'light-my-request'
import { afterAll, describe, expect, test } from 'vitest'
import { securityHeaders } from '#server/http/headers.ts'
import { createStatic } from '#server/http/static.ts'

const folder = await mkdtemp(join(tmpdir(), 'piazza-static-'))
afterAll(() => rm(folder, { recursive: true }))

await mkdir(join(folder, 'client/_astro'), { recursive: true })
await mkdir(join(folder, 'server'))
await Promise.all(
  Object.entries({
    'client/_astro/shop.js': 'script',
    'client/_astro/shop.js.br': 'brotli',
    'client/_astro/shop.js.gz': 'gzip',
    'client/favicon.ico': 'icon',
    'client/favicon.svg': '<svg/>',
    'client/old.css': 'a{}',
    'server/entry.mjs': 'secret',
  }).map(([name, contents]) => writeFile(join(folder, name), contents)),
)

const serve = createStatic({ folder, headers: securityHeaders({ publicUrl: 'https://shop.example' }) })
const ask = (url: string, headers = {}, method = 'GET') =>
  inject((req, res) => serve(req, res, () => res.writeHead(404).end('not a file')), {
    url,
    method: method as 'GET',
    headers,
    validate: false,
  })

describe('static files', () => {
  test.each([
    ['br, gzip', 'brotli', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['', 'script', undefined],
    ['br;q=0, gzip;q=0.5', 'gzip', 'gzip'],
    ['br;q=0', 'script', undefined],
  ])('are compressed as %j allows', async (accepted, body, encoding) => {
    const answer = await ask('/_astro/shop.js', { 'accept-encoding': accepted })

    expect(answer.body).toBe(body)
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['content-type']).toMatch(/javascript/)
    expect(answer.headers.vary).toBe('Accept-Encoding')
  })

  test('have their content type', async () => {
    expect((await ask('/favicon.svg')).headers['content-type']).toBe('image/svg+xml')
    expect((await ask('/favicon.ico')).headers['content-type']).toBe('image/x-icon')
  })

  test('are immutable under hashed names, and cached for an hour otherwise', async () => {
    expect((await ask('/_astro/shop.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await ask('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
  })

  test('have the security headers', async () => {
    const { headers } = await ask('/favicon.svg')

    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
  })

  test('are still served after a new build has removed them', async () => {
    await unlink(join(folder, 'client/old.css'))

    expect((await ask('/old.css')).body).toBe('a{}')
  })

  test('return 304 when unchanged', async () => {
    const { etag } = (await ask('/favicon.svg')).headers

    expect((await ask('/favicon.svg', { 'if-none-match': etag })).statusCode).toBe(304)
  })

  test.each(['bytes=5-1', 'bytes=-2', 'bytes=99-', 'bytes=0-1'])(
    'are sent completely for the range %s',
    async range => {
      const answer = await ask('/favicon.svg', { range })

      expect([answer.statusCode, answer.body]).toEqual([200, '<svg/>'])
    },
  )

  test.each(['/../server/entry.mjs', '/%2e%2e/server/entry.mjs', '/missing.js'])('do not include %s', async path => {
    expect((await ask(path)).body).toBe('not a file')
  })

  test('reject POST requests', async () => {
    expect((await ask('/favicon.svg', {}, 'POST')).body).toBe('not a file')
  })
})

test('only a shop on https sends strict-transport-security', () => {
  const names = securityHeaders({ publicUrl: 'http://localhost:4321' }).map(([name]) => name)

  expect(names).not.toContain('strict-transport-security')
  expect(names).toEqual(
    expect.arrayContaining([
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'permissions-policy',
    ]),
  )
})

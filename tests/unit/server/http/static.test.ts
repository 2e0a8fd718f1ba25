import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import inject from 'light-my-request'
import { afterAll, describe, expect, test } from 'vitest'
import { securityHeaders } from '#server/http/headers.ts'
import { createStatic } from '#server/http/static.ts'

const builds = await mkdtemp(join(tmpdir(), 'piazza-static-'))
const folder = join(builds, '2')
afterAll(() => rm(builds, { recursive: true }))

async function addBuild(name: string, files: Record<string, string>): Promise<void> {
  await mkdir(join(builds, name, 'client/_astro'), { recursive: true })
  await mkdir(join(builds, name, 'server'))
  for (const [path, contents] of Object.entries(files)) await writeFile(join(builds, name, path), contents)
}

await addBuild('1', {
  'client/_astro/shop.older.js': 'older script',
  'client/_astro/shop.older.js.br': 'older brotli',
  'client/_astro/.hidden': 'secret',
  'client/older.css': 'b{}',
  'server/entry.mjs': 'secret',
  '.built': '{}',
})
await addBuild('2', {
  'client/_astro/shop.js': 'script',
  'client/_astro/shop.js.br': 'brotli',
  'client/_astro/shop.js.gz': 'gzip',
  'client/favicon.ico': 'icon',
  'client/favicon.svg': '<svg/>',
  'client/old.css': 'a{}',
  'server/entry.mjs': 'secret',
  '.built': '{}',
})

const headers = securityHeaders({ publicUrl: 'https://shop.example' })
const serve = createStatic({ folder, headers, builds })
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

describe('files of other builds', () => {
  const older = '/_astro/shop.older.js'

  test('are sent to pages that were opened before an update', async () => {
    const answer = await ask(older, { 'accept-encoding': 'br' })

    expect([answer.statusCode, answer.body]).toEqual([200, 'older brotli'])
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/javascript/) as string,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect((await ask(`${older}?v=1`, { 'accept-encoding': 'gzip' })).body).toBe('older script')
  })

  test('are sent to pages of a process that runs a newer build already, once that build is complete', async () => {
    await addBuild('3', { 'client/_astro/shop.newer.js': 'half a scr' })
    expect((await ask('/_astro/shop.newer.js')).body).toBe('not a file')

    await writeFile(join(builds, '3/client/_astro/shop.newer.js'), 'newer script')
    await writeFile(join(builds, '3/.built'), '{}')
    expect((await ask('/_astro/shop.newer.js')).body).toBe('newer script')
  })

  test('are still sent after their build has been removed', async () => {
    await ask(older)
    await rm(join(builds, '1'), { recursive: true })

    expect((await ask(older)).body).toBe('older script')
  })

  test.each([
    '/older.css',
    '/_astro/.hidden',
    '/_astro/shop.older.js.br',
    '/_astro/../../server/entry.mjs',
    '/_astro/..%2f..%2fserver/entry.mjs',
    '/_astro/',
    '/_astro/toString',
  ])('do not include %s', async path => {
    expect((await ask(path)).body).toBe('not a file')
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

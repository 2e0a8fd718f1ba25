import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '#server/http/env.ts'
import { readRules } from '#server/http/limit-rules.ts'
import { openLimits } from '#server/http/limits.ts'
import { mediaRoutes } from '#server/media/routes.ts'
import { openMedia } from '#server/media/store.ts'

const folder = await mkdtemp(join(tmpdir(), 'piazza-media-'))
const media = openMedia({ folder, background: false })
const limits = openLimits({ rules: readRules() })
const app = new Hono<Env>()
app.use(async (c, next) => {
  c.set('ip', '5.0.0.1')
  c.set('limits', limits)
  await next()
})
mediaRoutes(app, media)
let hash: string

beforeAll(async () => {
  const photograph = sharp({ create: { width: 900, height: 600, channels: 3, background: '#38c' } })
  hash = (await media.store(await photograph.jpeg().toBuffer())).hash
})

afterAll(async () => {
  await media.close()
  await rm(folder, { recursive: true })
})

describe('the URL of a picture', () => {
  test.each(['webp', 'avif'])(
    'returns the picture as %s with headers that allow caching and forbid scripts',
    async format => {
      const answer = await app.request(`/media/${hash}/640.${format}`)

      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toEqual({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(bytes.length),
        'content-security-policy': "default-src 'none'; sandbox",
        'content-type': `image/${format}`,
        'cross-origin-resource-policy': 'cross-origin',
        etag: expect.stringMatching(/^"[\w-]+"$/) as string,
        'x-content-type-options': 'nosniff',
      })
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 640, mediaType: `image/${format}` })
    },
  )

  test('returns the same headers without a body for HEAD', async () => {
    const get = await app.request(`/media/${hash}/320.webp`)
    const head = await app.request(`/media/${hash}/320.webp`, { method: 'HEAD' })

    expect(head.status).toBe(200)
    expect([...head.headers]).toEqual([...get.headers])
    expect(await head.text()).toBe('')
    await get.body?.cancel()
  })

  test.each([(etag: string) => etag, (etag: string) => `"other", W/${etag}`, () => '*'])(
    'returns 304 if the client has the picture (%#)',
    async known => {
      const head = await app.request(`/media/${hash}/320.webp`, { method: 'HEAD' })
      const headers = { 'If-None-Match': known(head.headers.get('etag') ?? '') }

      const answer = await app.request(`/media/${hash}/320.webp`, { headers })

      expect(answer.status).toBe(304)
      expect(answer.headers.get('etag')).toBe(head.headers.get('etag'))
      expect(answer.headers.get('cache-control')).toContain('immutable')
      expect(await answer.text()).toBe('')
    },
  )

  test('returns the picture if the client has another version', async () => {
    const answer = await app.request(`/media/${hash}/320.webp`, { headers: { 'If-None-Match': '"other"' } })

    expect(answer.status).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0)
  })

  test.each([
    ['an unknown width', () => `/media/${hash}/641.webp`],
    ['a padded width', () => `/media/${hash}/0640.webp`],
    ['an unknown format', () => `/media/${hash}/640.jpg`],
    ['the original', () => `/media/${hash}/original`],
    ['an unknown hash', () => `/media/${'0'.repeat(64)}/640.webp`],
    ['a hash in capitals', () => `/media/${hash.toUpperCase()}/640.webp`],
    ['a way out', () => `/media/${hash}/..%2f..%2f..%2fetc%2fpasswd`],
    ['a longer way', () => `/media/${hash}/640.webp/more`],
    ['nothing', () => '/media/'],
  ])('returns 404 for %s', async (_what, address) => {
    const answer = await app.request(address())

    expect(answer.status).toBe(404)
    expect(answer.headers.get('cache-control')).toBeNull()
    expect(await answer.json()).toEqual({ error: 'Picture not found' })
  })
})

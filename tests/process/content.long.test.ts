import { cp, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningShop, startShop } from '#tests/support/provider/shop.ts'
import { typeCommand } from '#tests/support/provider/typing.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const PAGES = resolve('src/content/policies')
const CARE = `---
title: Looking after leather
description: How to keep a bag for years.
updated: 2025-06-30
footer: help
order: 2
---

![A bag](bag.png)

Read [what you may return](/return-refund-policy#30-days-to-return), too.
`

let folder: string
let env: { DIST_DIR: string; DATA_DIR: string }
let shop: RunningShop

// The built storefront, with this test’s own published pages.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-published-'))
  env = { DIST_DIR: join(folder, 'dist'), DATA_DIR: join(folder, 'data') }
  await symlink(resolve('dist'), env.DIST_DIR)
  await cp(PAGES, join(folder, 'pages'), { recursive: true })
  await publish()
  shop = await startShop({ ...env, DEMO: 'off' }, { dataDir: env.DATA_DIR })
})

afterAll(async () => {
  await shop?.stop()
  await rm(folder, { recursive: true })
})

const publish = () => typeCommand(['content', 'publish', join(folder, 'pages')], { env: { ...process.env, ...env } })
const page = async (path: string) => (await fetch(shop.url + path)).text()
const statusOf = async (path: string) => (await fetch(shop.url + path)).status
/** The links in the footer’s help list. */
const helpOn = async (path: string) => {
  const [, list = ''] = /<nav aria-labelledby="footer-support">([^]*?)<\/nav>/.exec(await page(path)) ?? []
  return [...list.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
}

test('a running shop shows a newly published page, its picture and its link in the footer', async () => {
  expect(await helpOn('/')).toEqual(['/return-refund-policy'])
  expect(await statusOf('/leather-care')).toBe(404)
  await writeFile(join(folder, 'pages/leather-care.md'), CARE)
  const picture = { width: 800, height: 400, channels: 3, background: '#a52' } as const
  await sharp({ create: picture }).png().toFile(join(folder, 'pages/bag.png'))

  expect(await publish()).toEqual({
    code: 0,
    out: '5 pages published; running shops show them within a few seconds\n',
    err: '',
  })

  await vi.waitUntil(async () => (await statusOf('/leather-care')) === 200, PATIENCE)
  expect(await helpOn('/')).toEqual(['/return-refund-policy', '/leather-care'])
  expect(await page('/sitemap-1.xml')).toContain('/leather-care')
  const [, address = ''] =
    /<img src="([^"]+)"/.exec((await page('/leather-care')).split('class="policy')[1] ?? '') ?? []
  const shown = await fetch(shop.url + address)
  expect(shown.headers.get('content-type')).toBe('image/webp')
  expect(shown.headers.get('cache-control')).toContain('immutable')
  expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 640, height: 320 })
})

test('a page that the shop itself links cannot be renamed away', async () => {
  const terms = join(folder, 'pages/terms-and-conditions.md')
  await rename(terms, join(folder, 'pages/terms-of-use.md'))

  const { code, err } = await publish()

  expect([code, err]).toEqual([
    1,
    expect.stringContaining('terms-and-conditions.md is missing: other pages of the shop link /terms-and-conditions'),
  ])
  expect(await statusOf('/terms-and-conditions')).toBe(200)
  await rename(join(folder, 'pages/terms-of-use.md'), terms)
})

test('publishing a page with an error is rejected with the line number and changes nothing', async () => {
  await writeFile(join(folder, 'pages/about-us.md'), `${CARE}\n[Terms](terms.md)\n`)

  const { code, out, err } = await publish()

  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/about-us\.md:13: terms\.md is a file: link to its page, \/terms$/m)
  expect(err).toContain('Nothing was published')
  expect(await page('/about-us')).toContain('A piazza is where a town meets')
  await rm(join(folder, 'pages/about-us.md'))
})

test('a removed page disappears from the shop and its footer', async () => {
  await cp(PAGES, join(folder, 'pages'), { recursive: true })
  await rm(join(folder, 'pages/leather-care.md'))

  expect(await publish()).toMatchObject({ code: 0 })

  await vi.waitUntil(async () => (await statusOf('/leather-care')) === 404, PATIENCE)
  expect(await helpOn('/')).toEqual(['/return-refund-policy'])
})

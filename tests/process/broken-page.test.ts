import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningShop, startShop } from '#tests/support/provider/shop.ts'

let folder: string
let shop: RunningShop

// The built storefront without the code of one page.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-broken-'))
  const chunks = join(folder, 'dist/server/chunks')
  await cp(resolve('dist/server'), join(folder, 'dist/server'), { recursive: true })
  for (const part of ['dist/client', 'dist/shop', 'dist-content']) await symlink(resolve(part), join(folder, part))
  const [missing] = (await readdir(chunks)).filter(name => name.startsWith('track-order_'))
  await rm(join(chunks, missing!))
  shop = await startShop({ DIST_DIR: join(folder, 'dist'), DEMO: 'off' })
})

afterAll(async () => {
  await shop?.stop()
  await rm(folder, { recursive: true })
})

test('a page that fails offers to try again, or to go to the home page', async () => {
  const address = `${shop.url}/track-order?token=x`
  const answer = await fetch(address)
  const main = /<main[^]*<\/main>/.exec(await answer.text())?.[0] ?? ''

  expect(answer.status).toBe(500)
  expect(main).toContain('Something went wrong')
  const links = [...main.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href = '', text = '']) => [
    text.trim(),
    new URL(href, address).href,
  ])
  expect(links).toEqual([
    ['Try again', address],
    ['Go to the home page', `${shop.url}/`],
  ])
})

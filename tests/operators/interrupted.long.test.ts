import { randomUUID } from 'node:crypto'
import { mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { products } from '#server/db/schema.ts'
import { FIXTURES, sheet } from '#tests/support/catalogue/catalogue-file.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { type Ended, openForOperators, typeCommand } from '#tests/support/provider/typing.ts'

const COMMAND_MS = 180_000
const POTTERY = ['import', join(FIXTURES, 'pottery.csv'), '--no-pictures']

const { dataDir, environment, remove } = await makeShopData(inject('postgresUrl') ?? undefined)
afterAll(remove)

type Shop = Awaited<ReturnType<typeof openForOperators>>

/** Starts an import and calls `then` with the first product’s slug once that product is stored. */
function importMany(shop: Shop, then: (slug: string, kill: () => void) => void): Promise<Ended> {
  const name = randomUUID()
  const rows = Array.from({ length: 300 }, (_, at) => `${name}-${at},Cut,Cutters,1,${'5'.padEnd(60_000)}`)
  return typeCommand(['import', '-', '--no-pictures'], {
    env: environment,
    // The pipe stays open, so the command waits for more input.
    onStart: child => {
      child.stdin.write(sheet('Handle,Title,Vendor,Variant Inventory Qty,Variant Price', ...rows))
      void untilStored(shop, `${name}-0`).then(slug => then(slug, () => child.kill('SIGINT')))
    },
  })
}

async function untilStored({ database: { db } }: Shop, slug: string): Promise<string> {
  const count = () => db.$count(products, eq(products.slug, slug))
  await expect.poll(count, { timeout: COMMAND_MS }).toBe(1)
  return slug
}

test(
  'a command that is interrupted while it creates the database can be repeated',
  { timeout: 2 * COMMAND_MS },
  async () => {
    const folder = await mkdtemp(join(dataDir, 'new-'))
    const env = { ...environment, DATA_DIR: folder, DATABASE_URL: '' }

    const ended = await typeCommand(POTTERY, {
      env,
      onStart: child =>
        void vi
          .waitFor(() => stat(join(folder, 'db.new')), { timeout: COMMAND_MS, interval: 10 })
          .then(() => child.kill('SIGTERM')),
    })

    expect(ended).toEqual({ code: 130, out: '', err: 'Interrupted: what was read before is in the catalogue\n' })
    const again = await typeCommand(POTTERY, { env })
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('5 products: 5 new') as string })
  },
)

test('an interrupted import keeps the products that were complete', { timeout: COMMAND_MS }, async () => {
  const shop = await openForOperators(environment)
  let slug = ''
  const ended = await importMany(shop, (stored, kill) => {
    slug = stored
    kill()
  })
  expect(ended).toMatchObject({ code: 130, err: 'Interrupted: what was read before is in the catalogue\n' })
  const set = await typeCommand(['product', 'set', slug, 'stock=2'], { env: environment })
  expect(set).toMatchObject({ code: 0 })
  await shop.close()
})

test('a shop that closes ends the running command with an error message', { timeout: COMMAND_MS }, async () => {
  const shop = await openForOperators(environment)
  let closed: Promise<void> | undefined
  const ended = await importMany(shop, () => void (closed = shop.close()))
  await closed
  expect(ended).toEqual({ code: 1, out: '', err: 'The shop ended before the command did\n' })
})

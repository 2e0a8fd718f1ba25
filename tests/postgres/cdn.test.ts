import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { shopPath } from '#contract/page-urls.ts'
import { openDatabase } from '#server/db/database.ts'
import { leases, sellers } from '#server/db/schema.ts'
import { keyOf } from '#server/page-cache/cdn/keys.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startFakeCdn } from '#tests/support/fakes/fake-cdn.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { freePort } from '#tests/support/ports.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { startShopProcess } from '#tests/support/processes/shop-process.ts'

const NAMES = ['Second name', 'Third name']

const url = await createDatabase(inject('postgresUrl')!)
const database = await openDatabase({ url })
const seller = await addSeller(database.db, { shopName: 'First name' })
const folder = await mkdtemp(join(tmpdir(), 'piazza-cdn-'))
let origin = ''
const cdn = await startFakeCdn('fastly', () => origin)

const start = async (name: string) =>
  startShopProcess(
    {
      DATABASE_URL: url,
      DATABASE_LISTEN_URL: '',
      DATA_DIR: join(folder, name),
      PROVIDER_URL: '',
      PUBLIC_URL: '',
      DEMO: 'off',
      CDN_PURGE: cdn.config.service,
      CDN_PURGE_URL: cdn.config.urls.join(),
      CDN_PURGE_KEY: cdn.config.key,
    },
    await freePort(),
  )
/** The first one gets the lease. */
const first = await start('first')
await vi.waitFor(async () => {
  if ((await database.db.$count(leases)) === 0) throw new Error('nobody has the lease yet')
}, PATIENCE)
const second = await start('second')
origin = second.url
afterAll(async () => {
  await Promise.all([first.kill(), second.kill()])
  await cdn.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const path = shopPath({ shopName: 'First name', sellerId: seller.id })
const visit = async () => (await fetch(cdn.url + path)).text()
const rename = (shopName: string) => database.db.update(sellers).set({ shopName }).where(eq(sellers.id, seller.id))
const reports = () => cdn.purges.flat().filter(key => key === keyOf(`seller:${seller.id}`)).length

test('a CDN keeps a page until one of two processes has reported its change once', async () => {
  await expect.poll(() => cdn.purges.length).toBe(2)
  expect(await visit()).toContain('First name')
  expect(await visit()).toContain('First name')

  await rename(NAMES[0]!)

  await expect.poll(visit).toContain(NAMES[0])
  expect(reports()).toBe(1)
})

test('a change after the reporting process was killed reaches the CDN by the other one', async () => {
  await first.kill()

  await rename(NAMES[1]!)

  await expect.poll(visit).toContain(NAMES[1])
})

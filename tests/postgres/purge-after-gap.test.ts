import { eq } from 'drizzle-orm'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { sellers } from '#server/db/schema.ts'
import { createPages } from '#server/page-cache/pages.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { startRelay } from '#tests/support/fakes/relay.ts'
import { promised } from '#tests/support/rounds.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'

const GAP_MS = 20_000

const url = await createDatabase(inject('postgresUrl')!)
const relay = await startRelay(Number(new URL(url).port))
const database = await openDatabase({ url })
/** A process whose listening connection goes through the relay. */
const listenUrl = Object.assign(new URL(url), { port: String(relay.port) }).href
const listening = await openDatabase({ url, listenUrl })
const shop = await addSeller(database.db)

const nameOf = async () => (await database.db.select().from(sellers).where(eq(sellers.id, shop.id)))[0]!.shopName
const rename = (shopName: string) => database.db.update(sellers).set({ shopName }).where(eq(sellers.id, shop.id))

const fail = vi.fn<() => void>()
const pages = createPages({
  render: async () => ({
    status: 200,
    headers: [
      ['content-type', 'text/html'],
      ['x-page-tags', encodeURIComponent(`seller:${shop.id}`)],
    ],
    body: Buffer.from(await nameOf()),
  }),
  log: { error: fail, warn: fail },
})
await listening.onChange(pages.purge)
const front = await listen((req, res) => void pages.serve(req, res))
afterAll(async () => {
  await front.close()
  await pages.close()
  await listening.close()
  await database.close()
  await relay.close()
})

async function shown(path: string): Promise<[text: string, state: string | null]> {
  const answer = await fetch(front.url + path)
  return [await answer.text(), answer.headers.get('x-cache')]
}

test.each([
  ['breaks', relay.cut],
  ['dies silently', relay.freeze],
])('no page from before or during the time in which the listening connection %s is kept', async (how, lose) => {
  await rename(`before it ${how}`)
  await expect.poll(() => shown('/stores')).toEqual([`before it ${how}`, 'HIT'])

  lose()
  await rename(`while it ${how}`)
  const during = await shown(`/${how.replace(' ', '-')}`)
  await rename(`after it ${how}`)

  expect(during).toEqual([`while it ${how}`, 'MISS'])
  for (const path of ['/stores', `/${how.replace(' ', '-')}`])
    await expect.poll(async () => (await shown(path))[0], promised(GAP_MS)).toBe(`after it ${how}`)
})

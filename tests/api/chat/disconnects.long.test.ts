import { asc } from 'drizzle-orm'
import { afterAll, expect, inject, test } from 'vitest'
import { messages } from '#server/db/schema.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addCustomers } from '#tests/support/provider/crowd.ts'
import { startProviderProcess } from '#tests/support/processes/provider-process.ts'
import { startRelay } from '#tests/support/fakes/relay.ts'
import { rounds } from '#tests/support/rounds.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { talk } from '#tests/support/provider/talk.ts'

const COUNT = rounds(100, 1000)
const CUTS = rounds(10, 50)
const KILLS = rounds(1, 5)

const limits = ['chat', 'socketEvents', 'api'].map(name => `${name}=1000000/1m`).join(',')
const data = await makeShopData(inject('postgresUrl') ?? undefined, { LIMITS: limits })
const { customer, seller } = await data.within(async ({ database: { db }, sessions, sellerTokens }) => {
  const [added] = await addCustomers(db, 1)
  const { id } = await addSeller(db)
  return {
    customer: { id: added!.id, token: (await sessions.start(added!)).token },
    seller: { id, token: (await sellerTokens.issue(id)).token },
  }
})
let shop = await startProviderProcess(data.environment)
const relay = await startRelay(portOf(shop))
afterAll(async () => {
  await relay.close()
  await shop.kill()
  await data.remove()
})

test(
  `${2 * COUNT} messages, ${CUTS} cuts and ${KILLS} kills: none is lost or duplicated, and both sides see the same order`,
  { timeout: 600_000 },
  async () => {
    const faults = [
      ...Array.from({ length: CUTS }, (_, at) => ({ after: ((at + 0.5) * 2 * COUNT) / CUTS, strike: relay.cut })),
      ...Array.from({ length: KILLS }, (_, at) => ({
        after: ((at + 0.7) * 2 * COUNT) / KILLS,
        strike: () => void (restarting = restarting.then(restart)),
      })),
    ]
    let restarting = Promise.resolve()
    let struck = 0
    const onSent = (sent: number) => {
      for (const fault of faults.splice(0)) {
        if (fault.after > sent) faults.push(fault)
        else {
          struck += 1
          fault.strike()
        }
      }
    }

    const { hers, theirs, close } = await talk({ url: relay.url, customer, seller, count: COUNT, onSent })

    await restarting
    expect(struck).toBe(CUTS + KILLS)
    for (const shown of [hers, theirs]) await expect.poll(() => shown().length).toBe(2 * COUNT)
    close()
    await shop.kill()
    const rows = await data.within(({ database }) => database.db.select().from(messages).orderBy(asc(messages.seq)))
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * COUNT }, (_, at) => at + 1))
    for (const [side, name] of [
      ['customer', 'hers'],
      ['seller', 'theirs'],
    ]) {
      const said = rows.filter(({ sender }) => sender === side).map(({ text }) => text)
      expect(said).toEqual(Array.from({ length: COUNT }, (_, at) => `${name} ${at}`))
    }
    const stored = rows.map(({ seq, text }) => `${seq} ${text}`)
    for (const shown of [hers, theirs]) expect(shown().map(({ seq, text }) => `${seq} ${text}`)).toEqual(stored)
  },
)

/** Kills the shop as `kill -9` does and starts it again. */
async function restart(): Promise<void> {
  await shop.kill()
  shop = await startProviderProcess(data.environment)
  relay.to(portOf(shop))
}

function portOf({ url }: { url: string }): number {
  return Number(new URL(url).port)
}

import { asc } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { messages } from '#server/db/schema.ts'
import { addSeller } from '#tests/support/catalogue.ts'
import { startRelay } from '#tests/support/relay.ts'
import { rounds } from '#tests/support/rounds.ts'
import { startSockets } from '#tests/support/sockets.ts'
import { talk } from '#tests/support/talk.ts'

const COUNT = rounds(100, 1000)
const CUTS = rounds(10, 50)
const RESTARTS = rounds(2, 5)

const limits = ['chat', 'socketEvents', 'api'].map(name => `${name}=1000000/1m`).join(',')
const shop = await startSockets({ limits })
const relay = await startRelay(Number(new URL(shop.url).port))
afterAll(async () => {
  await relay.close()
  await shop.close()
})

test(
  `${2 * COUNT} messages, ${CUTS} cuts and ${RESTARTS} restarts: none is lost, none is there twice, all see one order`,
  { timeout: 600_000 },
  async () => {
    const customer = await shop.customer()
    const { id } = await addSeller(shop.db)
    const seller = { id, token: (await shop.sellerTokens.issue(id)).token }
    const faults = [
      ...Array.from({ length: CUTS }, (_, at) => ({ after: ((at + 0.5) * 2 * COUNT) / CUTS, strike: relay.cut })),
      ...Array.from({ length: RESTARTS }, (_, at) => ({
        after: ((at + 0.7) * 2 * COUNT) / RESTARTS,
        strike: () => void (restarting = restarting.then(shop.restart)),
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
    expect(struck).toBe(CUTS + RESTARTS)
    const rows = await shop.db.select().from(messages).orderBy(asc(messages.seq))
    const stored = rows.map(({ seq, text }) => `${seq} ${text}`)
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * COUNT }, (_, at) => at + 1))
    for (const side of ['customer', 'seller'] as const) {
      const said = rows.filter(({ sender }) => sender === side).map(({ text }) => text)
      const name = side === 'customer' ? 'hers' : 'theirs'
      expect(said).toEqual(Array.from({ length: COUNT }, (_, at) => `${name} ${at}`))
    }
    for (const shown of [hers, theirs])
      await expect.poll(() => shown().map(({ seq, text }) => `${seq} ${text}`), { timeout: 20_000 }).toEqual(stored)
    close()
  },
)

import { getRequestListener } from '@hono/node-server'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { orders } from '#server/db/schema.ts'
import { addShoe, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { crowd } from '#tests/support/provider/crowd.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { apiAt } from '#tests/support/processes/api-at.ts'
import { assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { rounds } from '#tests/support/rounds.ts'

const TRIES = rounds(10, 200)
const LOST = 3

const provider = await startProvider({ limits: 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m' })
const { db } = provider
afterAll(provider.close)

test(
  `an order whose answer is lost ${LOST} times is one order, ${TRIES} times over`,
  { timeout: 300_000 },
  async () => {
    const answer = getRequestListener(provider.fetch, { overrideGlobalObjects: false })
    let calls = 0
    // The provider has placed the order when it starts to respond; then the connection breaks.
    const { url, close } = await listen((req, res) => {
      calls += 1
      if (calls % (LOST + 1) !== 0) res.writeHead = () => res.destroy()
      void answer(req, res)
    })
    afterAll(close)
    const product = await addShoe(db, { 42: { stock: TRIES }, 43: { stock: TRIES } })
    const [wanted, other] = product.variantIds as [string, string]
    const customers = await crowd({ ...provider, apiOf: token => apiAt(url, token) }, TRIES)

    for (const { id, api } of customers) {
      const order = orderOf(id, [{ product, variantId: wanted }])
      const lost = []
      for (let time = 0; time < LOST; time += 1) lost.push(await api.placeOrder(order).catch((error: unknown) => error))
      expect(lost).toEqual(lost.map(() => expect.objectContaining({ isSilent: true })))
      const { orderId } = await api.placeOrder(order)

      const stored = await db.select({ id: orders.id }).from(orders).where(eq(orders.userId, id))
      expect(stored).toEqual([{ id: orderId }])
    }

    expect(calls).toBe(TRIES * (LOST + 1))
    expect(await stocksOf(db, product)).toEqual([0, TRIES])
    await assertInvariants(db, { initialStock: new Map([wanted, other].map(id => [id, TRIES])) })
  },
)

import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#lib/api.ts'
import { inArray } from 'drizzle-orm'
import { expect } from 'vitest'
import { orders } from '#server/db/schema.ts'
import { crowd } from './crowd.ts'
import { addShoe } from '../catalogue/catalogue.ts'
import { assertInvariants, orderOf, type Stocked } from './ordering.ts'
import type { Provider } from './provider.ts'

const WRITERS = 16
/** The limit of unpaid orders per customer. */
const UNPAID = 10
const CUSTOMERS = 10
const STOCK = 1_000_000
const REST_MS = 50

/** Sixteen customers at a time who order one size and the other in turn, even after errors. */
export async function startWriters(provider: Provider) {
  const { db } = provider
  const sizes = { 42: { stock: STOCK }, 43: { stock: STOCK } }
  const products = await Promise.all(Array.from({ length: WRITERS }, () => addShoe(db, sizes)))
  const end = new AbortController()
  const acknowledged: string[] = []
  const refusals: unknown[] = []

  async function write(product: (typeof products)[number]): Promise<void> {
    while (!end.signal.aborted)
      for (const { id, api } of await crowd(provider, CUSTOMERS).catch(() => []))
        for (let count = 0; count < UNPAID && !end.signal.aborted; count += 1)
          try {
            acknowledged.push((await api.placeOrder(orderOf(id, [sizeOf(product, count)]))).orderId)
          } catch (error) {
            refusals.push(error)
            await sleep(REST_MS)
          }
  }

  const writing = Promise.all(products.map(write))
  return {
    acknowledged,
    refusals,
    count: WRITERS,
    async stop(): Promise<void> {
      end.abort()
      await writing
    },
    /** Checks that all failures were temporary (503) and that all acknowledged orders are stored. */
    async examine(): Promise<void> {
      for (const refusal of refusals)
        expect(refusal).toSatisfy(error => error instanceof ApiError && error.status === 503)
      const stored = await db.select({ id: orders.id }).from(orders).where(inArray(orders.id, acknowledged))
      expect(stored).toHaveLength(acknowledged.length)
      await assertInvariants(db, {
        initialStock: new Map(products.flatMap(({ variantIds }) => variantIds.map(id => [id, STOCK]))),
      })
    },
  }
}

function sizeOf(product: Stocked, at: number) {
  return { product, variantId: product.variantIds[at % product.variantIds.length]! }
}

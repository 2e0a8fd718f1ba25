import { eq, inArray } from 'drizzle-orm'
import pLimit from 'p-limit'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Database } from '#server/db/types.ts'
import { openDatabase } from '#server/db/database.ts'
import { orders, users, variants } from '#server/db/schema.ts'
import { verifyAudit } from '#server/platform/audit.ts'
import { type Jobs, openJobs } from '#server/platform/jobs.ts'
import { changeProduct } from '#server/catalogue/product-management.ts'
import { releaseExpired } from '#server/orders/cancelling.ts'
import { type HoldLimits, readHoldLimits } from '#server/orders/hold-limits.ts'
import { openOrderPlacing, placeOrder } from '#server/orders/placing.ts'
import { settle } from '#server/payments/settling.ts'
import { addCustomers, crowd, patiently } from '#tests/support/provider/crowd.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { addShoe, stockOf, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { rounds } from '#tests/support/rounds.ts'

const LIMITS = 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m'
const MINUTE_MS = 60_000
/** The connections of four processes together. */
const CONNECTIONS = 40

interface Process {
  db: Database['db']
  jobs: Jobs
  holdLimits: HoldLimits
}

/** Starts `count` processes of one shop, each with ten connections. */
async function startProcesses(count: number) {
  const url = await createDatabase(inject('postgresUrl')!)
  const opened: (Process & { close(): Promise<void> })[] = []
  for (let at = 0; at < count; at += 1) {
    const database = await openDatabase({ url })
    const handlers = { orderMail: async () => undefined }
    const jobs = openJobs({ database, handlers, log: pino({ level: 'silent' }) })
    await jobs.start()
    opened.push({
      db: database.db,
      jobs,
      holdLimits: readHoldLimits(),
      async close() {
        await jobs.close()
        await database.close()
      },
    })
  }
  return opened
}

async function deadlocksIn(db: Database['db']): Promise<number | undefined> {
  const { rows } = await db.execute<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.deadlocks
}

describe('a shop with one process', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>
  beforeAll(async () => (provider = await startProvider({ limits: LIMITS })))
  afterAll(() => provider.close())

  test('sells its last ten units to ten of 200 buyers', { timeout: 5 * MINUTE_MS }, async () => {
    const { db } = provider
    const times: number[] = []
    for (let round = 0; round < rounds(3, 20); round += 1) {
      const last = await addShippable(db, { stock: 10 })
      const buyers = await crowd(provider, 200)

      const carts = buyers.map(({ id, api }) => ({ api, order: orderOf(id, [last]) }))
      const wanting = () => carts.map(({ api, order }) => patiently(() => api.placeOrder(order)))
      const answers = await addTime(times, () => Promise.allSettled(wanting()))

      const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as object] : []))
      expect(refused).toHaveLength(190)
      for (const reason of refused) expect(reason).toMatchObject({ status: 422, message: 'Out of stock' })
      expect(await stockOf(db, last)).toBe(0)
      await assertInvariants(db, { initialStock: new Map([[last.variantId, 10]]) })
    }
    printFigure('200 checkouts for the last 10 units', spreadOf(times, 100), 'under 2 s')
  })

  test('sells the last ten of one size to ten of 200 buyers, and none of the other sizes', async () => {
    const { db } = provider
    const shoe = await addShoe(db, { 42: { stock: 10 }, 43: { stock: 10 }, 44: { stock: 10 } })
    const [small, wanted, large] = shoe.variantIds as [string, string, string]
    const buyers = await crowd(provider, 200)

    const answers = await Promise.allSettled(
      buyers.map(({ id, api }) => {
        const order = orderOf(id, [{ product: shoe, variantId: wanted }])
        return patiently(() => api.placeOrder(order))
      }),
    )

    const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as object] : []))
    expect(refused).toHaveLength(190)
    for (const reason of refused) expect(reason).toMatchObject({ status: 422, message: 'Out of stock' })
    expect(await stocksOf(db, shoe)).toEqual([10, 0, 10])
    await assertInvariants(db, { initialStock: new Map([small, wanted, large].map(id => [id, 10])) })
  })

  test('places one order for 50 requests with the same key', async () => {
    const { db } = provider
    const product = await addShippable(db, { stock: 100 })
    const [ada] = await crowd(provider, 1)
    const order = orderOf(ada!.id, [product])

    const answers = await Promise.all(Array.from({ length: 50 }, () => patiently(() => ada!.api.placeOrder(order))))

    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1)
    expect((await ada!.api.getOrders({ userId: ada!.id, status: 'all' })).orders).toHaveLength(1)
    expect(await stockOf(db, product)).toBe(99)
  })
})

describe('a shop with four processes', () => {
  let processes: Awaited<ReturnType<typeof startProcesses>>
  let db: Database['db']
  const initialStock = new Map<string, number>()
  beforeAll(async () => {
    processes = await startProcesses(4)
    db = processes[0]!.db
  })
  afterEach(() => assertInvariants(db, { initialStock }))
  afterAll(() => Promise.all(processes.map(each => each.close())))

  const processOf = (at: number): Process => processes[at % processes.length]!

  /** Adds shoes with this stock of two sizes. Returns the smaller size of each. */
  async function addStocked(count: number, stock: number) {
    const shoes = await Promise.all(Array.from({ length: count }, () => addShoe(db, { 42: { stock }, 43: { stock } })))
    for (const variantId of shoes.flatMap(({ variantIds }) => variantIds)) initialStock.set(variantId, stock)
    return shoes.map(product => ({ product, variantId: product.variantIds[0]! }))
  }

  test('places 300 orders from five sellers each without a deadlock', async () => {
    const stocked = await addStocked(8, 1000)
    const customers = await addCustomers(db, 300)
    const carts = customers.map(({ id }) =>
      // Each order lists its products in a random sequence, which makes transactions wait for each
      // other.
      orderOf(id, stocked.toSorted(() => Math.random() - 0.5).slice(0, 5)),
    )
    const waits: number[] = []
    const inTurn = pLimit(CONNECTIONS)
    const placings = processes.map(openOrderPlacing)

    await Promise.all(
      carts.map((order, at) =>
        inTurn(async () => {
          await addTime(waits, () => patiently(() => placings[at % placings.length]!(order.userId, order)))
        }),
      ),
    )

    const sold = await db
      .select()
      .from(variants)
      .where(
        inArray(
          variants.id,
          stocked.map(({ variantId }) => variantId),
        ),
      )
    expect(sold.reduce((sum, { stock }) => sum + stock, 0)).toBe(8 * 1000 - 300 * 5)
    expect(await deadlocksIn(db)).toBe(0)
    expect(await verifyAudit(db)).toMatchObject({ brokenAt: null, missing: 0 })
    printFigure('carts of five sellers, 40 at once', spreadOf(waits, 95), 'under 500 ms')
  })

  test('sells out sizes of several shoes while their prices and stock change, without a deadlock', async () => {
    const shoes = await Promise.all(
      Array.from({ length: 4 }, () => addShoe(db, { 42: { stock: 30 }, 43: { stock: 30 }, 44: { stock: 30 } })),
    )
    const units = shoes.flatMap(product => product.variantIds.map(variantId => ({ product, variantId })))
    const customers = await addCustomers(db, 120)
    const before = await deadlocksIn(db)
    const inTurn = pLimit(CONNECTIONS)

    const answers = await Promise.allSettled([
      ...customers.map(({ id }, at) =>
        inTurn(() => {
          const wishes = units.toSorted(() => Math.random() - 0.5).slice(0, 4)
          const order = orderOf(
            id,
            wishes.map(wish => ({ ...wish, quantity: 3 })),
          )
          return patiently(() => placeOrder(processOf(at), id, order))
        }),
      ),
      ...shoes.flatMap(({ slug }, at) =>
        Array.from({ length: 5 }, () =>
          inTurn(() => patiently(() => changeProduct(processOf(at).db, slug, { isHidden: false }))),
        ),
      ),
      ...shoes.map(({ slug }, at) =>
        inTurn(() => patiently(() => changeProduct(processOf(at).db, slug, { stock: 0 }, 'SHOE-44'))),
      ),
    ])

    const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    expect(refused.filter(({ message }) => message !== 'Out of stock')).toEqual([])
    expect(await deadlocksIn(db)).toBe(before)
    const left = await Promise.all(shoes.map(shoe => stocksOf(db, shoe)))
    expect(left.flat().every(stock => stock >= 0)).toBe(true)
  })

  test('places one order for 50 requests with the same key, sent to all processes', async () => {
    const [size] = await addStocked(1, 100)
    const [ada] = await addCustomers(db, 1)
    const order = orderOf(ada!.id, [size!])

    const placing = Array.from({ length: 50 }, (_, at) => patiently(() => placeOrder(processOf(at), ada!.id, order)))
    expect(new Set(await Promise.all(placing)).size).toBe(1)
  })

  test('limits a customer’s unpaid orders even when many arrive at once', async () => {
    const [size] = await addStocked(1, 100)
    const [ada] = await addCustomers(db, 1)
    const placing = Array.from({ length: 30 }, (_, at) => {
      const order = orderOf(ada!.id, [size!])
      return patiently(() => placeOrder(processOf(at), ada!.id, order))
    })
    const answers = await Promise.allSettled(placing)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('allows a customer with an unconfirmed email one unpaid order even when many arrive at once', async () => {
    const [size] = await addStocked(1, 100)
    const [ada] = await addCustomers(db, 1)
    await db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, ada!.id))
    const placing = Array.from({ length: 30 }, (_, at) => {
      const order = orderOf(ada!.id, [{ ...size!, quantity: 10 }])
      return patiently(() => placeOrder(processOf(at), ada!.id, order))
    })
    const answers = await Promise.allSettled(placing)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stocksOf(db, size!.product)).toEqual([90, 100])
  })

  test('limits the units a customer holds even when many orders arrive at once', async () => {
    const [size] = await addStocked(1, 1000)
    const [ada] = await addCustomers(db, 1)
    const placing = Array.from({ length: 9 }, (_, at) => {
      const order = orderOf(ada!.id, [{ ...size!, quantity: 30 }])
      return patiently(() => placeOrder(processOf(at), ada!.id, order))
    })
    const answers = await Promise.allSettled(placing)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await stocksOf(db, size!.product)).toEqual([910, 1000])
  })

  test('cancels each expired order once while payments arrive', async () => {
    const [size] = await addStocked(1, 100)
    const customers = await addCustomers(db, 40)
    const placed = await Promise.all(
      customers.map(async ({ id }, at) => {
        const order = orderOf(id, [size!])
        const orderId = await placeOrder(processOf(at), id, order)
        return addAttempt(db, { _id: orderId, priceCents: order.priceCents })
      }),
    )
    const orderIds = placed.map(({ orderId }) => orderId)
    await db
      .update(orders)
      .set({ heldUntil: new Date(0) })
      .where(inArray(orders.id, orderIds))

    const [released] = await Promise.all([
      Promise.all(processes.map(({ db, jobs }) => patiently(() => releaseExpired(db, jobs)))),
      ...placed.slice(0, 20).map((attempt, at) => {
        const { db, jobs } = processOf(at)
        return patiently(() => settle(db, jobs, attempt.id, reportOf(attempt)))
      }),
      ...placed.slice(0, 20).map((attempt, at) => {
        const { db, jobs } = processOf(at + 1)
        return patiently(() => settle(db, jobs, attempt.id, reportOf(attempt)))
      }),
    ])

    const ended = await db.select().from(orders).where(inArray(orders.id, orderIds))
    expect(ended.filter(({ paymentStatus }) => paymentStatus === 'paid')).toHaveLength(20)
    expect(ended.filter(({ status }) => status === 'cancelled')).toHaveLength(20)
    // Orders that were paid late may have been cancelled before.
    expect(released.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(20)
    expect(await stocksOf(db, size!.product)).toEqual([80, 100])
  })
})

import { eq, isNull } from 'drizzle-orm'
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { SHOP } from '#scripts/run.mjs'
import type { Db } from '#server/db/types.ts'
import { orders, paymentAttempts, payments, refunds, returns } from '#server/db/schema.ts'
import type { Failpoint } from '#server/platform/failpoints.ts'
import { openPayments } from '#server/payments/providers/configured-provider.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import type { PaymentContext } from '#server/payments/context.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import type { Fetch } from '#lib/api.ts'
import { type Bookings, type Charge, shopOnAndOn } from './crash-shoppers.ts'
import { startFlutterwave } from '../fakes/fake-flutterwave.ts'
import type { FakePayments } from '../fakes/fake-payments.ts'
import { startStripe } from '../fakes/fake-stripe.ts'
import { printFigure, spreadOf } from './figures.ts'
import { addShoe } from '../catalogue/catalogue.ts'
import { apiAt } from '../processes/api-at.ts'
import { assertInvariants } from '../provider/ordering.ts'
import { LONG_AGO } from '../provider/paying-shop.ts'
import { makeShopData } from '../provider/shop-data.ts'

const PROGRAM = join(import.meta.dirname, '../processes/serve-provider.ts')
const CLIENTS = 4
const STOCK = 1_000_000
/** If no failpoint ends the process, it is killed at most this long after its first order. */
const LATEST_MS = 1200
const FIRST_ORDER_MS = 20_000

const FAKES = { flutterwave: startFlutterwave, stripe: startStripe }
export type FakeName = keyof typeof FAKES

/**
 * A shop that is killed while customers order, pay and get refunds, and is examined afterwards. It runs on the
 * PostgreSQL of `cluster` or on an embedded database.
 */
export async function openCrashes(
  cluster: string | undefined,
  fakeName: FakeName = 'flutterwave',
  ways?: Parameters<typeof shopOnAndOn>[2],
) {
  const fake = await FAKES[fakeName]({ isSlowToList: true })
  const shop = await makeShopData(cluster, {
    ...environmentOf(fake),
    LIMITS: ['register', 'placeOrder', 'ordersPerDay', 'ordersPerDayPerIp', 'confirm', 'returns', 'api']
      .map(name => `${name}=1000000/1m`)
      .join(','),
  })
  const { environment, within } = shop
  const readyMs: number[] = []
  const known: Bookings = { orders: [], paid: new Set(), charges: [], parted: [] }
  const shoe = await within(({ database }) => addShoe(database.db, { 42: { stock: STOCK }, 43: { stock: STOCK } }))
  const initialStock = new Map(shoe.variantIds.map(id => [id, STOCK]))

  async function runUntilItEnds(failAt: Failpoint | undefined, seed: number): Promise<void> {
    const child = fork(PROGRAM, {
      env: { ...process.env, ...SHOP.env, ...environment, FAIL_AT: failAt ?? '' },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    // If the test fails, do not leave a process behind that locks the data.
    onTestFinished(() => void child.kill('SIGKILL'))
    const failed = ended.then(() => Promise.reject(new Error('The shop ended before it was ready.')))
    const [port] = (await Promise.race([once(child, 'message'), failed])) as [number]
    failed.catch(() => undefined)
    const origin = `http://127.0.0.1:${port}`
    const shoppers = Array.from({ length: CLIENTS }, (_, at) =>
      shopOnAndOn({ origin, fake, shoe, known }, at + seed, ways),
    )
    if (!failAt) {
      const before = known.orders.length
      // One round in four kills the process possibly before the first order.
      if (seed % 4 !== 0)
        await expect.poll(() => known.orders.length, { timeout: FIRST_ORDER_MS }).toBeGreaterThan(before)
      await sleep((seed * 7919) % LATEST_MS)
      child.kill('SIGKILL')
    }
    await Promise.all([ended, ...shoppers])
    expect(child.signalCode).toBe('SIGKILL')
  }

  /** Opens the shop again, reconciles once with the provider and checks the data. */
  async function examine(): Promise<void> {
    const startedAt = performance.now()
    await within(async ({ database, jobs, fetch }) => {
      readyMs.push(performance.now() - startedAt)
      const { db } = database
      const secrets = secretsOf(randomBytes(32))
      const provider = openPayments(fake.config, { db, jobs, secrets })
      // Skip the minimum time between two lookups.
      await db.update(paymentAttempts).set({ lookedUpAt: LONG_AGO, refundAskedAt: null })
      await reconcile({ db, jobs, provider, log: pino({ level: 'silent' }) })

      const wanted = known.charges.map(charge => [charge.orderId, booksOf(charge)])
      await expect.poll(() => readBooks(db, fake, known.charges)).toEqual(wanted)
      await examineParted({ db, jobs, provider, log: pino({ level: 'silent' }) }, fake, known.parted)
      await assertInvariants(db, { initialStock })
      const stored = new Map((await db.select().from(orders)).map(order => [order.id, order]))
      for (const { orderId, customerId } of known.orders) expect(stored.get(orderId)?.userId).toBe(customerId)
      for (const orderId of known.paid) expect(stored.get(orderId)?.paymentStatus).toBe('paid')
      const pending = known.orders.findLast(({ orderId }) => stored.get(orderId)?.status === 'pending')
      if (pending) await payNow(pending, request => fetch(request))
    })
  }

  /** A customer who was interrupted by the crash comes back and pays. */
  async function payNow({ orderId, token }: Bookings['orders'][number], fetch: Fetch): Promise<void> {
    const api = apiAt('http://shop.test', token, fetch)
    const attempt = await api.startPayment({ orderId })
    fake.pay(attempt)
    known.charges.push({ orderId, reference: attempt.reference, cents: attempt.amountCents, isKept: true })
    expect(await api.confirmOrder({ orderId })).toMatchObject({ paymentStatus: 'paid' })
    known.paid.add(orderId)
  }

  return {
    known,
    /** Kills the shop at a failpoint, or at a moment that depends on `seed`, and examines its data. */
    async round(failAt: Failpoint | undefined, seed = 0): Promise<void> {
      await runUntilItEnds(failAt, seed)
      await examine()
    },
    async close() {
      printFigure('ready after a crash', spreadOf(readyMs, 100), 'under 3 s')
      await fake.close()
      await shop.remove()
    },
  }
}

/** The expected books of a charge on both sides: it has paid its order, or was refunded once. */
function booksOf({ cents, isKept }: Charge) {
  return isKept
    ? { attempt: 'succeeded', ledger: ['charge'], refundedCents: [] }
    : { attempt: 'refunded', ledger: ['charge', 'refund'], refundedCents: [cents] }
}

/** Every acknowledged cancellation is there, and the provider has paid each of the shop's refunds exactly once. */
async function examineParted(context: PaymentContext, fake: FakePayments, parted: Bookings['parted']): Promise<void> {
  const { db } = context
  if (parted.length === 0) return
  await payRefunds(context)
  await expect.poll(() => db.$count(refunds, isNull(refunds.paidAt))).toBe(0)
  const stored = new Set((await db.select({ id: returns.id }).from(returns)).map(({ id }) => id))
  for (const { orderId, reference, returnIds } of parted) {
    expect(returnIds.filter(id => !stored.has(id))).toEqual([])
    const wanted = await db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(refunds.seq)
    expect(fake.refunds.get(reference) ?? []).toEqual(wanted.map(({ amountCents }) => amountCents))
  }
}

async function readBooks(db: Db, fake: FakePayments, charges: Charge[]) {
  const attempts = new Map((await db.select().from(paymentAttempts)).map(each => [each.reference, each]))
  const ledger = Map.groupBy(await db.select().from(payments), ({ attemptId }) => attemptId)
  return charges.map(({ orderId, reference }) => {
    const { id = '', status } = attempts.get(reference) ?? {}
    const kinds = (ledger.get(id) ?? []).map(({ kind }) => kind).toSorted()
    return [orderId, { attempt: status, ledger: kinds, refundedCents: fake.refunds.get(reference) ?? [] }]
  })
}

function environmentOf({ config }: FakePayments): Record<string, string> {
  if (config.provider === 'sandbox') throw new Error('The sandbox dies with its shop.')
  const { url, scriptUrl, publicKey, secretKey } = config
  return config.provider === 'stripe'
    ? {
        PAYMENT_PROVIDER: 'stripe',
        STRIPE_URL: url,
        STRIPE_SCRIPT_URL: scriptUrl,
        STRIPE_PUBLISHABLE_KEY: publicKey,
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_WEBHOOK_SECRET: config.webhookSecret,
      }
    : {
        PAYMENT_PROVIDER: 'flutterwave',
        FLUTTERWAVE_URL: url,
        FLUTTERWAVE_SCRIPT_URL: scriptUrl,
        FLUTTERWAVE_PUBLIC_KEY: publicKey,
        FLUTTERWAVE_SECRET_KEY: secretKey,
        FLUTTERWAVE_SECRET_HASH: config.secretHash,
      }
}

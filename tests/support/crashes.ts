import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { Failpoint } from '#server/failpoints.ts'
import { openPayments } from '#server/payments/open.ts'
import { openSecrets } from '#server/secrets.ts'
import { reconcile } from '#server/services/payment-reconciling.ts'
import { type Api, createApi } from '#lib/api.ts'
import { decodeCustomer } from '#lib/storage.ts'
import { startFlutterwave } from './fake-flutterwave.ts'
import type { Payable } from './fake-payments.ts'
import { addShippable, assertInvariants, orderOf } from './ordering.ts'
import { makeShopData } from './shop-data.ts'

const PROGRAM = join(import.meta.dirname, 'serve-provider.ts')
const CLIENTS = 4
const STOCK = 1_000_000
/** A process that is not hit by a failpoint is ended this long after its first order, at most. */
const LATEST_MS = 1200
const FIRST_ORDER_MS = 20_000
const READY_MS = 3000

interface Acknowledged {
  orders: { orderId: string; customerId: string }[]
  paid: string[]
  /** What the provider has taken money for, by order. */
  charged: Map<string, Payable[]>
}

/**
 * A shop that is ended while customers order and pay, as a power cut ends a process, and looked at afterwards; on the
 * PostgreSQL of `cluster`, or on an embedded database.
 */
export async function openCrashes(cluster: string | undefined) {
  const fake = await startFlutterwave()
  const { url, scriptUrl, publicKey, secretKey, secretHash } = fake.config as Extract<
    typeof fake.config,
    { provider: 'flutterwave' }
  >
  const shop = await makeShopData(cluster, {
    PAYMENT_PROVIDER: 'flutterwave',
    FLUTTERWAVE_URL: url,
    FLUTTERWAVE_SCRIPT_URL: scriptUrl,
    FLUTTERWAVE_PUBLIC_KEY: publicKey,
    FLUTTERWAVE_SECRET_KEY: secretKey,
    FLUTTERWAVE_SECRET_HASH: secretHash,
    LIMITS: ['register', 'placeOrder', 'confirm', 'api'].map(name => `${name}=1000000/1m`).join(','),
  })
  const { dataDir, environment, within } = shop
  const known: Acknowledged = { orders: [], paid: [], charged: new Map() }
  const toy = await within(provider => addShippable(provider.database.db, { stock: STOCK }))

  async function runUntilItEnds(failAt: Failpoint | undefined, seed: number): Promise<void> {
    const child = fork(PROGRAM, { env: { ...process.env, ...environment, FAIL_AT: failAt ?? '' }, stdio: 'ignore' })
    const [port] = (await once(child, 'message')) as [number]
    const ended = once(child, 'exit')
    const shoppers = Array.from({ length: CLIENTS }, () => orderFrom(`http://127.0.0.1:${port}`))
    if (!failAt) {
      const before = known.orders.length
      // One round in four ends before anybody had time to order.
      if (seed % 4 !== 0)
        await expect.poll(() => known.orders.length, { timeout: FIRST_ORDER_MS }).toBeGreaterThan(before)
      await pause((seed * 7919) % LATEST_MS)
      child.kill('SIGKILL')
    }
    await Promise.all([ended, ...shoppers])
    expect(child.signalCode).toBe('SIGKILL')
  }

  /** A customer who orders and pays, again and again, until nobody answers. */
  async function orderFrom(origin: string): Promise<void> {
    const apiOf = (token?: string): Api =>
      createApi({
        origin,
        fetch: request => {
          if (token) request.headers.set('authorization', `Bearer ${token}`)
          return fetch(request)
        },
      })
    try {
      const email = `${randomUUID()}@customers.test`
      const { token } = await apiOf().register({ name: 'Ada', email, password: 'Correct-Horse-9' })
      const customerId = decodeCustomer(token)!.id
      for (;;) await orderAndPay(apiOf(token), customerId)
    } catch {
      // The process has ended, as it should.
    }
  }

  async function orderAndPay(api: Api, customerId: string): Promise<void> {
    const { orderId } = await api.placeOrder(orderOf(customerId, [toy]))
    known.orders.push({ orderId, customerId })
    const attempt = await api.startPayment({ orderId })
    known.charged.set(orderId, [...(known.charged.get(orderId) ?? []), attempt])
    fake.pay(attempt)
    const { paymentStatus } = await api.confirmOrder({ orderId })
    if (paymentStatus === 'paid') known.paid.push(orderId)
  }

  /** What the shop knows after it was opened again and has asked the provider once. */
  async function examine(): Promise<void> {
    const startedAt = Date.now()
    await within(async ({ database, jobs }) => {
      expect(Date.now() - startedAt).toBeLessThan(READY_MS)
      const { db } = database
      const secrets = await openSecrets(join(dataDir, 'secrets'))
      const provider = openPayments(fake.config, { db, jobs, secrets })
      const afterwards = { db, jobs, provider, log: pino({ level: 'silent' }) }
      await db.execute('update payment_attempts set asked_at = null')
      await reconcile(afterwards)

      await assertInvariants(db, { initialStock: new Map([[toy.id, STOCK]]) })
      const stored = new Map((await db.query.orders.findMany()).map(order => [order.id, order]))
      const ledger = await db.query.payments.findMany()
      for (const { orderId, customerId } of known.orders) expect(stored.get(orderId)?.userId).toBe(customerId)
      for (const orderId of known.paid) expect(stored.get(orderId)?.paymentStatus).toBe('paid')
      for (const [orderId, attempts] of known.charged) {
        expect(stored.get(orderId)?.paymentStatus).toBe('paid')
        expect(ledger.filter(row => row.orderId === orderId).map(({ kind }) => kind)).toEqual(
          attempts.map(() => 'charge'),
        )
      }
    })
  }

  return {
    known,
    /** Ends the shop at a failpoint, or at a moment that depends on `seed`, and examines what is left. */
    async round(failAt: Failpoint | undefined, seed = 0): Promise<void> {
      await runUntilItEnds(failAt, seed)
      await examine()
    },
    async close() {
      await fake.close()
      await shop.remove()
    },
  }
}

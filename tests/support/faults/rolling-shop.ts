import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, inArray, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { messages, orders, users } from '#server/db/schema.ts'
import { createApi } from '#lib/api.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { newcomer } from '../catalogue/customer.ts'
import { freePort } from '../ports.ts'
import { startNginx } from '../processes/nginx.ts'
import { addShippable, assertInvariants, orderOf } from '../provider/ordering.ts'
import { createDatabase } from '../processes/postgres.ts'
import { startShopProcess } from '../processes/shop-process.ts'

const STOCK = 1_000_000
const PER_CUSTOMER = 3
const LIMITS = ['register', 'placeOrder', 'render', 'chat', 'api'].map(name => `${name}=1000000/1m`).join(',')

/** A failed request, and whether repeating it would have been safe. */
interface Failure {
  method: string
  url: string
  reason: unknown
}

/** Processes of one shop behind nginx, with their own data folders on one PostgreSQL, and customers. */
export async function startRollingShop(cluster: string, count = 2) {
  const url = await createDatabase(cluster)
  const folder = await mkdtemp(join(tmpdir(), 'piazza-rolling-'))
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  const nginx = await startNginx(ports)
  const start = (at: number) =>
    startShopProcess(
      {
        DATABASE_URL: url,
        DATA_DIR: join(folder, String(at)),
        DATABASE_LISTEN_URL: '',
        PROVIDER_URL: '',
        PUBLIC_URL: nginx.url,
        TRUSTED_PROXIES: '1',
        PAYMENT_PROVIDER: 'sandbox',
        DRAIN_SECONDS: '2',
        DEMO: 'off',
        LIMITS,
      },
      ports[at]!,
    )
  const processes = await Promise.all(ports.map((_, at) => start(at)))
  const database = await openDatabase({ url })
  const product = await addShippable(database.db, { stock: STOCK })
  const failures: Failure[] = []
  const orderIds: string[] = []
  const texts: string[] = []
  let ending = new AbortController()

  async function ask(request: Request): Promise<Response> {
    const { method, url: asked } = request
    try {
      const answer = await fetch(request)
      if (answer.status >= 500) failures.push({ method, url: asked, reason: `${answer.status} ${nginx.errors()}` })
      return answer
    } catch (reason) {
      failures.push({ method, url: asked, reason })
      throw reason
    }
  }

  const apiOf = (token?: string) =>
    createApi({
      origin: nginx.url,
      fetch(request) {
        if (token) request.headers.set('authorization', `Bearer ${token}`)
        return ask(request)
      },
    })

  async function shopOnce(): Promise<void> {
    const { token } = await apiOf().register(newcomer())
    const { id } = decodeCustomer(token)!
    // Unconfirmed customers may have only one unpaid order.
    await database.db
      .update(users)
      .set({ emailConfirmedAt: sql`now()` })
      .where(eq(users.id, id))
    const api = apiOf(token)
    for (let count = 0; count < PER_CUSTOMER && !ending.signal.aborted; count += 1) {
      await (await ask(new Request(`${nginx.url}/products`))).arrayBuffer()
      orderIds.push((await api.placeOrder(orderOf(id, [product]))).orderId)
      const text = `${id} ${count}`
      await api.sendMessage({ userId: id, sellerId: product.sellerId, text })
      texts.push(text)
    }
  }

  async function shopOnAndOn(): Promise<void> {
    while (!ending.signal.aborted) {
      // Recorded in `failures`; the next customer goes on.
      await shopOnce().catch(() => undefined)
    }
  }

  return {
    nginx,
    processes,
    database,
    failures,
    orderIds,
    start,
    /** Lets customers shop while `work` runs. */
    async whileShopping(customers: number, work: () => Promise<void>): Promise<void> {
      ending = new AbortController()
      const shopping = Array.from({ length: customers }, shopOnAndOn)
      try {
        await work()
      } finally {
        ending.abort()
        await Promise.all(shopping)
      }
    },
    /** Every acknowledged order and message is there once, in order, and the stock adds up. */
    async examine(): Promise<void> {
      const { db } = database
      expect(new Set(orderIds).size).toBe(orderIds.length)
      expect(await db.$count(orders, inArray(orders.id, orderIds))).toBe(orderIds.length)
      const stored = await db.select({ text: messages.text }).from(messages).where(inArray(messages.text, texts))
      expect(stored.map(({ text }) => text).toSorted()).toEqual(texts.toSorted())
      await assertInvariants(db, { initialStock: new Map([[product.variantId, STOCK]]) })
    },
    async close(): Promise<void> {
      await Promise.all(processes.map(each => each.kill()))
      await nginx.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { expect } from 'vitest'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { openDatabase } from '#server/db/database.ts'
import { messages, orders, users } from '#server/db/schema.ts'
import { openSigningKeys } from '#server/platform/signing-keys.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { addSeller } from '../catalogue/catalogue.ts'
import { newcomer } from '../accounts/customer.ts'
import { freePort } from '../ports.ts'
import { apiAt } from '../processes/api-at.ts'
import { startNginx } from '../processes/nginx.ts'
import { addShippable, assertInvariants, orderOf, type Stocked } from '../provider/ordering.ts'
import { createDatabase } from '../processes/postgres.ts'
import { startShopProcess } from '../processes/shop-process.ts'
import { openChatWindows } from './chat-windows.ts'

const STOCK = 1_000_000
/** Customers of a market do not all want the same product. */
const PRODUCTS = 20
const ANSWER = 'Answer to '
/** Each failure shows the end of nginx's log. */
const LOG_LENGTH = 1000
const LIMITS = [
  'register',
  'placeOrder',
  'ordersPerDay',
  'ordersPerDayPerIp',
  'confirm',
  'render',
  'chat',
  'chatBytes',
  'chatBytesPerIp',
  'socketEvents',
  'api',
  'apiPerIp',
]
  .map(name => `${name}=1000000/1m`)
  .join(',')

/** A failed request, and whether repeating it would have been safe. */
interface Failure {
  method: string
  url: string
  reason: unknown
}

/** A customer, with the requests of the present visit, which are the same when they are repeated. */
interface Visitor {
  id: string
  token: string
  api: Api
  order: ReturnType<typeof orderOf>
  message: { text: string; clientId: string }
}

interface Options {
  count?: number
  /** The most that customers wait between two requests. */
  thinkMs?: number
  /** Whether each customer has a window of the chat open, in which the shop answers. */
  hasChat?: boolean
}

/** Processes of one shop behind nginx, with their own data folders on one PostgreSQL, and customers. */
export async function startRollingShop(cluster: string, { count = 2, thinkMs = 0, hasChat = false }: Options = {}) {
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
  const processes = await Promise.all(ports.map((_, at) => start(at))).catch(async (error: unknown) => {
    await nginx.close()
    throw error
  })
  const database = await openDatabase({ url })
  const { id: sellerId } = await addSeller(database.db)
  const products: Stocked[] = []
  while (products.length < PRODUCTS) products.push(await addShippable(database.db, { sellerId, stock: STOCK }))
  async function openChat() {
    const secrets = await openSigningKeys({ database, folder, log: pino({ level: 'silent' }) })
    const { token } = await openSellerTokens({ db: database.db, secrets }).issue(sellerId)
    return openChatWindows({ url: nginx.url, seller: { id: sellerId, token } })
  }
  const chat = hasChat ? await openChat() : null
  const failures: Failure[] = []
  const orderIds = new Set<string>()
  const paidIds = new Set<string>()
  const texts: string[] = []
  let visitCount = 0
  let ending = new AbortController()

  async function ask(request: Request): Promise<Response> {
    const { method, url: asked } = request
    try {
      const answer = await fetch(request)
      if (answer.status >= 500)
        failures.push({
          method,
          url: asked,
          reason: [answer.status, await answer.clone().text(), nginx.errors().slice(-LOG_LENGTH)],
        })
      return answer
    } catch (reason) {
      failures.push({ method, url: asked, reason })
      throw reason
    }
  }

  const apiOf = (token?: string) => apiAt(nginx.url, token, ask)

  async function openAccount(): Promise<Visitor> {
    const { token } = await apiOf().register(newcomer())
    const { id } = decodeCustomer(token)!
    // Unconfirmed customers may have only one unpaid order.
    await database.db
      .update(users)
      .set({ emailConfirmedAt: sql`now()` })
      .where(eq(users.id, id))
    return { id, token, api: apiOf(token), ...nextVisit(id) }
  }

  function nextVisit(userId: string) {
    visitCount += 1
    return {
      order: orderOf(userId, [products[visitCount % PRODUCTS]!]),
      message: { text: String(visitCount), clientId: randomUUID() },
    }
  }

  /** Waits as a customer does who reads. */
  const think = () => sleep(Math.random() * thinkMs, undefined, { signal: ending.signal })

  /** Orders, pays and writes to the shop. Called again after a failure, it repeats the same requests. */
  async function visit(visitor: Visitor): Promise<void> {
    const { id, api, order, message } = visitor
    await chat?.open(visitor)
    await (await ask(new Request(`${nginx.url}/products`))).arrayBuffer()
    await think()
    const { orderId } = await api.placeOrder(order)
    orderIds.add(orderId)
    await think()
    if ((await api.confirmOrder({ orderId })).paymentStatus === 'unpaid') await pay(api, orderId)
    expect(await api.confirmOrder({ orderId })).toMatchObject({ paymentStatus: 'paid' })
    paidIds.add(orderId)
    await think()
    await api.sendMessage({ userId: id, sellerId, ...message })
    texts.push(message.text)
    if (chat) texts.push((await chat.reply(id, ANSWER + message.text)).text)
    await think()
  }

  async function pay(api: Api, orderId: string): Promise<void> {
    const { reference } = await api.startPayment({ orderId })
    const body = JSON.stringify({ reference, method: 'card', number: '4242424242424242' })
    const headers = { 'content-type': 'application/json' }
    const { status } = await ask(new Request(`${nginx.url}/api/payment/sandbox/pay`, { method: 'POST', headers, body }))
    if (status !== 200) throw new ApiError(status, 'The sandbox took no payment')
  }

  async function visitAgainAndAgain(visitor: Visitor): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await visit(visitor)
        Object.assign(visitor, nextVisit(visitor.id))
      } catch (error) {
        if (ending.signal.aborted) return
        // Requests that fail are in `failures`; the customer repeats them after a moment.
        if (error instanceof ApiError || error instanceof TypeError) await think().catch(() => undefined)
        else throw error
      }
    }
  }

  return {
    nginx,
    processes,
    database,
    failures,
    orderIds,
    paidIds,
    texts,
    start,
    /** Lets customers shop while `work` runs. They arrive one after the other, and `work` begins when all are there. */
    async whileShopping(customers: number, work: () => Promise<void>): Promise<void> {
      ending = new AbortController()
      const shopping: Promise<void>[] = []
      try {
        while (shopping.length < customers) shopping.push(visitAgainAndAgain(await openAccount()))
        await work()
      } finally {
        ending.abort()
        await Promise.all(shopping)
      }
    },
    /**
     * Every acknowledged order, payment and message is there once, messages in order, also in the windows of both
     * sides; nobody ordered twice, and stock and money add up.
     */
    async examine(): Promise<void> {
      const { db } = database
      expect(await db.$count(orders, inArray(orders.id, [...orderIds]))).toBe(orderIds.size)
      expect(await db.$count(orders)).toBeLessThanOrEqual(visitCount)
      const isPaid = and(inArray(orders.id, [...paidIds]), eq(orders.paymentStatus, 'paid'))
      expect(await db.$count(orders, isPaid)).toBe(paidIds.size)
      const stored = await db.select().from(messages).orderBy(messages.conversationId, messages.seq)
      expect(new Set(stored.map(({ text }) => text)).size).toBe(stored.length)
      expect(new Set(stored.map(({ text }) => text)).isSupersetOf(new Set(texts))).toBe(true)
      for (const [, own] of Map.groupBy(stored, ({ conversationId, sender }) => `${conversationId} ${sender}`)) {
        const written = own.map(({ text }) => numberOf(text))
        expect(written).toEqual(written.toSorted((one, other) => one - other))
      }
      await chat?.examine(db)
      await assertInvariants(db, { initialStock: new Map(products.map(({ variantId }) => [variantId, STOCK])) })
    },
    async close(): Promise<void> {
      chat?.close()
      await Promise.all(processes.map(each => each.kill()))
      await nginx.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The number in a customer's text or in its answer. */
function numberOf(text: string): number {
  return Number(text.replace(ANSWER, ''))
}

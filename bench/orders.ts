import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { type Dispatcher, Pool } from 'undici'
import * as z from 'zod/mini'
import { queryProducts } from '#contract/catalogue.ts'
import { placeOrder } from '#contract/orders.ts'
import { readConfig } from '#server/config.ts'
import type { products } from '#server/db/schema.ts'
import { openProvider } from '#server/provider.ts'
import { checkInvariants } from '#server/orders/invariants.ts'
import { addCustomers } from '#tests/support/provider/crowd.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { onEachDatabase } from './databases.ts'
import { cpuMsOf, quantile } from './load.ts'

export type Product = typeof products.$inferSelect

export interface Buyer {
  id: string
  token: string
}

interface Answer {
  status: number
  ms: number
}

const CONNECTIONS = 50
const PRODUCTS = 500
const STOCK = 1_000_000
const LAST_UNITS = 10
const BUYERS = 1000
const SALE_BUYERS = 500
const MAX_LINES = 3
const WARM_SECONDS = 4
/** Orders per second, sent at this fixed rate no matter how fast the shop responds. */
const RATES: Record<string, number> = { postgresql: 80, embedded: 40 }
const SALE_MS = 5000
const PROGRAM = join(import.meta.dirname, '../tests/support/processes/serve-provider.ts')

/** Times orders by many customers at once, and a flash sale, with the provider in a separate process. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '20' }, only: { type: 'string' } },
  })
  await onEachDatabase(
    { only: values.only, unlimited: ['placeOrder', 'ordersPerDay', 'ordersPerDayPerIp'] },
    (kind, environment) => measure(kind, Number(values.seconds), environment),
  )
}

async function measure(kind: string, seconds: number, environment: Record<string, string>): Promise<void> {
  const open = () => openProvider(readConfig(environment), pino({ level: 'silent' }))
  const { stocked, last, buyers } = await fillWithGoods(environment)

  const child = fork(PROGRAM, { env: { ...process.env, ...environment }, stdio: 'ignore' })
  const [port] = (await once(child, 'message')) as [number]
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  await order(pool, buyers, stocked, WARM_SECONDS)
  const cpu = cpuMsOf(child.pid ?? 0)
  const placed = await order(pool, buyers, stocked, seconds)
  const cpuMs = (cpuMsOf(child.pid ?? 0) - cpu) / placed.answers.length
  const rate = RATES[kind] ?? 0
  const arrived = await arrive(pool, buyers, stocked, { count: rate * seconds, seconds })
  const { sale, browsing } = await flashSale(pool, buyers.slice(-SALE_BUYERS), last)
  await pool.close()
  child.disconnect()
  await once(child, 'exit')

  const afterwards = await open()
  const initialStock = new Map([...stocked.map(({ id }) => [id, STOCK] as const), [last.id, LAST_UNITS]])
  const findings = await checkInvariants(afterwards.database.db, { initialStock })
  await afterwards.close()
  console.table({
    [`${kind}: ${CONNECTIONS} at once`]: spread(placed.answers, 201, placed.seconds),
    [`${kind}: ${rate} each second`]: spread(arrived.answers, 201, arrived.seconds),
    [`${kind}: flash sale, sold`]: spread(sale, 201),
    [`${kind}: flash sale, refused`]: spread(sale, 422),
    [`${kind}: browsing meanwhile`]: spread(browsing, 200),
  })
  console.log(`${cpuMs.toFixed(1)} ms of the processors for each order, without PostgreSQL and its clients`)
  console.log(findings.length === 0 ? 'Orders, stock and payments add up' : findings.join('\n'))
}

/** Adds products, one with few units, and customers with their bearers. */
export async function fillWithGoods(environment: Record<string, string>) {
  const provider = await openProvider(readConfig(environment), pino({ level: 'silent' }))
  const { db } = provider.database
  const stocked: Product[] = []
  for (let at = 0; at < PRODUCTS; at += 1) stocked.push(await addShippable(db, { stock: STOCK }))
  const last = await addShippable(db, { stock: LAST_UNITS })
  const buyers: Buyer[] = []
  for (const customer of await addCustomers(db, BUYERS))
    buyers.push({ id: customer.id, token: (await provider.sessions.start(customer)).token })
  await provider.close()
  return { stocked, last, buyers }
}

/** Customers order one to three products, each at most six times, to stay below HOLD_LIMITS for unpaid orders. */
export async function order(pool: Dispatcher, buyers: Buyer[], stocked: Product[], seconds: number) {
  const answers: Answer[] = []
  const turns = Array.from({ length: 6 }, () => buyers)
    .flat()
    .values()
  const began = performance.now()
  const work = async () => {
    for (const buyer of turns) {
      if (performance.now() - began > seconds * 1000) return
      const lines = new Set(Array.from({ length: 1 + Math.floor(Math.random() * MAX_LINES) }, () => pick(stocked)))
      answers.push(await place(pool, buyer, [...lines]))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return { answers, seconds: (performance.now() - began) / 1000 }
}

/** Sends `count` orders, evenly spread over `seconds`. */
async function arrive(
  pool: Dispatcher,
  buyers: Buyer[],
  stocked: Product[],
  { count, seconds }: { count: number; seconds: number },
) {
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      await sleep((at / count) * seconds * 1000)
      return place(pool, buyers[at % buyers.length]!, [pick(stocked)])
    }),
  )
  return { answers, seconds: (performance.now() - began) / 1000 }
}

/** All buyers order the same product with few units within five seconds, while others browse. */
async function flashSale(pool: Dispatcher, buyers: Buyer[], last: Product) {
  const browsing: Answer[] = []
  const end = new AbortController()
  const look = async () => {
    do browsing.push(await ask(pool, { method: 'GET', path: `/api${queryProducts.path}?category=Toys` }))
    while (!end.signal.aborted)
  }
  const looking = [look(), look()]
  const sale = await Promise.all(
    buyers.map(async (buyer, at) => {
      await sleep((at / buyers.length) * SALE_MS)
      return place(pool, buyer, [last])
    }),
  )
  end.abort()
  await Promise.all(looking)
  return { sale, browsing }
}

function place(pool: Dispatcher, { id, token }: Buyer, wanted: Product[]): Promise<Answer> {
  const { key, ...body } = z.encode(placeOrder.input, orderOf(id, wanted))
  return ask(pool, {
    method: 'POST',
    path: `/api${placeOrder.path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
}

async function ask(pool: Dispatcher, request: Parameters<Dispatcher['request']>[0]): Promise<Answer> {
  const began = performance.now()
  const { statusCode, body } = await pool.request(request)
  await body.dump()
  return { status: statusCode, ms: performance.now() - began }
}

export function pick(stocked: Product[]): Product {
  return stocked[Math.floor(Math.random() * stocked.length)]!
}

function spread(answers: Answer[], status: number, seconds?: number) {
  const times = answers.filter(each => each.status === status).map(({ ms }) => ms)
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(quantile(sorted, share))
  return {
    count: times.length,
    other: [...new Set(answers.map(each => each.status))].filter(each => each !== status).join(' '),
    'per s': seconds ? Math.round(times.length / seconds) : '',
    'median ms': at(0.5),
    'p95 ms': at(0.95),
  }
}

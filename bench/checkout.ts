import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { Pool } from 'undici'
import * as z from 'zod/mini'
import { addToCart, Cart, getCart } from '#contract/cart.ts'
import { placeOrder } from '#contract/orders.ts'
import { confirmOrder, PaymentAttempt, startPayment } from '#contract/payments.ts'
import { readConfig } from '#server/config.ts'
import { checkInvariants } from '#server/orders/invariants.ts'
import { openProvider } from '#server/provider.ts'
import { orderOf } from '#tests/support/provider/ordering.ts'
import { prepareFleet, withOwnShare } from './fleet.ts'
import { quantile } from './load.ts'
import { type Buyer, fillWithGoods, pick, type Product } from './orders.ts'

const CUSTOMERS = 50
const WARM_SECONDS = 5
const REPEAT_MS = 500

let repeatedCount = 0

/** Times paid orders: 50 customers at once put two products into the cart, order, and pay in the sandbox. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '20' }, processes: { type: 'string', default: '1' } },
  })
  const setup = await prepareFleet({ DEMO: 'off', PAYMENT_PROVIDER: 'sandbox' })
  try {
    const { stocked, buyers } = await fillWithGoods(setup.environment)
    const fleet = await setup.start(Number(values.processes))
    const pools = fleet.urls.map(url => new Pool(url, { connections: CUSTOMERS }))
    const turns = endless(buyers)
    await shopAtOnce(pools, { turns, stocked, seconds: WARM_SECONDS })
    const cpu = fleet.cpuMs()
    const { result, generator } = await withOwnShare(() =>
      shopAtOnce(pools, { turns, stocked, seconds: Number(values.seconds) }),
    )
    const cpuMs = (fleet.cpuMs() - cpu) / result.times.length
    await Promise.all(pools.map(pool => pool.close()))
    await fleet.stop()
    const at = (share: number) => Math.round(quantile(result.times, share))
    console.table({
      [`${fleet.urls.length} of the shop's processes`]: {
        'paid orders': result.times.length,
        'repeated calls': repeatedCount,
        'per s': Number((result.times.length / result.seconds).toFixed(1)),
        'median ms of seven calls': at(0.5),
        'p95 ms': at(0.95),
        'ms CPU each': Number(cpuMs.toFixed(2)),
        'generator’s processors': Number(generator.toFixed(2)),
      },
    })
    const { database, close } = await openProvider(readConfig(setup.environment), pino({ level: 'silent' }))
    const findings = await checkInvariants(database.db, {})
    await close()
    console.log(findings.length === 0 ? 'Orders, stock and payments add up' : findings.join('\n'))
  } finally {
    await setup.remove()
  }
}

function* endless<T>(items: T[]): Generator<T, never> {
  for (;;) yield* items
}

interface Shopping {
  turns: Iterator<Buyer>
  stocked: Product[]
  seconds: number
}

/** Durations of whole checkouts, the shortest first. Throws if a call fails. */
async function shopAtOnce(pools: Pool[], { turns, stocked, seconds }: Shopping) {
  const times: number[] = []
  const began = performance.now()
  const work = async (_: unknown, at: number) => {
    while (performance.now() - began < seconds * 1000) {
      const startedAt = performance.now()
      await buy(pools[at % pools.length]!, turns.next().value as Buyer, [pick(stocked), pick(stocked)])
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CUSTOMERS }, work))
  return { times: times.toSorted((one, other) => one - other), seconds: (performance.now() - began) / 1000 }
}

/** Seven calls: two products into the cart, the cart, the order, the attempt, the payment and its confirmation. */
async function buy(pool: Pool, { id, token }: Buyer, wanted: Product[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (path: string, body: unknown, more = {}) =>
    ask(pool, { method: 'POST', path: `/api${path}`, headers: { ...headers, ...more }, body: JSON.stringify(body) })
  const read = (path: string) => ask(pool, { method: 'GET', path: `/api${path}`, headers })

  for (const { id: productId } of wanted) await post(addToCart.path, { userId: id, productId, quantity: 1 })
  const cart = z.decode(Cart, (await read(getCart.path.replace(':id', id))) as never)
  const lines = cart.groups.flatMap(({ products }) =>
    products.map(({ _id: lineId, quantity, product: { _id } }) => {
      return { lineId, quantity, product: wanted.find(({ id }) => id === _id)! }
    }),
  )
  const { key, ...order } = z.encode(placeOrder.input, orderOf(id, lines))
  const { orderId } = (await post(placeOrder.path, order, { 'idempotency-key': key })) as { orderId: string }
  const attempt = z.decode(PaymentAttempt, (await post(startPayment.path, { orderId })) as never)
  await post('/payment/sandbox/pay', { reference: attempt.reference, method: 'card', number: '4242424242424242' })
  const answer = await read(confirmOrder.path.replace(':orderId', orderId))
  const { paymentStatus } = z.decode(confirmOrder.output, answer as never)
  if (paymentStatus !== 'paid') throw new Error(`The order is ${paymentStatus}`)
}

/** Repeats the request after a 503, as the browser does: other programs may take the machine for a moment. */
async function ask(pool: Pool, request: Parameters<Pool['request']>[0]): Promise<unknown> {
  for (;;) {
    const { statusCode, body } = await pool.request(request)
    if (statusCode < 300) return body.json()
    const reason = await body.text()
    if (statusCode !== 503) throw new Error(`${request.path} responded with ${statusCode}: ${reason}`)
    repeatedCount += 1
    await sleep(REPEAT_MS)
  }
}

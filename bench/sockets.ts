import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { io, type Socket } from 'socket.io-client'
import { BalancedPool } from 'undici'
import * as z from 'zod/mini'
import { sendMessage } from '#contract/chat.ts'
import { events, SOCKET_PATH } from '#contract/realtime.ts'
import { readConfig } from '#server/config.ts'
import { openProvider } from '#server/provider.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addCustomers } from '#tests/support/provider/crowd.ts'
import { onEachDatabase } from './databases.ts'
import { cpuMsOf, quantile } from './load.ts'

interface Pair {
  userId: string
  userToken: string
  sellerId: string
  sellerToken: string
}

const SOCKETS = 300
const CONNECTIONS = 50
const WARM_SECONDS = 3
/** Messages that are not received within this time count as lost. */
const PATIENCE_MS = 5000
const PROGRAM = join(import.meta.dirname, '../tests/support/processes/serve-provider.ts')

/**
 * Times chat messages until the other side receives them. Half of the sockets are customers, who write by HTTP; half
 * are sellers, who write by socket.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      rate: { type: 'string', default: '600' },
      only: { type: 'string' },
    },
  })
  const load = { seconds: Number(values.seconds), rate: Number(values.rate) }
  await onEachDatabase(
    { only: values.only, unlimited: ['chat', 'chatBytes', 'chatBytesPerIp', 'socketEvents'] },
    (kind, environment) => measure(kind, load, environment),
  )
}

interface Load {
  seconds: number
  /** Messages per second. */
  rate: number
}

async function measure(kind: string, load: Load, environment: Record<string, string>): Promise<void> {
  const pairs = await addPairs(environment)
  const child = fork(PROGRAM, { env: { ...process.env, ...environment }, stdio: 'ignore' })
  const [port] = (await once(child, 'message')) as [number]
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const talk = await connectAll([url], pairs)
  const connectMs = Math.round(performance.now() - began)
  await talk.go({ ...load, seconds: WARM_SECONDS })
  const cpu = cpuMsOf(child.pid ?? 0)
  const { sent, refused, times, tookSeconds } = await talk.go(load)
  const cpuMs = (cpuMsOf(child.pid ?? 0) - cpu) / sent
  await talk.close()
  child.disconnect()
  await once(child, 'exit')

  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(quantile(sorted, share))
  const figures = { sent, refused, received: times.length, perSecond: Math.round(sent / tookSeconds) }
  console.table({
    [kind]: { connectMs, ...figures, p50: at(0.5), p95: at(0.95), p99: at(0.99), cpuMs: Number(cpuMs.toFixed(2)) },
  })
}

/** Adds customers and shops with their bearers, who will write to each other. */
export async function addPairs(environment: Record<string, string>): Promise<Pair[]> {
  const { database, sessions, sellerTokens, close } = await openProvider(
    readConfig(environment),
    pino({ level: 'silent' }),
  )
  const pairs: Pair[] = []
  for (const customer of await addCustomers(database.db, SOCKETS / 2)) {
    const { id: sellerId } = await addSeller(database.db)
    const [{ token: userToken }, { token: sellerToken }] = await Promise.all([
      sessions.start(customer),
      sellerTokens.issue(sellerId),
    ])
    pairs.push({ userId: customer.id, userToken, sellerId, sellerToken })
  }
  await close()
  return pairs
}

/** Connects both sides of each pair, to different processes if there are several. */
export async function connectAll(urls: string[], pairs: Pair[]) {
  const pool = new BalancedPool(urls, { connections: CONNECTIONS })
  const sentAt = new Map<string, number>()
  let times: number[] = []
  let refused = 0
  const noteReceived = (told: { message: string }) => {
    const began = sentAt.get(told.message)
    sentAt.delete(told.message)
    if (began !== undefined) times.push(performance.now() - began)
  }
  const open = async (at: number, token: string, event: string): Promise<Socket> => {
    const socket = io(urls[at % urls.length], {
      path: SOCKET_PATH,
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
    })
    socket.on(event, noteReceived)
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject))
    return socket
  }
  const customers = await Promise.all(pairs.map(({ userToken }, at) => open(at, userToken, events.sellerMessage)))
  const sellers = await Promise.all(
    pairs.map(({ sellerToken }, at) => open(at + 1, sellerToken, events.customerMessage)),
  )

  async function say(at: number): Promise<void> {
    const index = Math.floor(at / 2) % pairs.length
    const { userId, userToken, sellerId } = pairs[index]!
    const text = randomUUID()
    sentAt.set(text, performance.now())
    if (at % 2 === 1) {
      sellers[index]?.emit(events.sendSellerMessage, { customerId: userId, text, clientId: text })
      return
    }
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/api${sendMessage.path}`,
      headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(z.encode(sendMessage.input, { userId, sellerId, text, clientId: text })),
    })
    await body.dump()
    if (statusCode !== 201) refused += 1
  }

  // A shop may only write to customers who have written to it.
  for (let index = 0; index < pairs.length; index += 1) await say(2 * index)
  return {
    /** Sends messages at a fixed rate, then waits until all are received, for at most 5 s. */
    async go({ seconds, rate }: Load) {
      times = []
      refused = 0
      const count = seconds * rate
      const began = performance.now()
      const saying: Promise<void>[] = []
      for (let at = 0; at < count; at += 1) {
        const due = (at / rate) * 1000 - (performance.now() - began)
        if (due > 1) await sleep(due)
        saying.push(say(at))
      }
      const tookSeconds = (performance.now() - began) / 1000
      await Promise.all(saying)
      for (const end = performance.now() + PATIENCE_MS; times.length < count && performance.now() < end;)
        await sleep(10)
      return { sent: count, refused, times, tookSeconds }
    },
    async close() {
      for (const socket of [...customers, ...sellers]) socket.disconnect()
      await pool.close()
    },
  }
}

import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { BalancedPool } from 'undici'
import { type Fleet, prepareFleet, withOwnShare } from './fleet.ts'
import { askOnce, quantile } from './load.ts'
import { fillWithGoods, order } from './orders.ts'
import { listingPaths, productPaths, purgeAll, PURGE_SECRET } from './pages.ts'
import { addPairs, connectAll } from './sockets.ts'

const CONNECTIONS = 50
/** For each process, as the processes share the work: otherwise each of three would be less warm than a single one. */
const WARM_SECONDS = 5
const WARM_ROUNDS = 6
/** Rounds of rendering all pages that are counted. */
const ROUNDS = 6
const AT_ONCE = 12

interface Figure {
  'per s': number
  'ms CPU each': number
  'p99 ms': number | ''
  'generator’s processors': number
  /** Of the whole machine, with PostgreSQL and other programs. */
  'processors in use': number
}

/** Times rendered pages, orders and messages with 1, 2 and 3 processes of the shop on one PostgreSQL. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '10' },
      processes: { type: 'string', default: '1,2,3' },
      rate: { type: 'string', default: '300' },
    },
  })
  const seconds = Number(values.seconds)
  const setup = await prepareFleet({ DEMO: 'on', PURGE_SECRET })
  try {
    const pairs = await addPairs(setup.environment)
    const table: Record<string, Figure> = {}
    for (const count of values.processes.split(',').map(Number)) {
      // New customers each time: nobody may have many unpaid orders.
      const goods = await fillWithGoods(setup.environment)
      const fleet = await setup.start(count)
      // The first process makes the demo's pictures.
      await fleet.rest()
      table[`pages, ${count}`] = await renderPages(fleet)
      table[`orders, ${count}`] = await placeOrders(fleet, goods, seconds)
      table[`messages, ${count}`] = await sendMessages(fleet, pairs, { seconds, rate: Number(values.rate) })
      await fleet.stop()
    }
    console.table(table)
  } finally {
    await setup.remove()
  }
}

async function renderPages(fleet: Fleet): Promise<Figure> {
  const [first = ''] = fleet.urls
  const paths = [...(await productPaths({ url: first })), ...listingPaths()]
  const shares = fleet.urls.map((_, at) => paths.filter((_, index) => index % fleet.urls.length === at))
  const renderAll = async () => {
    for (const url of fleet.urls) await purgeAll({ url })
    await Promise.all(fleet.urls.map((url, at) => askOnce(url, shares[at]!, AT_ONCE / fleet.urls.length, 0)))
  }
  for (let round = 0; round < WARM_ROUNDS * fleet.urls.length; round += 1) await renderAll()
  return measure(fleet, async () => {
    const began = performance.now()
    for (let round = 0; round < ROUNDS; round += 1) await renderAll()
    return { count: paths.length * ROUNDS, seconds: (performance.now() - began) / 1000 }
  })
}

async function placeOrders(
  fleet: Fleet,
  { buyers, stocked }: Awaited<ReturnType<typeof fillWithGoods>>,
  seconds: number,
): Promise<Figure> {
  const pool = new BalancedPool(fleet.urls, { connections: Math.ceil(CONNECTIONS / fleet.urls.length) })
  await order(pool, buyers, stocked, WARM_SECONDS * fleet.urls.length)
  const figure = await measure(fleet, async () => {
    const { answers, ...placed } = await order(pool, buyers, stocked, seconds)
    const refused = answers.filter(({ status }) => status !== 201)
    if (refused.length > 0) throw new Error(`${refused.length} orders were refused with ${refused[0]!.status}`)
    return { ...placed, count: answers.length, times: answers.map(({ ms }) => ms) }
  })
  await pool.close()
  return figure
}

async function sendMessages(
  fleet: Fleet,
  pairs: Awaited<ReturnType<typeof addPairs>>,
  load: { seconds: number; rate: number },
): Promise<Figure> {
  const talk = await connectAll(fleet.urls, pairs)
  await talk.go({ ...load, seconds: WARM_SECONDS * fleet.urls.length })
  const figure = await measure(fleet, async () => {
    const { sent, times, tookSeconds } = await talk.go(load)
    if (times.length < sent) throw new Error(`${sent - times.length} of ${sent} messages were lost`)
    return { count: sent, seconds: tookSeconds, times }
  })
  await talk.close()
  return figure
}

interface Done {
  count: number
  seconds: number
  times?: number[]
}

async function measure(fleet: Fleet, work: () => Promise<Done>): Promise<Figure> {
  const [cpu, busy, began] = [fleet.cpuMs(), busyMs(), performance.now()]
  const { result, generator } = await withOwnShare(work)
  const [cpuMs, inUse] = [fleet.cpuMs() - cpu, (busyMs() - busy) / (performance.now() - began)]
  const sorted = (result.times ?? []).toSorted((one, other) => one - other)
  return {
    'per s': Math.round(result.count / result.seconds),
    'ms CPU each': Number((cpuMs / result.count).toFixed(2)),
    'p99 ms': sorted.length === 0 ? '' : Math.round(quantile(sorted, 0.99)),
    'generator’s processors': Number(generator.toFixed(2)),
    'processors in use': Number(inUse.toFixed(2)),
  }
}

/** What all processors have worked since the machine started, in ms. */
function busyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
}

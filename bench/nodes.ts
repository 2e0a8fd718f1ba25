import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { BalancedPool } from 'undici'
import { sumBy } from '#server/platform/sum.ts'
import { type Fleet, type FleetSetup, prepareFleet, withOwnShare } from './fleet.ts'
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

/** Processes of one shop, or one of several shops. */
interface Shop {
  fleet: Fleet
  goods: Awaited<ReturnType<typeof fillWithGoods>>
  pairs: Awaited<ReturnType<typeof addPairs>>
}

/**
 * Times rendered pages, orders and messages with 1, 2 and 3 processes of the shop on one PostgreSQL, or with `--apart`
 * as many shops of one process each, which share nothing but the machine and its PostgreSQL.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '10' },
      processes: { type: 'string', default: '1,2,3' },
      rate: { type: 'string', default: '300' },
      apart: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  const counts = values.processes.split(',').map(Number)
  const configuration = { DEMO: 'on', PURGE_SECRET }
  const setups = [await prepareFleet(configuration)]
  try {
    if (values.apart)
      while (setups.length < Math.max(...counts)) setups.push(await prepareFleet(configuration, setups[0]!.cluster))
    const table: Record<string, Figure> = {}
    for (const count of counts) {
      const shops: Shop[] = []
      for (const setup of values.apart ? setups.slice(0, count) : setups)
        shops.push(await open(setup, values.apart ? 1 : count))
      const fleet = together(shops.map(shop => shop.fleet))
      // The first process of each shop makes the demo's pictures.
      await fleet.rest()
      table[`pages, ${count}`] = await renderPages(fleet)
      table[`orders, ${count}`] = await placeOrders(fleet, shops, seconds)
      table[`messages, ${count}`] = await sendMessages(fleet, shops, { seconds, rate: Number(values.rate) })
      await fleet.stop()
    }
    console.table(table)
  } finally {
    for (const setup of setups.toReversed()) await setup.remove()
  }
}

async function open({ environment, start }: FleetSetup, count: number): Promise<Shop> {
  // New customers each time: nobody may have many unpaid orders.
  const [goods, pairs] = [await fillWithGoods(environment), await addPairs(environment)]
  return { goods, pairs, fleet: await start(count) }
}

function together(fleets: Fleet[]): Fleet {
  return {
    urls: fleets.flatMap(({ urls }) => urls),
    cpuMs: () => sumBy(fleets, fleet => fleet.cpuMs()),
    rest: async () => void (await Promise.all(fleets.map(fleet => fleet.rest()))),
    stop: async () => void (await Promise.all(fleets.map(fleet => fleet.stop()))),
  }
}

async function renderPages(fleet: Fleet): Promise<Figure> {
  const shares = await Promise.all(
    fleet.urls.map(async (url, at) => {
      const paths = [...(await productPaths({ url })), ...listingPaths()]
      return paths.filter((_, index) => index % fleet.urls.length === at)
    }),
  )
  const renderAll = async () => {
    for (const url of fleet.urls) await purgeAll({ url })
    await Promise.all(fleet.urls.map((url, at) => askOnce(url, shares[at]!, AT_ONCE / fleet.urls.length, 0)))
  }
  for (let round = 0; round < WARM_ROUNDS * fleet.urls.length; round += 1) await renderAll()
  return measure(fleet, async () => {
    const began = performance.now()
    for (let round = 0; round < ROUNDS; round += 1) await renderAll()
    return { count: shares.flat().length * ROUNDS, seconds: (performance.now() - began) / 1000 }
  })
}

async function placeOrders(fleet: Fleet, shops: Shop[], seconds: number): Promise<Figure> {
  const connections = Math.ceil(CONNECTIONS / fleet.urls.length)
  const pools = shops.map(shop => new BalancedPool(shop.fleet.urls, { connections }))
  const orderAll = (duration: number) =>
    Promise.all(shops.map(({ goods }, at) => order(pools[at]!, goods.buyers, goods.stocked, duration)))
  await orderAll(WARM_SECONDS * fleet.urls.length)
  const figure = await measure(fleet, async () => {
    const placed = await orderAll(seconds)
    const answers = placed.flatMap(each => each.answers)
    const refused = answers.filter(({ status }) => status !== 201)
    if (refused.length > 0) throw new Error(`${refused.length} orders were refused with ${refused[0]!.status}`)
    return { seconds: placed[0]!.seconds, count: answers.length, times: answers.map(({ ms }) => ms) }
  })
  await Promise.all(pools.map(pool => pool.close()))
  return figure
}

async function sendMessages(fleet: Fleet, shops: Shop[], { seconds, rate }: Load): Promise<Figure> {
  const talks = await Promise.all(
    shops.map(shop => connectAll(shop.fleet.urls, shop.pairs.slice(0, shop.pairs.length / shops.length))),
  )
  const sendAll = (duration: number) =>
    Promise.all(talks.map(talk => talk.go({ seconds: duration, rate: rate / shops.length })))
  await sendAll(WARM_SECONDS * fleet.urls.length)
  const figure = await measure(fleet, async () => {
    const done = await sendAll(seconds)
    const [sent, times] = [sumBy(done, each => each.sent), done.flatMap(each => each.times)]
    if (times.length < sent) throw new Error(`${sent - times.length} of ${sent} messages were lost`)
    return { count: sent, seconds: done[0]!.tookSeconds, times }
  })
  await Promise.all(talks.map(talk => talk.close()))
  return figure
}

interface Load {
  seconds: number
  rate: number
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

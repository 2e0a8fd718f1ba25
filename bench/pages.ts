import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { register } from '#contract/auth.ts'
import { queryProducts } from '#contract/catalogue.ts'
import { sign } from '#server/http/signature.ts'
import { createDatabase, startPostgres } from '#tests/support/processes/postgres.ts'
import { type RunningShop, startShop } from '#tests/support/provider/shop.ts'
import { askOnce, buildIfNeeded, hammer, hasWrk, type Load, NO_LIMITS, quantile, restOf, type Round } from './load.ts'
import { startBareNode } from './bare-node.ts'
import { hasNginx, startNginx } from './nginx.ts'
import { transferredBytes } from './script-bytes.ts'
import { measureStarts, residentMb } from './start.ts'

export const PURGE_SECRET = 'only for the bench, on 127.0.0.1'
const GZIP = { 'accept-encoding': 'gzip' }
const BROTLI = { 'accept-encoding': 'br' }
const AT_ONCE = 10
const RESULTS = 12
const STARTS = 5
/** Thumbnails that fit beside each other on a phone. */
const FIT_ON_A_PHONE = 3
/** Rounds until V8 has optimised the code. They are not counted. */
const LEARNING = 8
/** Many, because the speed of a shared machine can change by half from one second to the next. */
const RENDERED_ROUNDS = 20
const MINUTE_MS = 60_000

/** Times the built shop on demo data: stored pages compared to nginx, rendered pages, the API, bytes per page. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      postgres: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '0' },
    },
  })
  buildIfNeeded()
  const cluster = values.postgres ? await startPostgres() : null
  const database = cluster ? await createDatabase(cluster.url) : ''
  await measureStarts(cluster ? await createDatabase(cluster.url) : '', STARTS)
  const env = { LIMITS: NO_LIMITS, PURGE_SECRET, DATABASE_URL: database }
  const shop = await startShop(env)
  try {
    const paths = await productPaths(shop)
    if (!paths[0]) throw new Error('The demo has no products')
    const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
    console.log(`\nThe shop on ${cluster ? 'PostgreSQL' : 'PGlite'}, ${paths.length} products`)
    await askOnce(shop.url, paths, AT_ONCE, shop.pid)
    // After its start, the shop renders pages and makes small pictures in the background, which takes both processors.
    await restOf(shop.pid)
    await compareStored(shop, { home: '/', product: paths[0] }, rounds, seconds)
    await measureRendered(shop, paths)
    await watchMemory(shop, [...paths, ...listingPaths()], Number(values.minutes))
    const api = `${shop.url}/api${queryProducts.path}?sortPrice=low-to-high`
    console.log('\nquery-products:', formatLoad(await hammer(api, BROTLI, seconds)))
    const pages = {
      home: '/',
      listing: '/products',
      product: paths[0],
      'product with few pictures': await fewPictures(shop),
    }
    const urls = Object.fromEntries(Object.entries(pages).map(([name, path]) => [name, shop.url + path]))
    console.log('\nBefore any click, on a phone')
    console.table(await transferredBytes(urls))
    console.log('\nThe same for a customer')
    console.table(await transferredBytes(urls, await newCustomer(shop)))
  } finally {
    await shop.stop()
    await cluster?.stop()
  }
}

/** Registers a customer and returns their bearer. */
async function newCustomer(shop: RunningShop): Promise<string> {
  const form = { name: 'Ada Lovelace', email: 'ada@piazza.example', password: 'Correct-Horse-9' }
  const answer = await fetch(`${shop.url}/api${register.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  })
  return ((await answer.json()) as { token: string }).token
}

async function compareStored(
  shop: RunningShop,
  pages: Record<string, string>,
  rounds: number,
  seconds: number,
): Promise<void> {
  const urls = Object.fromEntries(Object.entries(pages).map(([name, path]) => [name, shop.url + path]))
  for (const url of Object.values(urls)) await fetch(url, { headers: BROTLI })
  const nginx = hasNginx() ? await startNginx(urls) : null
  const bareNode = await startBareNode(urls)
  if (!nginx) console.log('There is no nginx here to compare with: apt-get install nginx')
  console.log(
    `\nStored pages, requested by ${hasWrk ? 'wrk -t1 -c32' : 'autocannon: install wrk, which is ten times as fast'}`,
  )
  const table: Record<string, object> = {}
  try {
    for (const [name, url] of Object.entries(urls)) {
      const [brotli, gzip, bare, theirs]: Load[][] = [[], [], [], []]
      for (let round = 0; round < rounds; round += 1) {
        brotli?.push(await hammer(url, BROTLI, seconds))
        gzip?.push(await hammer(url, GZIP, seconds))
        bare?.push(await hammer(`${bareNode.origin}/${name}`, GZIP, seconds))
        if (nginx) theirs?.push(await hammer(`${nginx.origin}/${name}`, GZIP, seconds))
      }
      const [ours, their] = [median(gzip ?? []), median(theirs ?? [])]
      table[`stored ${name} page`] = {
        'brotli requests/s': Math.round(median(brotli ?? [])),
        'gzip requests/s': Math.round(ours),
        'bare Node': Math.round(median(bare ?? [])),
        'nginx, gzip': nginx ? Math.round(their) : '-',
        'of nginx': nginx ? Number((ours / their).toFixed(2)) : '-',
        'generator’s processors': generatorShare([...(gzip ?? []), ...(theirs ?? [])]),
      }
    }
  } finally {
    await bareNode.stop()
    await nginx?.stop()
  }
  console.table(table)
}

async function measureRendered(shop: RunningShop, paths: string[]): Promise<void> {
  const table: Record<string, object> = {}
  const measure = async (name: string, paths: string[]) => {
    const each: Round[] = []
    for (let round = 0; round < LEARNING + RENDERED_ROUNDS; round += 1) {
      await purgeAll(shop)
      each.push(await askOnce(shop.url, paths, AT_ONCE, shop.pid))
    }
    const counted = each.slice(LEARNING)
    const sum = (of: (round: Round) => number) => counted.reduce((total, round) => total + of(round), 0)
    const requests = sum(round => round.requests)
    const perSecond = counted.map(({ requests, seconds }) => Math.round(requests / seconds))
    table[name] = {
      'requests/s': Math.round(requests / sum(round => round.seconds)),
      rounds: `${Math.min(...perSecond)} to ${Math.max(...perSecond)}`,
      'ms CPU each': Number((sum(round => round.cpuMs) / requests).toFixed(2)),
      requests,
      'not rendered': sum(round => round.notRendered),
    }
  }
  await measure('product page', paths)
  await measure('listing page', listingPaths())
  console.log(`\nRendered pages, ${AT_ONCE} requests at once, everything purged before each round`)
  console.table(table)
}

/** Renders all pages repeatedly, and prints the process's memory after each minute. */
async function watchMemory(shop: RunningShop, paths: string[], minutes: number): Promise<void> {
  const resident = [residentMb(shop.pid)]
  for (let minute = 0; minute < minutes; minute += 1) {
    const end = performance.now() + MINUTE_MS
    while (performance.now() < end) {
      await purgeAll(shop)
      await askOnce(shop.url, paths, AT_ONCE, shop.pid)
    }
    resident.push(residentMb(shop.pid))
  }
  console.log(`\nMB in memory after that, and after each minute of rendering: ${resident.join(', ')}`)
}

export async function purgeAll(shop: Pick<RunningShop, 'url'>): Promise<void> {
  const body = JSON.stringify({ id: randomUUID(), tags: null })
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'x-piazza-timestamp': String(timestamp),
    'x-piazza-signature': sign(PURGE_SECRET, timestamp, body),
  }
  const { status } = await fetch(`${shop.url}/internal/purge`, { method: 'POST', headers, body })
  if (status !== 200) throw new Error(`The purge was answered with ${status}`)
}

export async function productPaths(shop: Pick<RunningShop, 'url'>): Promise<string[]> {
  const paths: string[] = []
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${shop.url}/api${queryProducts.path}?pageNumber=${page}`)
    const { products } = (await answer.json()) as { products: { slug: string }[] }
    paths.push(...products.map(({ slug }) => `/product/details/${slug}`))
    if (products.length < RESULTS) return paths
  }
}

/** The path of a product whose thumbnails fit beside each other, so that no script moves them. */
async function fewPictures(shop: RunningShop): Promise<string> {
  const answer = await fetch(`${shop.url}/api${queryProducts.path}`)
  const { products } = (await answer.json()) as { products: { slug: string; images: string[] }[] }
  const found = products.find(({ images }) => images.length <= FIT_ON_A_PHONE)
  if (!found) throw new Error('No product on the first page has few pictures')
  return `/product/details/${found.slug}`
}

/** Paths of different listing pages. */
export function listingPaths(): string[] {
  const paths: string[] = []
  for (const sortPrice of ['low-to-high', 'high-to-low']) {
    for (const layout of ['grid', 'list']) {
      for (let pageNumber = 1; pageNumber <= 15; pageNumber += 1) {
        paths.push(`/products?${new URLSearchParams({ sortPrice, pageNumber: String(pageNumber), layout })}`)
      }
    }
  }
  return paths
}

function median(loads: Load[]): number {
  const sorted = loads.map(({ perSecond }) => perSecond).toSorted((one, other) => one - other)
  return quantile(sorted, 0.5)
}

/** The range of the generator's share of the processors over several loads. */
function generatorShare(loads: Load[]): string {
  const shares = loads.map(({ generator }) => generator)
  return `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}`
}

function formatLoad({ perSecond, p99Ms }: Load): string {
  return `${Math.round(perSecond)} requests/s, p99 ${p99Ms} ms`
}

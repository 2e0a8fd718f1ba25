import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryProducts } from '#contract/catalogue.ts'
import { productPath } from '#contract/page-urls.ts'
import { createApi } from '#lib/create-api.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { market } from '#tests/support/provider/market.ts'
import { type RunningShop, startShop } from '#tests/support/provider/shop.ts'

const REQUESTS = 2600
const SECONDS = 6
const TICK_MS = 20
const RENDERS = 300
const AIM_MS = 250
const VARIANTS = 2048

let shop: RunningShop
let variantIds: string[]
beforeAll(async () => {
  shop = await startShop({ TRUSTED_PROXIES: '1', LIMITS: 'api=100000/1m,search=100000/1m' })
  await addHugeProduct()
})
afterAll(() => shop.stop())

/** Imports a product with as many variants as there may be. */
async function addHugeProduct() {
  const row = { Handle: 'huge', Title: 'Huge shoe', Vendor: 'Huge', 'Option1 Name': 'Size', 'Variant Price': '10' }
  const sizes = Array.from({ length: VARIANTS }, (_, at) => ({ ...row, 'Option1 Value': `${at}` }))
  const file = join(shop.dataDir, 'huge.csv')
  await writeFile(file, stringify(sizes, { header: true }))
  await market(shop, 'import', file, '--stock', '5')
  const api = createApi({ origin: shop.url, fetch: request => fetch(request) })
  const { product } = await api.getProduct({ id: 'huge' })
  expect(product.variants).toHaveLength(VARIANTS)
  variantIds = product.variants.map(({ _id }) => _id)
}

const search = () => `/products/search?value=lamp${performance.now()}`
const variantPage = (at: number) =>
  `${productPath({ slug: 'huge' }, variantIds[at % VARIANTS])}&reviews=${1 + Math.floor(at / VARIANTS)}`

const ask = (path: string, address: string) => fetch(shop.url + path, { headers: { 'x-forwarded-for': address } })

/** Requests pages evenly over the time. Returns the number of responses by status. */
async function flood(pathOf: (at: number) => string, addressOf: (at: number) => string) {
  const counts: Record<number, number> = {}
  const asking: Promise<void>[] = []
  const began = performance.now()
  const askOne = async (at: number) => {
    const { status } = await ask(pathOf(at), addressOf(at))
    counts[status] = (counts[status] ?? 0) + 1
  }
  while (asking.length < REQUESTS) {
    const due = Math.min(REQUESTS, ((performance.now() - began) / 1000) * (REQUESTS / SECONDS))
    while (asking.length < due) asking.push(askOne(asking.length))
    await sleep(TICK_MS)
  }
  await Promise.all(asking)
  return counts
}

/** Returns how long each call took while `work` was running. */
async function timesDuring(work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const over = new AbortController()
  void work.finally(() => over.abort())
  while (!over.signal.aborted) {
    const path = `/api${queryProducts.path}?pageNumber=${1 + (times.length % 5)}`
    expect((await addTime(times, () => ask(path, '5.0.0.1'))).status).toBe(200)
  }
  return times
}

const one = (network: number) => () => `6.${network}.6.6`
const thousands = (network: number) => (at: number) => `6.${network}.${at >> 8}.${at & 255}`

test.each([
  ['searches from one address', search, one(1), RENDERS],
  ['searches from thousands of addresses', search, thousands(2), REQUESTS],
  [`pages of ${VARIANTS} variants from one address`, variantPage, one(3), RENDERS],
  [`pages of ${VARIANTS} variants from thousands of addresses`, variantPage, thousands(4), REQUESTS],
])('many %s do not block the API for others', async (what, pathOf, addressOf, mostRendered) => {
  const flooding = flood(pathOf, addressOf)
  const times = await timesDuring(flooding)
  const { 200: rendered = 0, 429: limited = 0, 503: busy = 0, ...others } = await flooding
  const seen = `${rendered} rendered, ${limited} over the limit, ${busy} turned away`
  printFigure(
    `query-products beside ${REQUESTS} ${what} in ${SECONDS} s (${seen})`,
    spreadOf(times, 95),
    `${AIM_MS} ms`,
  )

  expect(others).toEqual({})
  expect(rendered).toBeLessThanOrEqual(mostRendered)
  expect(rendered + limited + busy).toBe(REQUESTS)
})

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryProducts } from '#contract/catalog.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { type Shop, startShop } from '#tests/support/provider/shop.ts'

const SEARCHES = 2600
const SECONDS = 6
const TICK_MS = 20
const RENDERS = 300
const AIM_MS = 250

let shop: Shop
beforeAll(async () => {
  shop = await startShop({ TRUSTED_PROXIES: '1', LIMITS: 'api=100000/1m,search=100000/1m' })
})
afterAll(() => shop.stop())

const ask = (path: string, address: string) => fetch(shop.url + path, { headers: { 'x-forwarded-for': address } })

/** Requests search result pages evenly over the time. Returns the number of responses by status. */
async function flood(addressOf: (at: number) => string): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const asking: Promise<void>[] = []
  const began = performance.now()
  const search = async (at: number) => {
    const { status } = await ask(`/products/search?value=lamp${performance.now()}`, addressOf(at))
    counts[status] = (counts[status] ?? 0) + 1
  }
  while (asking.length < SEARCHES) {
    const due = Math.min(SEARCHES, ((performance.now() - began) / 1000) * (SEARCHES / SECONDS))
    while (asking.length < due) asking.push(search(asking.length))
    await pause(TICK_MS)
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

test.each([
  ['one address', () => '6.6.6.6', RENDERS],
  ['thousands of addresses', (at: number) => `6.6.${at >> 8}.${at & 255}`, SEARCHES],
])('many searches from %s do not block the API for others', async (from, addressOf, mostRendered) => {
  const searching = flood(addressOf)
  const times = await timesDuring(searching)
  const { 200: rendered = 0, 429: limited = 0, 503: busy = 0, ...others } = await searching
  const seen = `${rendered} rendered, ${limited} over the limit, ${busy} turned away`
  const name = `query-products beside ${SEARCHES} searches in ${SECONDS} s from ${from} (${seen})`
  printFigure(name, spreadOf(times, 95), `${AIM_MS} ms`)

  expect(others).toEqual({})
  expect(rendered).toBeLessThanOrEqual(mostRendered)
  expect(rendered + limited + busy).toBe(SEARCHES)
})

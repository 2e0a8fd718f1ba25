import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { type RunningShop, SHORT_LIVED, startShop } from '#tests/support/provider/shop.ts'

const RENDERS = 5
const more = { TRUSTED_PROXIES: '1', LIMITS: `render=${RENDERS}/1h` }

const data = await makeShopData(inject('postgresUrl') ?? undefined, more)
let shop: RunningShop
let storefront: RunningShop

beforeAll(async () => {
  shop = await startShop(data.environment, { dataDir: data.dataDir, flags: SHORT_LIVED })
  storefront = await startShop({ ...more, DEMO: 'off', PROVIDER_URL: shop.url }, { flags: SHORT_LIVED })
})
afterAll(async () => {
  await storefront.stop()
  await shop.stop()
  await data.remove()
})

let asked = 0
/** Returns the URL of a page that nobody has requested yet. */
const newPage = () => `/products/search?value=${(asked += 1)}`

describe.each([
  ['a shop', () => shop],
  ['a storefront whose provider is elsewhere', () => storefront],
])('%s', (_, shopOf) => {
  const ask = (path: string, address: string) =>
    fetch(shopOf().url + path, { headers: { 'x-forwarded-for': `9.9.9.9, ${address}`, accept: 'text/html' } })

  test('limits rendered pages per address, but not cached pages', async () => {
    const statuses: number[] = []
    for (let at = 0; at < RENDERS; at += 1) statuses.push((await ask(newPage(), '5.0.0.1')).status)
    const refused = await ask(newPage(), '5.0.0.1')

    expect(statuses).toEqual(Array(RENDERS).fill(200))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await refused.text()).toContain('<h1>Too many pages at once</h1>')
    for (let at = 0; at < RENDERS * 2; at += 1) expect((await ask('/', '5.0.0.1')).status).toBe(200)
  })

  test('does not limit another address', async () => {
    for (let at = 0; at <= RENDERS; at += 1) await ask(newPage(), '5.0.0.2')

    expect((await ask(newPage(), '5.0.0.2')).status).toBe(429)
    expect((await ask(newPage(), '5.0.0.3')).status).toBe(200)
  })
})

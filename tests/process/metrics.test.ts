import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { getCategories } from '#contract/catalogue.ts'
import { ROOT } from '#scripts/run.mjs'
import { freePort } from '#tests/support/ports.ts'
import { startShop } from '#tests/support/provider/shop.ts'

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

/** PromQL's own words in queries. */
const WORDS = /^(sum|max|min|rate|increase|by|histogram_quantile|le)$/

const port = await freePort()
const shop = await startShop({ METRICS_PORT: String(port), LOG_LEVEL: 'info' })
afterAll(shop.stop)

/** A busy shop counts a request a moment after its client has received the response. */
const PATIENCE = { timeout: 60_000, interval: 100 }

const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
/** The values of a metric's lines that contain all `parts`. */
const valuesOf = (text: string, name: string, ...parts: string[]) =>
  text
    .split('\n')
    .filter(line => line.startsWith(name) && parts.every(part => line.includes(part)))
    .map(line => Number(line.split(' ').at(-1)))

test('metrics count requests by route and status, and pages from the store', async () => {
  for (const path of ['/', '/', `/api${getCategories.path}`, '/api/no-such-call', '/product/details/no-such-thing'])
    await (await fetch(shop.url + path)).arrayBuffer()

  await vi.waitFor(async () => {
    const text = await scrape()
    expect(valuesOf(text, 'piazza_request_seconds_count', 'route="/"', 'status="200"')).toEqual([2])
    expect(valuesOf(text, 'piazza_request_seconds_count', `route="/api${getCategories.path}"`)).toEqual([1])
    expect(valuesOf(text, 'piazza_request_seconds_count', 'route="/api other"', 'status="404"')).toEqual([1])
    expect(valuesOf(text, 'piazza_request_seconds_count', 'route="/product/…"', 'status="404"')).toEqual([1])
    expect(valuesOf(text, 'piazza_pages_total', 'state="HIT"')[0]).toBeGreaterThanOrEqual(1)
    expect(valuesOf(text, 'piazza_render_seconds_count')[0]).toBeGreaterThan(0)
    expect(valuesOf(text, 'piazza_query_seconds_count')[0]).toBeGreaterThan(0)
  }, PATIENCE)
})

test('robots that ask for made-up addresses make no new routes', async () => {
  const robots = 20
  for (let count = 0; count < robots; count += 1)
    await (await fetch(`${shop.url}/made-up-${count}/${count}`)).arrayBuffer()

  const text = await vi.waitFor(async () => {
    const scraped = await scrape()
    expect(valuesOf(scraped, 'piazza_request_seconds_count', 'route="other"', 'status="404"')).toEqual([robots])
    return scraped
  }, PATIENCE)
  const routes = text.match(/route="[^"]*"/g) ?? []
  expect(routes.filter(route => route.includes('made-up'))).toEqual([])
})

test('metrics have the state of the shop: orders, payments, held units, the database', async () => {
  await vi.waitFor(async () => expect(valuesOf(await scrape(), 'piazza_orders{')).not.toEqual([]), PATIENCE)

  const text = await scrape()
  expect(valuesOf(text, 'piazza_held_units')).toEqual([expect.any(Number)])
  expect(valuesOf(text, 'piazza_database_up')).toEqual([1])
  expect(valuesOf(text, 'piazza_database_connections', 'state="open"')).toEqual([1])
  expect(valuesOf(text, 'piazza_sockets')).toEqual([0])
})

test('the shop itself does not serve its metrics', async () => {
  expect((await fetch(`${shop.url}/metrics`)).status).toBe(404)
})

test('the log has a line for each request at the level info, without the query', async () => {
  await (await fetch(`${shop.url}/about-us?from=letter`, { headers: { 'x-request-id': 'of-the-proxy' } })).arrayBuffer()

  const find = () =>
    shop
      .log()
      .split('\n')
      .find(line => line.includes('"requestId":"of-the-proxy"')) ?? '{}'
  await vi.waitFor(() => expect(JSON.parse(find())).toMatchObject({ path: '/about-us', status: 200 }), PATIENCE)
  expect(find()).not.toContain('letter')
})

/** The queries of the table of alarms. */
function alarms(): string[] {
  const lines = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8').split('\n')
  const from = lines.findIndex(line => line.startsWith('| alarm '))
  const rows = lines.slice(from + 2, lines.indexOf('', from))
  return rows.map(row => (/^\| `([^`]+)`/.exec(row)?.[1] ?? row).replaceAll('\\|', '|'))
}

test('the dashboard and the alarms ask only for metrics that exist', async () => {
  const text = await scrape()
  const names = new Set(Array.from(text.matchAll(/^(\w+)[{ ]/gm), ([, name]) => name))
  /** Those with labels have no values until something has happened. */
  const families = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana.json'), 'utf8')) as Dashboard

  const queries = [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...alarms()]
  expect(alarms().length).toBeGreaterThan(5)
  const asked = queries.flatMap(metricsOf)
  expect(asked.length).toBeGreaterThan(queries.length)
  expect(asked.filter(name => !names.has(name) && !families.has(name))).toEqual([])
})

/** The metrics in a query: its words without ranges, numbers, label filters and the labels that it groups by. */
function metricsOf(expr: string): string[] {
  const words = expr.replaceAll(/\[[^\]]*\]|\{[^}]*\}|by \([^)]*\)/g, '').match(/\b[a-z]\w+/g) ?? []
  return words.filter(word => !WORDS.test(word))
}

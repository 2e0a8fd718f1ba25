import cluster from 'node:cluster'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Instruments } from '#server/platform/instruments.ts'
import { CLIENT_CLOSED_REQUEST } from '#server/http/errors.ts'
import type { Provider } from '#server/provider.ts'
import { countFigures, type Figures } from './figures.ts'
import { routeOf } from './route.ts'
import { answerPrimary, type Listening, serveMetrics } from './endpoint.ts'

export interface Metrics extends Instruments {
  /** Measures a request until its response closes. */
  request(request: IncomingMessage, response: ServerResponse): void
  /** Serves the measurements, or sends them to the primary of a cluster, until the process ends. */
  listen(at: Listening, provider: Provider | null): Promise<void>
}

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/**
 * Minimum interval between counts of orders, no matter how often metrics are requested: in a large shop they take long.
 */
const COUNTED_MS = 30_000

/** Opens the metrics of this process, in Prometheus's format. */
export function openMetrics(log: Pick<Logger, 'warn'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const timing = (name: string, help: string, labelNames: string[] = []) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers })
  /** A gauge for the whole shop, with the same value in every process. */
  const figure = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers, aggregator: 'max' })

  const requests = timing('piazza_request_seconds', 'Requests by route and status', ['route', 'method', 'status'])
  const renders = timing('piazza_render_seconds', 'Rendered pages')
  const queries = timing('piazza_query_seconds', 'Statements of the database that succeeded')
  const pages = new Counter({ name: 'piazza_pages_total', help: 'Pages sent', labelNames: ['state'], registers })
  const connections = new Gauge({
    name: 'piazza_database_connections',
    help: 'Connections of the pool, and requests that wait for one',
    labelNames: ['state'],
    registers,
  })
  const sockets = new Gauge({ name: 'piazza_sockets', help: 'Open sockets of customers and shops', registers })
  const isUp = new Gauge({
    name: 'piazza_database_up',
    help: 'Whether the database has responded within ten seconds',
    registers,
    aggregator: 'min',
  })
  const orders = figure('piazza_orders', 'Orders by status', ['status'])
  const payments = figure('piazza_payment_attempts', 'Payment attempts by status', ['status'])
  const jobs = figure('piazza_jobs', 'Queued jobs by state', ['job', 'state'])
  const heldUnits = figure('piazza_held_units', 'Units that unpaid orders hold')

  function show({ heldUnits: held, ...counted }: Figures): void {
    heldUnits.set(held)
    for (const [name, gauge] of Object.entries({ orders, payments, jobs })) {
      gauge.reset()
      for (const { labels, count } of counted[name as keyof typeof counted]) gauge.set(labels, count)
    }
  }

  let countedAt = -Infinity
  async function collect({ database, realtime }: Provider): Promise<void> {
    isUp.set(Number(database.isAlive()))
    sockets.set(realtime.count())
    for (const [state, count] of Object.entries(database.connections())) connections.set({ state }, count)
    if (performance.now() - countedAt < COUNTED_MS) return
    countedAt = performance.now()
    try {
      show(await countFigures(database.db))
    } catch (error) {
      log.warn({ err: error }, 'the figures of the shop could not be counted')
    }
  }

  /** The count for the current scrape, shared by all gauges that need it. */
  let collecting: Promise<void> | undefined
  function collectBefore(provider: Provider): void {
    const collectOnce = () => (collecting ??= collect(provider).finally(() => (collecting = undefined)))
    for (const gauge of [isUp, sockets, connections, orders, payments, jobs, heldUnits])
      Object.assign(gauge, { collect: collectOnce })
  }

  return {
    request(request, response) {
      const { method = 'GET', url = '/' } = request
      const startedAt = performance.now()
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST
        requests.observe({ route: routeOf(method, url), method, status }, (performance.now() - startedAt) / 1000)
      })
    },
    page: state => pages.inc({ state }),
    render: ms => renders.observe(ms / 1000),
    query: ms => queries.observe(ms / 1000),
    async listen(at, provider) {
      if (provider) collectBefore(provider)
      if (cluster.isWorker) answerPrimary(registry)
      else await serveMetrics(at, registry, log)
    },
  }
}

import cluster from 'node:cluster'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Instruments } from '#server/platform/instruments.ts'
import { CLIENT_CLOSED_REQUEST } from '#server/http/errors.ts'
import type { Database } from '#server/db/types.ts'
import type { Provider } from '#server/provider.ts'
import { PROCESS_NUMBER } from '../cluster.ts'
import { COUNTS, type Figure } from './figures.ts'
import { routeOf } from './route.ts'
import { answerPrimary, type Listening, serveMetrics } from './endpoint.ts'

/** The parts of a provider that are measured. */
type Measured = Pick<Provider, 'database' | 'realtime'>

export interface Metrics extends Instruments {
  /** Measures a request until its response closes. */
  request(request: IncomingMessage, response: ServerResponse): void
  /** Serves the measurements, or sends them to the primary of a cluster, until the process ends. */
  listen(at: Listening, provider: Measured | null): Promise<void>
}

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const INTERNAL_ERROR = 500
/** Minimum interval between counts of a figure, no matter how often metrics are requested. */
const COUNTED_MS = 30_000
/** A count that takes long is made less often: counting takes at most a hundredth of the time. */
const PAUSE_FACTOR = 100

/** Opens the metrics of this process, in Prometheus's format. */
export function openMetrics(log: Pick<Logger, 'warn'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Otherwise the primary would add up what each process uses, and its sums would fall when one is started again.
  if (cluster.isWorker) registry.setDefaultLabels({ process: process.env[PROCESS_NUMBER] })
  collectDefaultMetrics({ register: registry })
  const timing = (name: string, help: string, labelNames: string[] = []) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers })
  /** A gauge for the whole shop, with the same value in every process. */
  const figure = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers, aggregator: 'max' })

  const requests = timing('piazza_request_seconds', 'Requests by route and status', ['route', 'method', 'status'])
  const internalErrors = new Counter({
    name: 'piazza_internal_errors_total',
    help: 'Requests with status 500',
    registers,
  })
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
  const figures: Record<Figure, Gauge> = {
    orders: figure('piazza_orders', 'Orders by status', ['status']),
    payments: figure('piazza_payment_attempts', 'Payment attempts by status', ['status']),
    jobs: figure('piazza_jobs', 'Queued jobs by state', ['job', 'state']),
    heldUnits: figure('piazza_held_units', 'Units that unpaid orders hold'),
    lateRefunds: figure('piazza_late_refunds', 'Refunds that have waited for more than a day'),
  }

  function collectFrom({ database, realtime }: Measured): void {
    Object.assign(isUp, { collect: () => isUp.set(Number(database.isAlive())) })
    Object.assign(sockets, { collect: () => sockets.set(realtime.count()) })
    Object.assign(connections, {
      collect: () =>
        Object.entries(database.connections()).forEach(([state, count]) => connections.set({ state }, count)),
    })
    for (const [name, gauge] of Object.entries(figures)) {
      const count = countAtIntervals({ name: name as Figure, gauge, database, log })
      // A scrape shows the last count and does not wait for the next one: Prometheus gives up after ten seconds.
      Object.assign(gauge, { collect: () => void count() })
    }
  }

  return {
    request(request, response) {
      const { method = 'GET', url = '/' } = request
      const startedAt = performance.now()
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST
        if (status === INTERNAL_ERROR) internalErrors.inc()
        requests.observe({ route: routeOf(method, url), method, status }, (performance.now() - startedAt) / 1000)
      })
    },
    page: state => pages.inc({ state }),
    render: ms => renders.observe(ms / 1000),
    query: ms => queries.observe(ms / 1000),
    async listen(at, provider) {
      if (provider) collectFrom(provider)
      if (cluster.isWorker) answerPrimary(registry)
      else await serveMetrics(at, registry, log)
    },
  }
}

interface Counting {
  name: Figure
  gauge: Gauge
  database: Database
  log: Pick<Logger, 'warn'>
}

/** Returns a function that counts a figure, unless it is being counted or was counted just now. */
function countAtIntervals({ name, gauge, database, log }: Counting): () => Promise<void> {
  let nextAt = -Infinity
  return async () => {
    const startedAt = performance.now()
    if (startedAt < nextAt) return
    nextAt = Infinity
    try {
      const counts = await COUNTS[name](database)
      gauge.reset()
      for (const { labels, count } of counts) gauge.set(labels, count)
    } catch (error) {
      log.warn({ err: error, figure: name }, 'a figure of the shop could not be counted')
    }
    nextAt = startedAt + Math.max(COUNTED_MS, PAUSE_FACTOR * (performance.now() - startedAt))
  }
}

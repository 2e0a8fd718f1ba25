import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Instruments } from '../../platform/instruments.ts'
import type { Provider } from '../../provider.ts'
import { countFigures, type Figures } from './figures.ts'
import { routeOf } from './route.ts'

export interface Metrics extends Instruments {
  /** Measures a request until its response closes. */
  request(request: IncomingMessage, response: ServerResponse): void
  /** Serves what is measured at `/metrics`, for as long as the process lives. */
  listen(at: { host: string; port: number }, provider: Provider | null): Promise<void>
  close(): void
}

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Counting orders takes a while in a large shop: at most so often, however often somebody asks. */
const COUNTED_MS = 30_000
/** nginx's status for a client that has disconnected. */
const CLIENT_CLOSED = 499

/** Opens the metrics of this process, in Prometheus's format. */
export function openMetrics(log: Pick<Logger, 'warn'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const timing = (name: string, help: string, labelNames: string[] = []) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers })
  /** A figure of the whole shop: the same in every process. */
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
  const isUp = figure('piazza_database_up', 'Whether the database has responded within ten seconds')
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

  async function answer(req: IncomingMessage, res: ServerResponse, provider: Provider | null): Promise<void> {
    if (req.url !== '/metrics') {
      res.writeHead(404).end()
      return
    }
    if (provider) await collect(provider)
    const text = await registry.metrics()
    res.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  }

  const server = createServer()
  return {
    request(request, response) {
      const { method = 'GET', url = '/' } = request
      const startedAt = performance.now()
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED
        requests.observe({ route: routeOf(method, url), method, status }, (performance.now() - startedAt) / 1000)
      })
    },
    page: state => pages.inc({ state }),
    render: ms => renders.observe(ms / 1000),
    query: ms => queries.observe(ms / 1000),
    async listen({ host, port }, provider) {
      server.on('request', (req, res) => {
        answer(req, res, provider).catch((error: unknown) => {
          log.warn({ err: error }, 'the metrics could not be sent')
          res.destroy()
        })
      })
      server.listen({ host, port })
      await once(server, 'listening')
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { AggregatorRegistry, type Registry } from 'prom-client'

export interface Listening {
  host: string
  port: number
}

/** Serves the metrics of this process at `/metrics`. */
export function serveMetrics(at: Listening, registry: Registry, log: Pick<Logger, 'warn'>): Promise<void> {
  return serve(at, () => registry.metrics(), log)
}

/** In the primary of a cluster: serves the measurements of all workers, which name themselves in a label. */
export function serveClusterMetrics(at: Listening, log: Pick<Logger, 'warn'>): Promise<void> {
  const workers = new AggregatorRegistry()
  return serve(at, () => workers.clusterMetrics(), log)
}

/** In a worker: sends its metrics to the primary on request. */
export function answerPrimary(registry: Registry): void {
  AggregatorRegistry.setRegistries([registry])
  // The constructor listens for the primary's requests.
  void new AggregatorRegistry()
}

async function serve({ host, port }: Listening, read: () => Promise<string>, log: Pick<Logger, 'warn'>): Promise<void> {
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') {
      res.writeHead(404).end()
      return
    }
    read().then(
      text =>
        res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4', 'cache-control': 'no-store' }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be read')
        res.writeHead(503).end()
      },
    )
  })
  server.listen({ host, port })
  await once(server, 'listening')
  server.unref()
}

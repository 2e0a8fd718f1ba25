import type { Logger } from 'pino'
import type { Lease } from '#server/platform/leases.ts'
import { repeat } from '#server/platform/timers.ts'
import type { CdnConfig } from './config.ts'
import { openDelivery } from './delivery.ts'

interface Options {
  cdn: CdnConfig
  lease: Lease
  log: Pick<Logger, 'warn'>
  batchMs?: number
  retryMs?: number
  renewMs?: number
}

/** Every process has purged its own pages by then: the CDN must not fetch an outdated one again. */
const BATCH_MS = 300
const RETRY_MS = 1000
const RENEW_MS = 4000
/** How long the lease outlasts its process. */
export const LEASE_SECONDS = 12
/** How long changes are remembered, because the last holder of the lease may have died before it sent them. */
const REMEMBERED_MS = 3 * LEASE_SECONDS * 1000
const MAX_REMEMBERED = 5000

/**
 * Tells a CDN what has changed. Every process is notified of each change, and the one with the lease reports it; the
 * others remember the changes of half a minute, in case they have to take over. Without the lease too, each process
 * reports all pages as outdated when it starts, because its build may be new, and when it may have missed changes.
 */
export function openCdnPurger({ cdn, lease, log, ...times }: Options) {
  const { batchMs = BATCH_MS, retryMs = RETRY_MS, renewMs = RENEW_MS } = times
  const { urls, ...service } = cdn
  const deliveries = urls.map(url => openDelivery({ ...service, url, log, batchMs, retryMs }))
  const remembered = new Map<string, number>()
  let forgotAt = -Infinity
  let isHolder = false

  const report = (tag: string | null) => deliveries.forEach(delivery => delivery.add(tag))
  const isBehind = () => deliveries.some(delivery => !delivery.isDone())

  function remember(tag: string): void {
    const now = performance.now()
    remembered.delete(tag)
    remembered.set(tag, now)
    if (remembered.size <= MAX_REMEMBERED) return
    remembered.clear()
    forgotAt = now
  }

  async function renew(): Promise<void> {
    const held = await lease.hold(isBehind())
    isHolder = held !== false
    if (held === false || held === 'kept') return
    const since = performance.now() - REMEMBERED_MS
    if (held.wasBehind || forgotAt > since) report(null)
    else for (const [tag, at] of remembered) if (at > since) report(tag)
    remembered.clear()
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'the lease on purging the CDN could not be renewed')
  const renewing = repeat({ everyMs: renewMs, firstMs: 0, work: renew, onError })
  report(null)

  return {
    /** `null` purges all pages. */
    purge(tag: string | null): void {
      if (tag === null || isHolder) report(tag)
      else remember(tag)
    },
    async close(): Promise<void> {
      await renewing.close()
      await Promise.all(deliveries.map(delivery => delivery.close()))
      if (isHolder) await lease.release(isBehind()).catch(onError)
    },
  }
}

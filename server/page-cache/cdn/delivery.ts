import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { CdnConfig } from './config.ts'
import { ALL_PAGES, keysOfChanges } from './keys.ts'
import { SERVICES } from './services.ts'

interface Options extends Omit<CdnConfig, 'urls'> {
  url: string
  log: Pick<Logger, 'warn'>
  batchMs: number
  retryMs: number
}

const TIMEOUT_MS = 5000
const MAX_WAIT_MS = 60_000
/** With more changes than this, all pages are purged instead. */
const MAX_WAITING = 2000

/** Reports changes to one address: in batches, and again after growing pauses until it has taken them. */
export function openDelivery({ service, url, key, log, batchMs, retryMs }: Options) {
  const { maxKeys, request, reasonOf } = SERVICES[service]
  const waiting = new Set<string>()
  let isEverything = false
  let failures = 0
  let working: Promise<void> | undefined
  const closing = new AbortController()

  const isDone = () => !isEverything && waiting.size === 0

  async function deliverAll(): Promise<void> {
    await pause(batchMs)
    while (!isDone()) {
      const error = await sendBatch()
      failures = error ? failures + 1 : 0
      if (!error) continue
      if (failures === 1) log.warn({ err: error, url }, 'changes could not be reported to the CDN')
      if (closing.signal.aborted) return
      await pause(Math.min(retryMs * 2 ** (failures - 1), MAX_WAIT_MS))
    }
  }

  /** Sends all queued changes, or as many as one request may have. If that fails, queues them again. */
  async function sendBatch(): Promise<Error | null> {
    const all = isEverything || waiting.size > MAX_WAITING
    const tags = [...waiting].slice(0, all ? undefined : maxKeys - 1)
    isEverything = false
    tags.forEach(tag => waiting.delete(tag))
    const error = await post(all ? [ALL_PAGES] : keysOfChanges(tags))
    if (error && all) isEverything = true
    else if (error) tags.forEach(tag => waiting.add(tag))
    return error
  }

  async function post(keys: string[]): Promise<Error | null> {
    try {
      const response = await fetch(request(url, key, keys), { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const text = await response.text()
      if (!response.ok) return new Error(`The CDN responded with ${response.status}`)
      const reason = reasonOf?.(JSON.parse(text))
      return reason ? new Error(`The CDN responded with ${reason}`) : null
    } catch (error) {
      return error as Error
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: closing.signal }).catch(() => undefined)
  }

  return {
    /** `null` purges all pages. */
    add(tag: string | null): void {
      if (tag === null) isEverything = true
      else waiting.add(tag)
      working ??= deliverAll().finally(() => (working = undefined))
    },
    isDone,
    /** Tries once more to send the queued changes. */
    async close(): Promise<void> {
      closing.abort()
      await working
    },
  }
}

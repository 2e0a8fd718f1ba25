import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { sign, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../http/signature.ts'

interface Options {
  /** URLs of the storefronts. */
  urls: string[]
  secret: string
  log: Pick<Logger, 'error'>
  /** Milliseconds to wait before each further try. */
  retryMs?: number[]
}

const BATCH_MS = 50
const TIMEOUT_MS = 5000
/** With more tags, purging everything costs the storefront less than the list. */
const MAX_TAGS = 1000

/**
 * Sends changed tags to storefronts in other processes. Collects the changes of 50 ms into one message, and tries to
 * send it up to four times.
 */
export function createPurgeSender({ urls, secret, log, retryMs = [200, 1000, 5000] }: Options) {
  const waiting = new Set<string>()
  const sending = new Set<Promise<void>>()
  let isEverything = false
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (!isEverything && waiting.size === 0) return
    const tags = isEverything || waiting.size > MAX_TAGS ? null : [...waiting]
    waiting.clear()
    isEverything = false
    for (const url of urls) {
      const delivery: Promise<void> = deliver(url, JSON.stringify({ id: randomUUID(), tags })).finally(() =>
        sending.delete(delivery),
      )
      sending.add(delivery)
    }
  }

  async function deliver(url: string, body: string): Promise<void> {
    for (const wait of [...retryMs, null]) {
      const error = await post(url, body)
      if (!error) return
      if (wait === null) log.error({ err: error, url }, 'a storefront could not be told what changed')
      else await sleep(wait, undefined, { ref: false })
    }
  }

  async function post(url: string, body: string): Promise<Error | null> {
    try {
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = {
        'content-type': 'application/json',
        [TIMESTAMP_HEADER]: String(timestamp),
        [SIGNATURE_HEADER]: sign(secret, timestamp, body),
      }
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(new URL('/internal/purge', url), { method: 'POST', headers, body, signal })
      await response.body?.cancel()
      return response.ok ? null : new Error(`The storefront responded with ${response.status}`)
    } catch (error) {
      return error as Error
    }
  }

  return {
    /** `null` purges everything. */
    send(tag: string | null): void {
      if (tag === null) isEverything = true
      else waiting.add(tag)
      timer ??= setTimeout(flush, BATCH_MS)
    },
    /** Sends the tags collected so far and waits for running deliveries. */
    async close(): Promise<void> {
      flush()
      await Promise.all(sending)
    },
  }
}

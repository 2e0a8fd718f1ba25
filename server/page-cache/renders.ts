import type { Logger } from 'pino'
import { hasNoDescriptors } from '../http/descriptors.ts'
import { openBoundedQueue, QueueFullError } from '../platform/bounded-queue.ts'
import { HTML, pack, type Page, type Rendered, toPage } from './page.ts'
import type { Address } from './key.ts'
import { plainPage } from './plain-page.ts'
import type { Store } from './store.ts'

export type Render = (url: string) => Promise<Rendered>
export type Renders = ReturnType<typeof createRenders>

interface Run {
  changed: Set<string>
  hasAllChanged: boolean
}

const STORABLE_STATUS = new Set([200, 301, 302, 307, 308])
const LAST_RESORT = Buffer.from(plainPage({ title: 'Something went wrong' }))
/** Rendering uses one processor and its database: more at once would only slow down all requests. */
const AT_ONCE = 4
const MAX_WAITING = 64
const MAX_WAIT_MS = 2000

/** Renders pages, a few at a time and each address only once at a time, and stores those that may be stored. */
export function createRenders(render: Render, store: Store, log: Pick<Logger, 'error'>) {
  const running = new Set<Run>()
  const rendering = new Set<Promise<Page | null>>()
  /** Running renders that new requests may share: no change has been purged since they started. */
  const open = new Map<string, Promise<Page | null>>()
  const inTurn = openBoundedQueue({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS })

  async function runInTurn(address: Address): Promise<Page | null> {
    try {
      return await inTurn(() => renderPage(address))
    } catch (error) {
      if (error instanceof QueueFullError) return null
      throw error
    }
  }

  async function renderPage(address: Address): Promise<Page> {
    const { url } = address
    const own: Run = { changed: new Set(), hasAllChanged: false }
    running.add(own)
    try {
      const page = toPage(await render(url))
      if (page.status >= 500) return await asFailure(page)
      if (!mayBeStored(address, page)) {
        page.tags = []
        store.remove(url)
        return page
      }
      await pack(page)
      // Do not store a page that shows data from before a change.
      const isOutdated = own.hasAllChanged || page.tags.some(tag => own.changed.has(tag))
      if (isOutdated) page.isPurged = true
      else store.put(url, page)
      return page
    } catch (error) {
      log.error({ err: error, url }, 'a page could not be rendered')
      return asFailure(toPage({ status: 500, headers: [['content-type', HTML]], body: LAST_RESORT }))
    } finally {
      running.delete(own)
    }
  }

  return {
    /**
     * The page with current data; simultaneous requests share one render. Returns a 500 or 503 page when `render`
     * rejects, and null when the queue is full or the wait too long. Never rejects.
     */
    fresh(address: Address): Promise<Page | null> {
      const already = open.get(address.url)
      if (already) return already
      const started = runInTurn(address).finally(() => {
        rendering.delete(started)
        if (open.get(address.url) === started) open.delete(address.url)
      })
      rendering.add(started)
      open.set(address.url, started)
      return started
    },
    /** Whether `fresh` would share a running render. */
    isUnderWay: ({ url }: Address): boolean => open.has(url),
    /** Resolves when all renders that are running at the time of the call have ended. */
    settled: () => Promise.allSettled(rendering),
    /** Data has changed: pages being rendered may show the old state, so new requests must not share them. */
    purge(tag: string | null): void {
      open.clear()
      for (const each of running) {
        if (tag === null) each.hasAllChanged = true
        else each.changed.add(tag)
      }
    },
  }
}

/**
 * Pages load their code on first use, which fails while the process has no free file descriptor. Such failures pass:
 * 503.
 */
async function asFailure(page: Page): Promise<Page> {
  if (page.status === 500 && (await hasNoDescriptors())) page.status = 503
  return page
}

/** Whether a page is for everyone, and says by its tags which changes make it outdated. */
function mayBeStored({ isStorable }: Address, { status, headers, tags }: Page): boolean {
  const isForEveryone = !headers.some(([name]) => name === 'set-cookie')
  return isStorable && isForEveryone && STORABLE_STATUS.has(status) && tags.length > 0
}

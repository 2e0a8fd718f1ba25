import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { productPath } from '#contract/page-urls.ts'
import type { Db } from '#server/db/types.ts'
import { products } from '#server/db/schema.ts'
import { addProduct } from '../catalogue/catalogue.ts'

const EVERY_MS = 100
/** The first read after a change renders the page, and the others get the stored one. */
const READS = 5
/** A process that cannot listen for changes knows it after ten seconds at the latest (docs/operating.md). */
const DEAF_MS = 10_000

/** Renames a product again and again, and reads its stored page at each process. */
export async function watchPageAges(db: Db, urls: () => string[]) {
  const product = await addProduct(db, { name: nameOf(0) })
  const path = productPath(product)
  /** When each version was replaced by the next one. */
  const replacedAt: number[] = []
  const ending = new AbortController()
  let deafUntil = 0
  let readCount = 0
  let oldestMs = 0

  async function rename(): Promise<void> {
    const name = nameOf(replacedAt.length + 1)
    await db.update(products).set({ name }).where(eq(products.id, product.id))
    replacedAt.push(performance.now())
  }

  /** The version that a process shows, and whether from its memory; null while it cannot be reached. */
  async function read(url: string): Promise<{ version: number; isStored: boolean } | null> {
    try {
      const answer = await fetch(url + path)
      const version = /Version (\d+)/.exec(await answer.text())?.[1]
      return version === undefined
        ? null
        : { version: Number(version), isStored: answer.headers.get('x-cache') === 'HIT' }
    } catch {
      // It is being restarted.
      return null
    }
  }

  async function measure(url: string): Promise<void> {
    const requestedAt = performance.now()
    const page = await read(url)
    if (!page?.isStored || requestedAt < deafUntil) return
    readCount += 1
    oldestMs = Math.max(oldestMs, requestedAt - (replacedAt[page.version] ?? requestedAt))
  }

  async function keepWatching(): Promise<void> {
    for (let at = 0; !ending.signal.aborted; at += 1) {
      // PostgreSQL may be away: then the name stays for longer.
      if (at % READS === 0) await rename().catch(() => undefined)
      await Promise.all(urls().map(measure))
      await sleep(EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  const watching = keepWatching()
  return {
    /** Runs `work`, during which processes may lose their listening connection. Pages may be older until they know. */
    async whileDeaf(work: () => Promise<void>): Promise<void> {
      deafUntil = Infinity
      await work()
      deafUntil = performance.now() + DEAF_MS
    },
    /**
     * Resolves with the oldest stored page, in milliseconds after the change, once every process shows the last change.
     */
    async end(): Promise<{ oldestMs: number; readCount: number }> {
      ending.abort()
      await watching
      await rename()
      for (const url of urls()) await expect.poll(async () => (await read(url))?.version).toBe(replacedAt.length)
      return { oldestMs, readCount }
    },
  }
}

function nameOf(version: number): string {
  return `Version ${version}`
}

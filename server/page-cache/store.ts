import { LRUCache } from 'lru-cache'
import { isVariation } from './key.ts'
import { byteLength, type Page } from './page.ts'

export type Store = ReturnType<typeof createStore>

/** Estimated size of headers, tags, keys and the objects around them. */
const OVERHEAD_BYTES = 2048
/** Variations have at most this part of the store: robots that follow every link ask for thousands. */
const VARIATIONS_SHARE = 1 / 4

const sizeOf = (page: Page, url: string) =>
  byteLength(page) + OVERHEAD_BYTES + 2 * (url.length + page.tags.join().length)

/** Rendered pages in memory by URL, at most `maxBytes`; drops the least recently used first. */
export function createStore(maxBytes: number) {
  const urlsByTag = new Map<string, Set<string>>()
  const pages = new LRUCache<string, Page>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: (page, url) => {
      variations.delete(url)
      page.tags.forEach(tag => forget(tag, url))
    },
  })
  const variations = new LRUCache<string, Page>({
    maxSize: maxBytes * VARIATIONS_SHARE,
    sizeCalculation: sizeOf,
    // Not `dispose`, which runs before the page has left `variations`, and would delete it there again.
    disposeAfter: (_, url, reason) => reason === 'evict' && pages.delete(url),
  })

  function forget(tag: string, url: string): void {
    const urls = urlsByTag.get(tag)
    urls?.delete(url)
    if (urls?.size === 0) urlsByTag.delete(tag)
  }

  return {
    get(url: string): Page | undefined {
      // Marks a variation as recently used.
      variations.get(url)
      return pages.get(url)
    },
    put(url: string, page: Page): void {
      pages.delete(url)
      pages.set(url, page)
      if (isVariation(url)) variations.set(url, page)
      if (!pages.has(url)) return
      for (const tag of page.tags) {
        const urls = urlsByTag.get(tag)
        if (urls) urls.add(url)
        else urlsByTag.set(tag, new Set([url]))
      }
    },
    remove: (url: string): boolean => pages.delete(url),
    /** Marks the pages with this tag (`null`: all) as changed. They stay stored in case rendering them fails. */
    purge(tag: string | null): void {
      if (tag === null) pages.forEach(page => (page.isPurged = true))
      else
        urlsByTag.get(tag)?.forEach(url => {
          const page = pages.peek(url)
          if (page) page.isPurged = true
        })
    },
    clear: (): void => pages.clear(),
    count: (): number => pages.size,
    bytes: (): number => pages.calculatedSize,
    tagCount: (): number => urlsByTag.size,
  }
}

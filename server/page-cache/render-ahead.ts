import type { Logger } from 'pino'
import { pageAddressOf } from './key.ts'
import type { Renders } from './renders.ts'
import type { Store } from './store.ts'

export type Paths = Iterable<string> | AsyncIterable<string>

interface Options {
  store: Store
  renders: Renders
  log: Pick<Logger, 'warn'>
  isClosed: () => boolean
}

const MAX_PAGES = 500
const AT_ONCE = 2

/**
 * Renders up to 500 pages that are not stored yet: the first alone, because a visitor may be waiting for it, then two
 * at a time. Never rejects.
 */
export async function renderAhead(paths: Paths, { store, renders, log, isClosed }: Options): Promise<void> {
  const queue = firstOf(paths)
  const next = async () => {
    const { value: path, done } = await queue.next()
    if (done || isClosed()) return false
    const address = pageAddressOf(path)
    if (address && !store.get(address.url)) await renders.fresh(address)
    return true
  }
  const work = async () => {
    while (await next());
  }
  try {
    await next()
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } catch (error) {
    if (!isClosed()) log.warn({ err: error }, 'not every page could be rendered ahead')
  }
}

async function* firstOf(paths: Paths): AsyncGenerator<string> {
  let count = 0
  for await (const path of paths) {
    if (count++ === MAX_PAGES) return
    yield path
  }
}

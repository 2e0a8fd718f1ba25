import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isPassing } from '#server/db/errors.ts'
import { storeCategories, storeProducts, storeSellers } from '#server/services/catalogue-import.ts'
import type { Db } from '#server/db/open.ts'
import type { ShippingCents, StoredPicture } from '#server/db/schema.ts'
import type { ProductDraft } from '#server/services/catalogue-drafts.ts'
import { countUnshippable, setShippingRates } from '#server/services/shipping.ts'
import { shopSlug } from '#contract/rules.ts'
import { rowsOf } from './csv.ts'
import { linesOf } from './lines.ts'
import { piazzaDrafts } from './piazza.ts'
import { shopifyDrafts } from './shopify.ts'
import { hashIn } from './values.ts'

type Format = 'shopify' | 'json'

interface Progress {
  bytes: number
  products: number
}

interface Options {
  read: Readable
  /** By default told by the file's first character. */
  format?: Format | undefined
  /** Default rates for every shop of the file. */
  shippingRates?: ShippingCents | undefined
  signal?: AbortSignal | undefined
  /** Whether a picture is here already; what another catalogue's pictures are called says nothing here. */
  hasPicture?: (hash: string) => Promise<boolean>
  onProgress?: (progress: Progress) => void
  /** A row that cannot be used; the rest goes on. */
  onProblem: (line: number, reason: string) => void
}

export interface Imported {
  added: number
  changed: number
  unchanged: number
  problems: number
  /** The keys of the shops in the file. */
  shops: string[]
  /** Visible products of these shops that ship to no country. */
  unshippable: number
}

/** Small enough that shoppers hardly wait for it, and far from the longest that a statement may take. */
const BATCH = { products: 100, variants: 1000, characters: 250_000 }
const ATTEMPTS = 3
const PAUSE_MS = 500

/**
 * Reads a catalogue file into the shop, a batch of whole products in a transaction, and goes on after rows that cannot
 * be used. Throws `UnreadableFile` for what is no catalogue, and the signal's reason between batches.
 */
export async function importCatalogue(db: Db, options: Options): Promise<Imported> {
  const { read, shippingRates, signal, onProgress } = options
  const result: Imported = { added: 0, changed: 0, unchanged: 0, problems: 0, shops: [], unshippable: 0 }
  const shops = new Set<string>()
  const onProblem: Options['onProblem'] = (line, reason) => {
    result.problems += 1
    options.onProblem(line, reason)
  }
  let bytes = 0
  let batch: ProductDraft[] = []
  let variants = 0
  let characters = 0

  async function flush(): Promise<void> {
    signal?.throwIfAborted()
    const outcomes = await persistently(() => storeProducts(db, batch))
    for (const outcome of outcomes) result[outcome] += 1
    for (const { shopName } of batch) shops.add(shopName)
    batch = []
    variants = 0
    characters = 0
    onProgress?.({ bytes, products: result.added + result.changed + result.unchanged })
  }

  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of read as AsyncIterable<Buffer | string>) {
      const buffer = Buffer.from(chunk as Buffer)
      bytes += buffer.length
      yield buffer
    }
  }

  const { format, chunks } = await recognise(counted(), options.format)
  const drafts =
    format === 'json' ? piazzaDrafts(chunks, onProblem) : shopifyDrafts(rowsOf(linesOf(chunks), onProblem), onProblem)
  for await (const draft of drafts) {
    if ('hasAi' in draft) {
      await persistently(() => storeSellers(db, [draft]))
      shops.add(draft.shopName)
    } else if (!('handle' in draft)) await persistently(() => storeCategories(db, [draft]))
    else {
      // One transaction must not change a product twice.
      if (draft.isRest && batch.some(({ handle }) => handle === draft.handle)) await flush()
      batch.push({ ...draft, pictures: await ownPictures(draft, options.hasPicture) })
      variants += draft.variants.length
      characters += draft.description.length
    }
    const isFull = batch.length >= BATCH.products || variants >= BATCH.variants || characters >= BATCH.characters
    if (isFull) await flush()
  }
  await flush()
  result.shops = [...new Set([...shops].map(shopSlug))]
  if (shippingRates) await persistently(() => setShippingRates(db, result.shops, shippingRates))
  result.unshippable = await countUnshippable(db, result.shops)
  return result
}

/** A batch is whole or not there at all, so what may pass by is tried again. */
async function persistently<Result>(act: () => Promise<Result>, attempt = 1): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (attempt >= ATTEMPTS || !isPassing(error)) throw error
    await pause(PAUSE_MS * attempt)
    return persistently(act, attempt + 1)
  }
}

/** Addresses of pictures that are here already are no addresses to fetch from; a hash that nothing stands behind is none. */
async function ownPictures({ pictures }: ProductDraft, hasPicture: Options['hasPicture']): Promise<StoredPicture[]> {
  if (!hasPicture) return pictures
  const own = pictures.map(async ({ source, hash = hashIn(source), alt }) => {
    const isHere = hash !== undefined && (await hasPicture(hash))
    const isElsewhere = source !== undefined && !(isHere && hash === hashIn(source))
    return { ...(isHere && { hash }), ...(isElsewhere && { source }), ...(alt && { alt }) }
  })
  return (await Promise.all(own)).filter(picture => picture.hash ?? picture.source)
}

/** The file's format, and its chunks again from the first. */
async function recognise(source: AsyncGenerator<Buffer>, given: Format | undefined) {
  const first = await source.next()
  const start = first.done
    ? ''
    : first.value
        .subarray(0, 200)
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trimStart()
  const format = given ?? (/^[[{]/.test(start) ? 'json' : 'shopify')
  async function* chunks(): AsyncGenerator<Buffer> {
    if (!first.done) yield first.value
    yield* source
  }
  return { format, chunks: chunks() }
}

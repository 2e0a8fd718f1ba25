import type { Readable } from 'node:stream'
import type { Db } from '#server/db/types.ts'
import type { ShippingCents } from '#server/db/schema.ts'
import type { Draft } from '../drafts.ts'
import { countProductsOf } from '../lookup.ts'
import { type Outcome, storeSeller } from '../store-drafts.ts'
import { findShopsWithRates, setShippingRates } from '#server/catalogue/shipping.ts'
import { readDrafts } from './formats.ts'
import { UnreadableFileError } from './lines.ts'
import { type Gap, type Lacking, openGaps } from './gaps.ts'
import { type HasPicture, withOwnPictures } from './own-pictures.ts'
import { type Format, type ReadOptions, UNTRACKED_STOCK } from './read-options.ts'
import { openBatch, storeOther, withRetries } from './storing.ts'
import { shown, spacedOnce } from './values.ts'

interface Progress {
  bytes: number
  products: number
}

interface Options extends Pick<ReadOptions, 'shop' | 'rate' | 'stock' | 'onProblem' | 'onWarning'> {
  read: Readable
  /** By default, the file's first line decides. */
  format?: Format | undefined
  /** Default rates for every shop of the file. */
  shippingRates?: ShippingCents | undefined
  untrackedStock?: number | undefined
  /** Returns the result without changing anything. */
  isDryRun?: boolean
  signal?: AbortSignal | undefined
  /** Whether a picture with this hash is stored; hashes of pictures in another catalogue are dropped. */
  hasPicture?: HasPicture
  onProgress?: (progress: Progress) => void
}

export interface Imported extends Record<Outcome, number> {
  problems: number
  /** The keys of the shops in the file. */
  shops: string[]
  /** The file's shop records by what became of them. */
  shopRecords: Record<Outcome, number>
  /** How many banners replace those of the home page; null if the file has none. */
  banners: number | null
  /** Variants with a default stock, because the file does not count them. */
  untracked: number
  /** Stored variants that the file lacks. They are deleted. */
  deleted: number
  /** Products of the same shops that are not among those of the file. They stay as they are. */
  others: number
  /** The number of products' pictures that are not stored yet. */
  pictures: number
  hidden: number
  /** The visible products of the file that lack something. */
  lacking: Record<Gap, Lacking>
}

/**
 * Imports a catalogue file in batches of whole products, each in one transaction. Reports and skips rows that cannot be
 * used. Throws `UnreadableFileError` if the file is not a catalogue, and the signal's reason between batches.
 */
export async function importCatalogue(db: Db, options: Options): Promise<Imported> {
  const { format, hasPicture, shippingRates, isDryRun = false, signal } = options
  const counts = { added: 0, changed: 0, unchanged: 0, problems: 0, untracked: 0, deleted: 0, pictures: 0 }
  const shopKeys = new Set<string>()
  const shopsOfProducts = new Set<string>()
  /** Products of the file that are stored. */
  let storedCount = 0
  const shopRecords = { added: 0, changed: 0, unchanged: 0 }
  let banners: number | null = null
  const gaps = openGaps()
  const checkName = openNameChecks(options.onWarning)
  let bytes = 0
  const file = counted(options.read, length => (bytes += length))
  const onProblem: Options['onProblem'] = (line, reason) => {
    counts.problems += 1
    options.onProblem(line, reason)
  }
  const batch = openBatch(db, {
    signal,
    isDryRun,
    onStored(stored) {
      for (const each of stored) {
        counts[each.outcome] += 1
        counts.untracked += each.untracked
        counts.deleted += each.deleted
        counts.pictures += each.product.pictures.filter(({ hash }) => !hash).length
        checkName(each.draft.shopName, each.shop)
        shopKeys.add(each.shop.key)
        shopsOfProducts.add(each.shop.key)
        if (!each.draft.isRest && !(isDryRun && each.outcome === 'added')) storedCount += 1
        gaps.addProduct(each)
        for (const reason of each.problems) onProblem(each.draft.line, reason)
      }
      options.onProgress?.({ bytes, products: counts.added + counts.changed + counts.unchanged })
    },
  })

  async function store(draft: Draft): Promise<void> {
    if ('handle' in draft) return batch.add(draft)
    if ('shopName' in draft) {
      const { shop, outcome } = await withRetries(() => storeSeller(db, draft, { isDryRun }))
      shopRecords[outcome] += 1
      checkName(draft.shopName, shop)
      shopKeys.add(shop.key)
      return gaps.addShop(shop.key, draft)
    }
    if ('banners' in draft) banners = draft.banners.length
    if (!isDryRun) await storeOther(db, draft)
  }

  const { untrackedStock = UNTRACKED_STOCK } = options
  try {
    for await (const draft of readDrafts(file, format, { ...options, untrackedStock, onProblem })) {
      const own = hasPicture ? await withOwnPictures(draft, hasPicture) : draft
      if ('banners' in draft && draft.banners.length > 0 && 'banners' in own && own.banners.length === 0)
        onProblem(draft.line, 'the home page keeps its banners: the shop neither has nor can fetch a picture of these')
      else await store(own)
    }
  } catch (error) {
    const done = counts.added + counts.changed + counts.unchanged
    if (!(error instanceof UnreadableFileError) || isDryRun || done === 0) throw error
    const rest = 'but neither their pictures nor the rates of --shipping: fix the file and import it again'
    throw new UnreadableFileError(`${error.message}. The ${done} products before it are stored, ${rest}`)
  }
  await batch.flush()
  const shops = [...shopKeys]
  if (shippingRates && !isDryRun) await withRetries(() => setShippingRates(db, shops, shippingRates))
  const hasNewRates = Object.keys(shippingRates ?? {}).length > 0
  const found = await gaps.result(async keys => (hasNewRates ? keys : findShopsWithRates(db, keys)))
  const others = Math.max(0, (await countProductsOf(db, [...shopsOfProducts])) - storedCount)
  return { ...counts, others, shops, shopRecords, banners, ...found }
}

/** Warns once about each name in the file under which a shop is not known, except for capitals and blanks. */
function openNameChecks(onWarning: Options['onWarning']) {
  const names = new Map<string, string>()
  const reported = new Set<string>()
  return (given: string, { key, shopName }: { key: string; shopName: string }): void => {
    // A dry run has rolled back the shops that its earlier batches added.
    const name = names.get(key) ?? shopName
    names.set(key, name)
    if (reported.has(given) || plain(given) === plain(name)) return
    reported.add(given)
    onWarning(`${shown(given)} is imported into the shop ${shown(name)} (${key})`)
  }
}

function plain(name: string): string {
  return spacedOnce(name).toLowerCase()
}

async function* counted(read: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of read as AsyncIterable<Buffer | string>) {
    const buffer = Buffer.from(chunk as Buffer)
    count(buffer.length)
    yield buffer
  }
}

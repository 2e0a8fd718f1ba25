import type { Readable } from 'node:stream'
import { shopSlug } from '#contract/rules.ts'
import type { Db } from '#server/db/open.ts'
import type { ShippingCents } from '#server/db/schema.ts'
import type { Outcome } from '#server/services/catalogue-import.ts'
import { countUnshippable, setShippingRates } from '#server/services/shipping.ts'
import { type Format, readDrafts } from './formats.ts'
import { type HasPicture, withOwnPictures } from './own-pictures.ts'
import { openBatch, persistently, storeOther } from './storing.ts'

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
  hasPicture?: HasPicture
  onProgress?: (progress: Progress) => void
  /** A row that cannot be used; the rest goes on. */
  onProblem: (line: number, reason: string) => void
}

export interface Imported extends Record<Outcome, number> {
  problems: number
  /** The keys of the shops in the file. */
  shops: string[]
  /** Visible products of these shops that ship to no country. */
  unshippable: number
}

/**
 * Reads a catalogue file into the shop, a batch of whole products in a transaction, and goes on after rows that cannot
 * be used. Throws `UnreadableFile` for what is no catalogue, and the signal's reason between batches.
 */
export async function importCatalogue(db: Db, options: Options): Promise<Imported> {
  const { format, hasPicture, shippingRates } = options
  const counts = { added: 0, changed: 0, unchanged: 0, problems: 0 }
  const shopKeys = new Set<string>()
  let bytes = 0
  const file = counted(options.read, length => (bytes += length))
  const onProblem: Options['onProblem'] = (line, reason) => {
    counts.problems += 1
    options.onProblem(line, reason)
  }
  const batch = openBatch(db, options.signal, outcomes => {
    for (const outcome of outcomes) counts[outcome] += 1
    options.onProgress?.({ bytes, products: counts.added + counts.changed + counts.unchanged })
  })

  for await (const draft of readDrafts(file, format, onProblem)) {
    const own = hasPicture ? await withOwnPictures(draft, hasPicture) : draft
    if ('shopName' in own) shopKeys.add(shopSlug(own.shopName))
    await ('handle' in own ? batch.add(own) : storeOther(db, own))
  }
  await batch.flush()
  const shops = [...shopKeys]
  if (shippingRates) await persistently(() => setShippingRates(db, shops, shippingRates))
  return { ...counts, shops, unshippable: await countUnshippable(db, shops) }
}

async function* counted(read: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of read as AsyncIterable<Buffer | string>) {
    const buffer = Buffer.from(chunk as Buffer)
    count(buffer.length)
    yield buffer
  }
}

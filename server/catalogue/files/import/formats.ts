import type { Draft } from '#server/catalogue/files/drafts.ts'
import { piazzaDrafts } from './piazza.ts'
import type { ReadOptions } from './read-options.ts'
import { shopifyDrafts } from './shopify.ts'
import { COLUMNS, REQUIRED } from './shopify-columns.ts'

export type Format = 'shopify' | 'json'

export const TAKEN_FORMATS = `Piazza takes Shopify's product CSV (with the columns ${REQUIRED.map(column => COLUMNS[column]).join(', ')} at least)
and its own JSON, an array of records such as {"shop": "Clay", "handle": "mug", "name": "Mug", "price": 5, "stock": 3}.`

const LOOKED_AT = 200

/** Reads the drafts of a file. By default, the first character decides the format. */
export async function* readDrafts(
  file: AsyncGenerator<Buffer>,
  given: Format | undefined,
  options: ReadOptions,
): AsyncGenerator<Draft> {
  const first = await file.next()
  const start = first.done ? '' : first.value.subarray(0, LOOKED_AT).toString('utf8')
  async function* chunks(): AsyncGenerator<Buffer> {
    if (!first.done) yield first.value
    yield* file
  }
  yield* (given ?? formatOf(start)) === 'json' ? piazzaDrafts(chunks(), options) : shopifyDrafts(chunks(), options)
}

function formatOf(start: string): Format {
  return /^\uFEFF?\s*[[{]/.test(start) ? 'json' : 'shopify'
}

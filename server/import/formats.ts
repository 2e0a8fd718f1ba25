import type { Draft } from '#server/services/catalogue-drafts.ts'
import { type OnProblem, rowsOf } from './csv.ts'
import { linesOf } from './lines.ts'
import { piazzaDrafts } from './piazza.ts'
import { shopifyDrafts } from './shopify.ts'

export type Format = 'shopify' | 'json'

const LOOKED_AT = 200

/** What a file says, by its format: by default, its first character tells. */
export async function* readDrafts(
  file: AsyncGenerator<Buffer>,
  given: Format | undefined,
  onProblem: OnProblem,
): AsyncGenerator<Draft> {
  const first = await file.next()
  const start = first.done ? '' : first.value.subarray(0, LOOKED_AT).toString('utf8')
  async function* chunks(): AsyncGenerator<Buffer> {
    if (!first.done) yield first.value
    yield* file
  }
  if ((given ?? formatOf(start)) === 'json') yield* piazzaDrafts(chunks(), onProblem)
  else yield* shopifyDrafts(rowsOf(linesOf(chunks()), onProblem), onProblem)
}

function formatOf(start: string): Format {
  return /^\uFEFF?\s*[[{]/.test(start) ? 'json' : 'shopify'
}

import type { Draft, ProductDraft } from '../drafts.ts'
import { type OnProblem, rowsOf } from './csv.ts'
import { googleDrafts } from './google.ts'
import { GOOGLE } from './google-columns.ts'
import { feedItems } from './google-feed.ts'
import { numberedLines, UnreadableFileError } from './lines.ts'
import { piazzaDrafts } from './piazza.ts'
import type { Format, ReadOptions } from './read-options.ts'
import { shopifyDrafts } from './shopify.ts'
import { SHOPIFY } from './shopify-columns.ts'
import { openText } from './start.ts'
import { checkNames, defineTable, type Table } from './table.ts'
import { woocommerceDrafts } from './woocommerce.ts'
import { WOOCOMMERCE } from './woocommerce-columns.ts'

const TABLES = {
  shopify: defineTable(SHOPIFY, shopifyDrafts),
  woocommerce: defineTable(WOOCOMMERCE, woocommerceDrafts),
  google: defineTable(GOOGLE, (items, _, options) => googleDrafts(items, options)),
}

export const TAKEN_FORMATS = `Piazza takes ${Object.values(TABLES)
  .map(({ title, required }) => `${title} (with the columns ${required.join(', ')} at least)`)
  .join(', ')} as TSV or XML,
and its own JSON, an array of records such as {"shop": "Clay", "handle": "mug", "name": "Mug", "price": 5, "stock": 3}.`

const MAX_NAMED = 12

/** Reads the drafts of a file. By default, its first line decides the format. */
export async function* readDrafts(
  file: AsyncGenerator<Buffer>,
  given: Format | undefined,
  options: Omit<ReadOptions, 'onLostRow'>,
): AsyncGenerator<Draft> {
  let hasLostRow = false
  const onLostRow: OnProblem = (line, reason) => {
    hasLostRow = true
    options.onProblem(line, reason)
  }
  // Products yielded before the lost row count as complete: their last row is at least 8 MB above, or their only one.
  for await (const draft of draftsOf(file, given, { ...options, onLostRow }))
    yield hasLostRow && 'handle' in draft ? { ...draft, isPartial: true } : draft
}

async function* draftsOf(
  file: AsyncGenerator<Buffer>,
  given: Format | undefined,
  options: ReadOptions,
): AsyncGenerator<Draft> {
  const { kind, chunks } = await openText(file)
  if ((given ?? kind) === 'json') yield* piazzaDrafts(chunks, options)
  else if (kind === 'xml' && (given ?? 'google') === 'google') yield* googleDrafts(feedItems(chunks, options), options)
  else yield* tableDrafts(chunks, given === undefined || given === 'json' ? undefined : TABLES[given], options)
}

/** Reads a file of rows. By default, its columns decide which table it is. */
async function* tableDrafts(
  chunks: AsyncIterable<Buffer>,
  given: Table | undefined,
  options: ReadOptions,
): AsyncGenerator<ProductDraft> {
  const early: Parameters<OnProblem>[] = []
  let report: OnProblem = (...problem) => void early.push(problem)
  const rows = rowsOf(numberedLines(chunks), (...problem) => report(...problem))
  const first = await rows.next()
  const header = first.done ? undefined : first.value
  const [problem] = early
  // A problem reported before the header means that the header itself cannot be read.
  if (problem && problem[0] < (header?.line ?? Infinity))
    throw new UnreadableFileError(`line ${problem[0]}: ${problem[1]}`)
  if (!header) throw new UnreadableFileError('The file is empty')
  checkNames(header)
  const drafts = chooseTable(header.values, given).read(header, rows, options)
  report = options.onLostRow
  for (const each of early) report(...each)
  yield* drafts
}

/** The table whose required columns a file has. Throws `UnreadableFileError` if there is none. */
function chooseTable(names: string[], given: Table | undefined): Table {
  const known = (given ? [given] : Object.values(TABLES)).map(table => ({ table, missing: table.missing(names) }))
  const least = Math.min(...known.map(shareOf))
  const nearest = known.filter(each => shareOf(each) === least)
  if (least === 0 && nearest[0]) return nearest[0].table
  const lacking = nearest.map(({ table, missing }) => `${missing.text} of ${table.title}`).join('; or ')
  const isOtherwise = names.length === 1 && /[;|]/.test(names[0] ?? '')
  const more = isOtherwise ? ' (the columns must be separated by commas or tabs)' : `. ${describeNames(names)}`
  throw new UnreadableFileError(`The file lacks the columns ${lacking}${more}`)
}

/** The share of its required columns that a file lacks. */
function shareOf({ table, missing }: { table: Table; missing: { count: number } }): number {
  return missing.count / table.required.length
}

function describeNames(names: string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  return `It has ${names
    .slice(0, MAX_NAMED)
    .map(name => name.trim().slice(0, 40))
    .join(', ')}${more}`
}

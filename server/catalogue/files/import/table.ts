import type { ProductDraft } from '../drafts.ts'
import { type Columns, describeMissing, describeUnused, type Header, readHeader } from './columns.ts'
import { BLANK_BESIDE_QUOTE, type OnProblem, type Row } from './csv.ts'
import { UnreadableFileError } from './lines.ts'
import type { ReadOptions } from './read-options.ts'

/** One variant in a file: a row of a table or an item of a feed. */
export interface Item<Column extends string> {
  /** The physical line on which the item begins. */
  line: number
  /** The value of a column; empty if there is none. */
  get: (column: Column) => string
  /** Number of characters. */
  size: number
}

/** A row with as many values as the header has columns. */
export interface TableRow<Column extends string> extends Item<Column> {
  values: string[]
}

const MAX_COLUMNS = 2000
const MAX_NAME_LENGTH = 255

/** A kind of table that can be imported. */
export type Table = ReturnType<typeof defineTable>

export function defineTable<Column extends string>(
  columns: Columns<Column>,
  readRows: (
    rows: AsyncIterable<TableRow<Column>>,
    header: Header<Column>,
    options: ReadOptions,
  ) => AsyncIterable<ProductDraft>,
) {
  const { title, names, required } = columns
  return {
    title,
    required: required.map(column => names[column]),

    /** The required columns that are not among these names: their number, and their names as text. */
    missing(given: string[]): { count: number; text: string } {
      const header = readHeader(columns, given)
      return { count: header.missing.length, text: describeMissing(columns, header) }
    },

    /** The products of the rows below this header. Warns about columns that are not used. */
    read(first: Row, rows: AsyncIterable<Row>, options: ReadOptions): AsyncIterable<ProductDraft> {
      const header = readHeader(columns, first.values)
      for (const reason of describeUnused(columns, header)) options.onWarning(reason)
      return readRows(usableRows(rows, header, options.onLostRow), header, options)
    },
  }
}

/** Throws `UnreadableFileError` for a row that cannot be a header. */
export function checkNames({ line, values }: Row): void {
  if (values.length > MAX_COLUMNS)
    throw new UnreadableFileError(`line ${line}: the header has more than ${MAX_COLUMNS} columns`)
  const longest = values.findIndex(value => value.length > MAX_NAME_LENGTH)
  if (longest >= 0)
    throw new UnreadableFileError(
      `line ${line}: the name of column ${longest + 1} is longer than ${MAX_NAME_LENGTH} characters`,
    )
  if (hasBlankBesideQuote(values)) throw new UnreadableFileError(`line ${line}: ${BLANK_BESIDE_QUOTE}`)
}

async function* usableRows<Column extends string>(
  rows: AsyncIterable<Row>,
  { at, names }: Header<Column>,
  onLostRow: OnProblem,
): AsyncGenerator<TableRow<Column>> {
  for await (const { line, values } of rows) {
    if (hasBlankBesideQuote(values)) onLostRow(line, BLANK_BESIDE_QUOTE)
    else if (values.length !== names.length)
      onLostRow(line, `${values.length} columns where the header has ${names.length}`)
    else {
      const size = values.reduce((sum, value) => sum + value.length, values.length * 8)
      yield { line, values, size, get: column => values[at[column] ?? -1] ?? '' }
    }
  }
}

function hasBlankBesideQuote(values: string[]): boolean {
  return values.some(value => /^[ \t]+"/.test(value))
}

import { BLANK_BESIDE_QUOTE, type Row } from './csv.ts'
import { UnreadableFileError } from './lines.ts'
import { describeGuess, type ReadOptions } from './read-options.ts'
import { COLUMNS, describeMissing, describeUnused, type Header } from './shopify-columns.ts'
import { shown } from './values.ts'

const MOST_NAMED = 12
const MOST_COLUMNS = 2000
const LONGEST_NAME = 255
/** Columns that only WooCommerce's exports have. */
const WOOCOMMERCE = ['Regular price', 'Categories']

/** Warns of unused and missing columns. Throws `UnreadableFileError` for a header that is not Shopify's. */
export function checkHeader(header: Header, { line, values }: Row, options: ReadOptions): void {
  if (values.length > MOST_COLUMNS)
    throw new UnreadableFileError(`line ${line}: the header has more than ${MOST_COLUMNS} columns`)
  const longest = values.findIndex(value => value.length > LONGEST_NAME)
  if (longest >= 0)
    throw new UnreadableFileError(
      `line ${line}: the name of column ${longest + 1} is longer than ${LONGEST_NAME} characters`,
    )
  if (values.some(value => /^[ \t]+"/.test(value))) throw new UnreadableFileError(`line ${line}: ${BLANK_BESIDE_QUOTE}`)
  if (header.missing.length > 0) throw new UnreadableFileError(explain(header, values))
  for (const reason of describeUnused(header)) options.onWarning(reason)
  const hasQuantity = header.at.quantity !== undefined
  const name = shown(COLUMNS.quantity)
  if (hasQuantity && options.stock !== undefined)
    options.onWarning(`--stock is not used: the file has the column ${name}`)
  if (!hasQuantity && options.stock === undefined)
    options.onWarning(describeGuess(`the file has no column ${name}`, options))
}

function explain(header: Header, names: string[]): string {
  const isOtherwise = names.length === 1 && /[;\t|]/.test(names[0] ?? '')
  const hint = isOtherwise ? ' (the columns must be separated by commas)' : ''
  const lacking = `lacks the columns ${describeMissing(header)}${hint}`
  if (WOOCOMMERCE.every(name => names.includes(name)))
    return `The file looks like a WooCommerce export, which cannot be imported yet. It ${lacking}`
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  const has = names.slice(0, MOST_NAMED).map(name => name.trim().slice(0, 40))
  return `The file ${lacking}${isOtherwise ? '' : `. It has ${has.join(', ')}${more}`}`
}

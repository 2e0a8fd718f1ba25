import { CATEGORY_LENGTH } from '#contract/rules.ts'
import type { VariantDraft } from '../drafts.ts'
import { sanitise } from '#server/platform/text.ts'
import type { Header as AnyHeader } from './columns.ts'
import type { ProductFacts } from './open-product.ts'
import { priceToday, type SaleTimes } from './prices.ts'
import type { ReadOptions } from './read-options.ts'
import type { TableRow } from './table.ts'
import { readDescription, readTags } from './texts.ts'
import {
  FieldError,
  MAX_LENGTHS,
  readCents,
  readCode,
  readGrams,
  readStock,
  readText,
  shown,
  spacedOnce,
} from './values.ts'
import { ATTRIBUTE, type Column } from './woocommerce-columns.ts'

export type Header = AnyHeader<Column>
export type Row = TableRow<Column>

export interface Attribute {
  name: string
  /** For a variation: the one chosen value, or none if it stands for any value. */
  values: string[]
  isVisible: boolean
}

/** The stock of a row; null for a variation that shares its parent's. */
export type Units = Pick<VariantDraft, 'stock' | 'sellsWithoutStock' | 'stockGuess'>

const GRAMS = { kilograms: 1000, grams: 1, pounds: 453.592_37, ounces: 28.349_523_125 } as const
const KINDS = ['simple', 'variable', 'variation'] as const
const NO = ['0', '-1', 'no', 'false']

export function readCell({ get }: Row, column: Column): string {
  return unquote(get(column))
}

/** Removes the quote that WooCommerce sets before texts that a spreadsheet would evaluate. */
function unquote(cell: string): string {
  return cell.trim().replace(/^'(?=[=+\-@])/, '')
}

export function readKind(row: Row): (typeof KINDS)[number] {
  const given = readCell(row, 'type')
  if (given === '') return readCell(row, 'parent') === '' ? 'simple' : 'variation'
  const words = splitList(given.toLowerCase())
  const kind = KINDS.find(each => words.includes(each))
  if (!kind) throw new FieldError(`Type ${shown(given)} is not imported, only simple, variable and variation are`)
  return kind
}

/** Whether the product is a file or a service, which nobody can ship. */
export function isImmaterial(row: Row): boolean {
  return /\b(downloadable|virtual)\b/i.test(readCell(row, 'type'))
}

export function isPublished(row: Row): boolean {
  return !NO.includes(readCell(row, 'published').toLowerCase())
}

/** A row's SKU and its id in the exporting shop, which identify it. One of them may be empty. Throws `FieldError`. */
export function readIdentity(row: Row): { sku: string; id: string } {
  return {
    sku: readCode('SKU', readCell(row, 'sku')),
    id: readCode('ID', readCell(row, 'id')),
  }
}

/** `listed` are the attributes that the description shows in a table. Throws `FieldError`. */
export function readProduct(row: Row, listed: Attribute[]): ProductFacts {
  const name = readText('Name', readCell(row, 'name'), MAX_LENGTHS.name)
  if (name === '') throw new FieldError('Name is missing')
  const [category = '', ...categories] = splitList(readCell(row, 'categories')).map(readCategory)
  return {
    name,
    category,
    brand: readText('Brands', splitList(readCell(row, 'brands'))[0] ?? '', MAX_LENGTHS.shop) || undefined,
    description: readDescription('Description', [...readTexts(row), describeAttributes(listed)].join('')),
    tags: readTags([...splitList(readCell(row, 'tags')), ...categories].join()),
    isHidden: !isPublished(row) || readCell(row, 'visibility').toLowerCase() === 'hidden',
  }
}

/** WooCommerce writes prices in the language of the shop. A comma before three digits may stand between thousands. */
function readAmount(row: Row, column: 'price' | 'salePrice'): string {
  return readCell(row, column).replace(/^(\d+),(\d{1,2})$/, '$1.$2')
}

/** The price, weight, picture, SKU and barcode of a row. Throws `FieldError`. */
export function readVariant(row: Row, options: ReadOptions): Omit<VariantDraft, keyof Units | 'options'> {
  const priceCents = readCents('Regular price', readAmount(row, 'price'), options.rate)
  if (priceCents === null) throw new FieldError('Regular price is missing')
  const saleCents = readCents('Sale price', readAmount(row, 'salePrice'), options.rate)
  return {
    sku: readIdentity(row).sku,
    barcode: readCode('GTIN', readCell(row, 'barcode')),
    price: priceToday(priceCents, saleCents, readSaleTimes(row)),
    weightGrams: readWeight(row),
    picture: null,
  }
}

export function readWeight(row: Row): number | null {
  for (const column of ['kilograms', 'grams', 'pounds', 'ounces'] as const) {
    const weight = readCell(row, column).replace(/^(\d+),(\d+)$/, '$1.$2')
    const grams = readGrams('Weight', weight, GRAMS[column])
    if (grams !== null) return grams
  }
  return null
}

export function readSaleTimes(row: Row): SaleTimes {
  return {
    from: readDate('Date sale price starts', readCell(row, 'saleStarts'), 'T00:00:00Z'),
    until: readDate('Date sale price ends', readCell(row, 'saleEnds'), 'T23:59:59Z'),
  }
}

/** The stock of a row; null for a variation that shares its parent's stock. Throws `FieldError`. */
export function readUnits(row: Row, { at }: Header, { stock, untrackedStock }: ReadOptions): Units | null {
  const given = readCell(row, 'stock').toLowerCase()
  if (given === 'parent') return null
  const inStock = readCell(row, 'inStock').toLowerCase()
  const isBackordered = inStock === 'backorder' || !['', ...NO].includes(readCell(row, 'backorders').toLowerCase())
  const sellsWithoutStock = isBackordered || (at.backorders === undefined ? undefined : false)
  if (given !== '') return { stock: readStock('Stock', given), sellsWithoutStock }
  if (NO.includes(inStock)) return { stock: 0, sellsWithoutStock: false }
  if (at.stock === undefined) {
    const units = { stock: stock ?? untrackedStock, sellsWithoutStock }
    return stock === undefined ? { ...units, stockGuess: inStock === '' ? 'unknown' : 'in stock' } : units
  }
  // Without a quantity, the seller does not count the stock.
  return { stock: stock ?? 0, sellsWithoutStock: stock === undefined }
}

/** Returns a function that reads the attributes of a row, in the order of their numbers. */
export function openAttributes({ extra }: Header): (row: Row) => Attribute[] {
  const numbered = new Map<number, Partial<Record<string, number>>>()
  for (const [index, title] of extra) {
    const [, number, part] = ATTRIBUTE.exec(title) ?? []
    if (number === undefined || part === undefined) continue
    numbered.set(Number(number), { ...numbered.get(Number(number)), [part.toLowerCase()]: index })
  }
  const columns = [...numbered].toSorted(([a], [b]) => a - b).map(([, parts]) => parts)
  return ({ values }) =>
    columns.flatMap(parts => {
      const cellOf = (part: string) => unquote(values[parts[part] ?? -1] ?? '')
      const name = readText('Attribute name', cellOf('name'), MAX_LENGTHS.option)
      if (name === '') return []
      const own = splitList(readText(name, cellOf('value(s)'), MAX_LENGTHS.extra))
      const isVisible = !NO.includes(cellOf('visible'))
      return [{ name, isVisible, values: own.map(value => readText(name, value, MAX_LENGTHS.option)) }]
    })
}

/** Splits a list at its commas, except escaped ones. */
export function splitList(given: string): string[] {
  return given
    .split(/(?<!\\),/)
    .map(part => part.replaceAll('\\,', ',').replaceAll('&amp;', '&').trim())
    .filter(Boolean)
}

/** The last part of a path such as 'Clothing > Shirts'. */
function readCategory(path: string): string {
  return spacedOnce(readText('Categories', path.split('>').at(-1) ?? '', CATEGORY_LENGTH))
}

function readTexts(row: Row): string[] {
  const read = (name: string, given: string) => readDescription(name, unescapeLines(given), { isWordPress: true })
  return [
    read('Short description', readCell(row, 'shortDescription')),
    read('Description', readCell(row, 'description')),
  ]
}

/** WooCommerce writes line breaks as \n, and \n itself as \\n. */
function unescapeLines(text: string): string {
  return text.replace(/\\\\n|\\n/g, found => (found === '\\n' ? '\n' : '\\n'))
}

function describeAttributes(listed: Attribute[]): string {
  const rows = listed
    .filter(({ isVisible, values }) => isVisible && values.length > 0)
    .map(({ name, values }) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(values.join(', '))}</td></tr>`)
  return rows.length === 0 ? '' : sanitise(`<table><tbody>${rows.join('')}</tbody></table>`)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function readDate(name: string, text: string, ofDay: string): Date | null {
  if (text === '') return null
  const [, day = '', time = ''] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?/.exec(text) ?? []
  const date = new Date(`${day}${time === '' ? ofDay : `T${time}Z`}`)
  if (Number.isNaN(date.getTime())) throw new FieldError(`${name} ${shown(text)} is not a date such as 2026-12-31`)
  return date
}

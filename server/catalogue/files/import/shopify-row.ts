import { CATEGORY_LENGTH } from '#contract/rules.ts'
import type { StoredPicture } from '#server/db/schema.ts'
import type { VariantDraft } from '../drafts.ts'
import type { Header as AnyHeader } from './columns.ts'
import type { PictureRow, ProductFacts as AnyFacts } from './open-product.ts'
import type { ReadOptions } from './read-options.ts'
import type { Column } from './shopify-columns.ts'
import type { TableRow } from './table.ts'
import { readDescription, readTags } from './texts.ts'
import {
  FieldError,
  MAX_LENGTHS,
  readAddress,
  readBoolean,
  readCents,
  readCode,
  readGrams,
  readStock,
  readText,
  shown,
  spacedOnce,
} from './values.ts'

export type Header = AnyHeader<Column>
/** Returns the value of a column in a row; empty if the file has no such column. */
export type Get = (column: Column) => string

export interface ProductFacts extends AnyFacts {
  optionNames: string[]
}

/** Reads a product's first row. With `options.shop`, vendors become brands. Throws `FieldError`. */
export function readProduct(get: Get, { at }: Header, { shop }: ReadOptions): ProductFacts {
  const vendor = shop === undefined ? '' : readText('Vendor', get('vendor'), MAX_LENGTHS.shop)
  return {
    name: readText('Title', get('title'), MAX_LENGTHS.name),
    ...(at.type !== undefined && { category: spacedOnce(readText('Type', get('type'), CATEGORY_LENGTH)) }),
    brand: readText('Brand', get('brand'), MAX_LENGTHS.shop) || vendor || undefined,
    ...(at.body !== undefined && { description: readDescription('Body (HTML)', get('body')) }),
    ...(at.tags !== undefined && { tags: readTags(get('tags')) }),
    ...((at.published !== undefined || at.status !== undefined) && {
      isHidden: readBoolean('Published', get('published')) === false || !isActive(get('status')),
    }),
    optionNames: ([1, 2, 3] as const).map(n => readText(`Option${n} Name`, get(`option${n}Name`), MAX_LENGTHS.option)),
  }
}

/** Reads a row's variant without its picture; null if the row only has a picture. Throws `FieldError`. */
export function readVariant(
  { get, values }: TableRow<Column>,
  header: Header,
  optionNames: string[],
  options: ReadOptions,
): VariantDraft | null {
  const choices = readOptions(get, optionNames)
  const isPictureOnly =
    choices.length === 0 && ['title', 'price', 'sku'].every(name => get(name as Column).trim() === '')
  if (isPictureOnly && get('imageSrc').trim() !== '') return null
  const { at } = header
  const priceCents = readCents('Variant Price', get('price'), options.rate)
  if (priceCents === null) throw new FieldError('Variant Price is missing')
  return {
    options: isDefault(choices) ? [] : choices,
    ...(at.sku !== undefined && { sku: readCode('Variant SKU', get('sku')) }),
    ...(at.barcode !== undefined && { barcode: readCode('Variant Barcode', get('barcode')) }),
    price: {
      paidCents: priceCents,
      compareAtCents: readCents('Variant Compare At Price', get('compareAt'), options.rate),
    },
    stock: readUnits(get, header, options),
    ...(header.at.quantity === undefined && options.stock === undefined && { stockGuess: 'unknown' }),
    sellsWithoutStock: isSoldWithoutStock(get, header),
    ...(at.grams !== undefined && { weightGrams: readGrams('Variant Grams', get('grams')) }),
    ...(header.extra.length > 0 && { extra: readExtra(values, header), extraColumns: header.names }),
  }
}

/**
 * Whether Shopify sells this variant even at quantity 0: by its inventory policy, or because it has no tracker.
 * Undefined if the file has no column for it.
 */
function isSoldWithoutStock(get: Get, { at }: Header): boolean | undefined {
  if (at.quantity === undefined) return undefined
  if (at.tracker !== undefined && get('tracker').trim() === '') return true
  return at.policy === undefined ? undefined : ['continue', 'true'].includes(get('policy').trim().toLowerCase())
}

/** May be negative. */
function readUnits(get: Get, { at }: Header, options: ReadOptions): number {
  if (at.quantity === undefined) return options.stock ?? options.untrackedStock
  return readStock('Variant Inventory Qty', get('quantity'))
}

/** The picture of a row's variant; null if it has none. Throws `FieldError`. */
export function readVariantPicture(get: Get): StoredPicture | null {
  const source = get('variantImage').trim()
  return source === '' ? null : { source: readAddress('Variant Image', source) }
}

/** The picture of a row; null if it has none. Throws `FieldError`. */
export function readPicture(get: Get, { at }: Header): PictureRow | null {
  if (get('imageSrc').trim() === '') return null
  const alt = readText('Image Alt Text', get('imageAlt'), MAX_LENGTHS.alt)
  const position = /^\d{1,6}$/.test(get('imagePosition').trim()) ? Number(get('imagePosition')) : null
  return { source: readAddress('Image Src', get('imageSrc')), ...(at.imageAlt !== undefined && { alt }), position }
}

function readOptions(get: Get, optionNames: string[]): [string, string][] {
  const options: [string, string][] = []
  for (const n of [1, 2, 3] as const) {
    const value = readText(`Option${n} Value`, get(`option${n}Value`), MAX_LENGTHS.option)
    if (value !== '') options.push([optionNames[n - 1] || `Option ${n}`, value])
  }
  return options
}

/** Shopify writes this option for a product without options. */
function isDefault(options: [string, string][]): boolean {
  return options.length === 1 && options[0]?.[1] === 'Default Title'
}

/** Whether Shopify's status of a product shows it to shoppers. Throws `FieldError`. */
function isActive(given: string): boolean {
  const status = given.trim().toLowerCase()
  if (['', 'active'].includes(status)) return true
  if (['draft', 'archived', 'unlisted'].includes(status)) return false
  throw new FieldError(`Status ${shown(given.trim())} is none of active, draft, archived and unlisted`)
}

function readExtra(values: string[], { extra }: Header): Record<string, string> {
  const given = extra.flatMap(([index, name]): [string, string][] => {
    const value = readText(name, values[index] ?? '', MAX_LENGTHS.extra)
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}

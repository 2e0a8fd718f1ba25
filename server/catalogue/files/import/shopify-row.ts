import { CATEGORY_LENGTH } from '#contract/rules.ts'
import type { StoredPicture } from '#server/db/schema.ts'
import type { VariantDraft } from '#server/catalogue/files/drafts.ts'
import { hasTooManyTags, MOST_HTML_TAGS, sanitise } from '#server/platform/text.ts'
import type { ReadOptions } from './read-options.ts'
import type { Column, Header } from './shopify-columns.ts'
import {
  FieldError,
  readAddress,
  readBoolean,
  readCents,
  readGrams,
  readStock,
  readText,
  spacedOnce,
} from './values.ts'

export const LONGEST = { name: 255, shop: 100, tag: 255, option: 255, description: 100_000, extra: 10_000, alt: 1000 }
const MOST_TAGS = 250

/** Returns the value of a column in a row; empty if the file has no such column. */
export type Get = (column: Column) => string

export interface ProductFacts {
  name: string
  category: string
  brand: string | undefined
  description: string
  tags: string[]
  isHidden: boolean
  optionNames: string[]
}

export interface PictureRow extends StoredPicture {
  position: number | null
}

/** Reads a product's first row. With `options.shop`, vendors become brands. Throws `FieldError`. */
export function readProduct(get: Get, { shop }: ReadOptions): ProductFacts {
  const vendor = shop === undefined ? '' : readText('Vendor', get('vendor'), LONGEST.shop)
  return {
    name: readText('Title', get('title'), LONGEST.name),
    category: spacedOnce(readText('Type', get('type'), CATEGORY_LENGTH)),
    brand: readText('Brand', get('brand'), LONGEST.shop) || vendor || undefined,
    description: readDescription(get('body')),
    tags: readTags(get('tags')),
    isHidden: readBoolean('Published', get('published')) === false || !isActive(get('status')),
    optionNames: ([1, 2, 3] as const).map(n => readText(`Option${n} Name`, get(`option${n}Name`), LONGEST.option)),
  }
}

/** Reads a row's variant; null if the row only has a picture. Throws `FieldError`. */
export function readVariant(
  get: Get,
  values: string[],
  header: Header,
  optionNames: string[],
  options: ReadOptions,
): VariantDraft | null {
  const choices = readOptions(get, optionNames)
  const isPictureOnly =
    choices.length === 0 && ['title', 'price', 'sku'].every(name => get(name as Column).trim() === '')
  if (isPictureOnly && get('imageSrc').trim() !== '') return null
  const priceCents = readCents('Variant Price', get('price'), options.rate)
  if (priceCents === null) throw new FieldError('Variant Price is missing')
  const sellsWithoutStock = isSoldWithoutStock(get, header)
  return {
    options: isDefault(choices) ? [] : choices,
    sku: readText('Variant SKU', get('sku'), LONGEST.option),
    barcode: readText('Variant Barcode', get('barcode'), LONGEST.option),
    price: {
      paidCents: priceCents,
      compareAtCents: readCents('Variant Compare At Price', get('compareAt'), options.rate),
    },
    stock: readUnits(get, header, { ...options, sellsWithoutStock }),
    sellsWithoutStock,
    weightGrams: readGrams('Variant Grams', get('grams')),
    picture: readVariantPicture(get),
    extra: readExtra(values, header),
  }
}

/** Whether Shopify sells this variant whatever its quantity: its policy says so, or nobody counts it. */
function isSoldWithoutStock(get: Get, { at }: Header): boolean {
  if (at.quantity === undefined) return false
  const hasNoTracker = at.tracker !== undefined && get('tracker').trim() === ''
  return hasNoTracker || ['continue', 'true'].includes(get('policy').trim().toLowerCase())
}

function readUnits(get: Get, { at }: Header, options: ReadOptions & { sellsWithoutStock: boolean }): number {
  if (at.quantity === undefined) return options.stock ?? options.untrackedStock
  const units = readStock('Variant Inventory Qty', get('quantity'))
  // Sellers' files have negative stocks for oversold products.
  return options.sellsWithoutStock ? units : Math.max(0, units)
}

function readVariantPicture(get: Get): StoredPicture | null {
  const source = get('variantImage').trim()
  return source === '' ? null : { source: readAddress('Variant Image', source) }
}

/** The picture of a row; null if it has none. Throws `FieldError`. */
export function readPicture(get: Get): PictureRow | null {
  if (get('imageSrc').trim() === '') return null
  const alt = readText('Image Alt Text', get('imageAlt'), LONGEST.alt)
  const position = /^\d{1,6}$/.test(get('imagePosition').trim()) ? Number(get('imagePosition')) : null
  return { source: readAddress('Image Src', get('imageSrc')), ...(alt && { alt }), position }
}

function readDescription(given: string): string {
  const html = readText('Body (HTML)', given, LONGEST.description)
  if (hasTooManyTags(html)) throw new FieldError(`Body (HTML) holds more than ${MOST_HTML_TAGS} tags`)
  return sanitise(html)
}

function readTags(given: string): string[] {
  const tags = readText('Tags', given, LONGEST.extra)
    .split(',')
    .map(tag => tag.trim())
    .filter(Boolean)
  if (tags.length > MOST_TAGS) throw new FieldError(`Tags are more than ${MOST_TAGS}`)
  if (tags.some(tag => tag.length > LONGEST.tag)) throw new FieldError(`A tag is longer than ${LONGEST.tag} characters`)
  return [...new Set(tags)]
}

function readOptions(get: Get, optionNames: string[]): [string, string][] {
  const options: [string, string][] = []
  for (const n of [1, 2, 3] as const) {
    const value = readText(`Option${n} Value`, get(`option${n}Value`), LONGEST.option)
    if (value !== '') options.push([optionNames[n - 1] || `Option ${n}`, value])
  }
  return options
}

/** Shopify writes this option for a product without options. */
function isDefault(options: [string, string][]): boolean {
  return options.length === 1 && options[0]?.[1] === 'Default Title'
}

function isActive(status: string): boolean {
  return ['', 'active'].includes(status.trim().toLowerCase())
}

function readExtra(values: string[], { extra }: Header): Record<string, string> {
  const given = extra.flatMap(([index, name]): [string, string][] => {
    const value = readText(name, values[index] ?? '', LONGEST.extra)
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}

import { CATEGORY_LENGTH } from '#contract/rules.ts'
import type { VariantDraft } from '../drafts.ts'
import type { Column } from './google-columns.ts'
import { UnreadableFileError } from './lines.ts'
import type { ProductFacts } from './open-product.ts'
import { describeSaleTimes, priceToday, type SaleTimes } from './prices.ts'
import { describeGuess, type ReadOptions, type Warn } from './read-options.ts'
import type { Item as AnyItem } from './table.ts'
import { readDescription } from './texts.ts'
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

export type Item = AnyItem<Column>

/** Reads a price in US cents; null if empty. Throws `FieldError`. */
export type ReadMoney = (item: Item, column: 'price' | 'salePrice') => number | null

const NAMES = { price: 'price', salePrice: 'sale_price' } as const
/** Columns under which a Shopify export writes the attributes that Piazza does not use. */
const CARRIED = {
  mpn: 'Google Shopping / MPN',
  condition: 'Google Shopping / Condition',
  gender: 'Google Shopping / Gender',
  ageGroup: 'Google Shopping / Age Group',
  category: 'Google Shopping / Google Product Category',
} as const
/** Currencies whose unit has a thousand parts. */
const THOUSANDTHS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])
const GRAMS = { kg: 1000, g: 1, lb: 453.592_37, oz: 28.349_523_125 } as const
const AVAILABILITIES = ['in_stock', 'out_of_stock', 'preorder', 'backorder']

/**
 * Returns a function that reads prices such as '22.91 USD', 'USD 22.91' or '22.91USD', in cents. Throws
 * `UnreadableFileError` if the first one needs a rate that the operator has not given.
 */
export function openMoney({ rate }: ReadOptions): ReadMoney {
  let currency: string | undefined
  return ({ line, get }, column) => {
    const name = NAMES[column]
    const given = readText(name, get(column), MAX_LENGTHS.option)
    const [, before, amount = '', after] = /^([a-z]{3}(?![a-z]))?\s*(.*?)\s*((?<![a-z])[a-z]{3})?$/is.exec(given) ?? []
    const own = (before ?? after)?.toUpperCase()
    const isInThousandths = own !== undefined && THOUSANDTHS.has(own) && /^\d+\.\d{3}$/.test(amount)
    const cents = isInThousandths
      ? readCents(name, amount.replace('.', ''), (rate ?? 1) / 1000)
      : readCents(name, amount, rate)
    if (own !== undefined && currency === undefined) checkCurrency(line, own, rate)
    currency ??= own
    if (own !== undefined && own !== currency)
      throw new FieldError(`${name} ${shown(given)} is not in ${currency}, as those before it are`)
    return cents
  }
}

function checkCurrency(line: number, currency: string, rate: number | undefined): void {
  if (currency !== 'USD' && rate === undefined)
    throw new UnreadableFileError(
      `line ${line}: the prices are in ${currency}: say with --rate what one ${currency} is worth in US dollars`,
    )
  if (currency === 'USD' && rate !== undefined && rate !== 1)
    throw new UnreadableFileError(`line ${line}: the prices are in USD: leave --rate out`)
}

/**
 * An item's id, and the group id that all variants of its product share; empty without a group. Throws `FieldError`.
 */
export function readIdentity({ get }: Item): { id: string; group: string } {
  const id = readCode('id', get('id'), MAX_LENGTHS.name)
  if (id === '') throw new FieldError('id is missing')
  return { id, group: readCode('item_group_id', get('group'), MAX_LENGTHS.name) }
}

/** Throws `FieldError`. */
export function readTitle({ get }: Item): string {
  const title = spacedOnce(readText('title', get('title'), MAX_LENGTHS.name))
  if (title === '') throw new FieldError('title is missing')
  return title
}

/** Throws `FieldError`. */
export function readFacts({ get }: Item, name: string): ProductFacts {
  const kind = get('kind').trim() || get('category').replace(/^\s*\d+\s*$/, '')
  return {
    name,
    category: spacedOnce(readText('product_type', kind.split('>').at(-1) ?? '', CATEGORY_LENGTH)) || undefined,
    brand: readText('brand', get('brand'), MAX_LENGTHS.shop) || undefined,
    description: readDescription('description', get('description')) || undefined,
  }
}

/** An item as a variant, without its options and picture. Throws `FieldError`. */
export function readVariant(item: Item, readMoney: ReadMoney, options: ReadOptions, warn: Warn): VariantDraft {
  const { line, get } = item
  const priceCents = readMoney(item, 'price')
  if (priceCents === null) throw new FieldError('price is missing')
  const times = readSaleTimes(get('saleTimes').trim())
  if (times.from || times.until) warn(describeSaleTimes(line), 'sale times')
  const units = readUnits(item, options)
  if (units.stockGuess) warn(describeGuess(`line ${line}: the item has no quantity`, options), 'quantity')
  return {
    options: [],
    sku: readIdentity(item).id,
    barcode: readCode('gtin', get('gtin')) || undefined,
    price: priceToday(priceCents, readMoney(item, 'salePrice'), times),
    ...units,
    weightGrams: readWeight(readText('shipping_weight', get('weight'), MAX_LENGTHS.option)) ?? undefined,
    extra: readExtra(item),
    extraColumns: [],
  }
}

/** The URLs of an item's pictures, the main one first. */
export function picturesOf({ get }: Item): string[] {
  const [first, more] = [get('picture').trim(), get('pictures').split(/,(?=\s*https?:)/)]
  return [first, ...more.map(address => address.trim())].filter(Boolean)
}

function readUnits(
  { get }: Item,
  options: ReadOptions,
): Pick<VariantDraft, 'stock' | 'sellsWithoutStock' | 'stockGuess'> {
  const { stock, untrackedStock } = options
  const given = get('availability').trim()
  const availability = given.toLowerCase().replace(/[\s_-]+/g, '_')
  if (given !== '' && !AVAILABILITIES.includes(availability))
    throw new FieldError(`availability ${shown(given)} is none of ${AVAILABILITIES.join(', ')}`)
  if (availability === 'out_of_stock') return { stock: 0, sellsWithoutStock: false }
  const isOrdered = availability === 'preorder' || availability === 'backorder'
  const sellsWithoutStock = availability === '' ? undefined : isOrdered
  const quantity = get('quantity').trim()
  if (quantity !== '' || isOrdered) return { stock: Math.max(0, readStock('quantity', quantity)), sellsWithoutStock }
  if (stock !== undefined) return { stock, sellsWithoutStock }
  return { stock: untrackedStock, sellsWithoutStock, stockGuess: given === '' ? 'unknown' : 'in stock' }
}

/** Parses two times with UTC offsets, separated by a slash. */
function readSaleTimes(given: string): SaleTimes {
  if (given === '') return { from: null, until: null }
  const [from = new Date(NaN), until = new Date(NaN)] = given
    .split('/')
    .map(text => new Date(text.trim().replace(/([+-]\d{2})(\d{2})$/, '$1:$2')))
  if (Number.isNaN(from.getTime()) || Number.isNaN(until.getTime()))
    throw new FieldError(
      `sale_price_effective_date ${shown(given)} is not two times such as 2026-11-23T00:00Z/2026-11-30T00:00Z`,
    )
  return { from, until }
}

function readWeight(given: string): number | null {
  const [, amount = given, unit = 'g'] = /^(.*?)\s*(kg|g|lb|oz)s?$/i.exec(given) ?? []
  return readGrams('shipping_weight', amount, GRAMS[unit.toLowerCase() as keyof typeof GRAMS])
}

function readExtra({ get }: Item): Record<string, string> {
  const given = Object.entries(CARRIED).flatMap(([column, name]): [string, string][] => {
    const value = readText(name, get(column as Column), MAX_LENGTHS.extra)
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}

import { guessName } from './near-misses.ts'
import { shown } from './values.ts'

/** The columns of a Shopify product CSV that Piazza uses, by their classic names. */
export const COLUMNS = {
  handle: 'Handle',
  title: 'Title',
  body: 'Body (HTML)',
  vendor: 'Vendor',
  type: 'Type',
  tags: 'Tags',
  published: 'Published',
  status: 'Status',
  option1Name: 'Option1 Name',
  option1Value: 'Option1 Value',
  option2Name: 'Option2 Name',
  option2Value: 'Option2 Value',
  option3Name: 'Option3 Name',
  option3Value: 'Option3 Value',
  sku: 'Variant SKU',
  tracker: 'Variant Inventory Tracker',
  quantity: 'Variant Inventory Qty',
  policy: 'Variant Inventory Policy',
  barcode: 'Variant Barcode',
  grams: 'Variant Grams',
  price: 'Variant Price',
  compareAt: 'Variant Compare At Price',
  imageSrc: 'Image Src',
  imagePosition: 'Image Position',
  imageAlt: 'Image Alt Text',
  variantImage: 'Variant Image',
  brand: 'Brand (product.metafields.custom.brand)',
} as const

export type Column = keyof typeof COLUMNS

export const REQUIRED: Column[] = ['handle', 'title', 'price']

/** Names of the same columns in newer Shopify templates, in lower case. */
const NEWER: Partial<Record<string, Column>> = {
  'url handle': 'handle',
  description: 'body',
  'published on online store': 'published',
  sku: 'sku',
  price: 'price',
  'compare-at price': 'compareAt',
  'inventory tracker': 'tracker',
  'inventory quantity': 'quantity',
  'continue selling when out of stock': 'policy',
  'product image url': 'imageSrc',
  'variant image url': 'variantImage',
  barcode: 'barcode',
  'weight value (grams)': 'grams',
}

const BY_NAME = new Map<string, Column>(
  Object.entries(COLUMNS).map(([column, name]) => [name.toLowerCase(), column as Column]),
)

/** Shopify's columns between the known ones, in its order; they are exported again unchanged. */
export const CARRIED = [
  'Product Category',
  'Option1 Linked To',
  'Option2 Linked To',
  'Option3 Linked To',
  'Variant Fulfillment Service',
  'Variant Requires Shipping',
  'Variant Taxable',
  'Gift Card',
  'SEO Title',
  'SEO Description',
]

/** Shopify's other columns, in lower case; they are exported again unchanged. */
const ALSO_CARRIED = [
  /^google shopping \//,
  /^(included|price|compare at price) \//,
  /\(product\.metafields\./,
  /^variant (weight unit|tax code|tax [12] (name|value))$/,
  /^unit price (base|total) measure( unit)?$/,
  /^weight unit for display$/,
  /^(custom|standard|standardized) product type$/,
  /^(charge tax|tax code|requires shipping|fulfillment service|cost per item|collection|template suffix)$/,
]

export interface Header {
  /** The index of each known column. */
  at: Partial<Record<Column, number>>
  /** The other columns. */
  extra: [index: number, name: string][]
  /** Names of repeated columns, each with the name of the first one. */
  repeated: [name: string, before: string][]
  width: number
  missing: Column[]
}

/** Finds the columns by their classic or newer names. If a column is repeated, the first one counts. */
export function readHeader(names: string[]): Header {
  const at: Header['at'] = {}
  const extra: Header['extra'] = []
  const repeated: Header['repeated'] = []
  const taken = new Set<string>()
  for (const [index, given] of names.entries()) {
    const name = given.trim()
    if (name === '') continue
    const column = BY_NAME.get(name.toLowerCase()) ?? NEWER[name.toLowerCase()]
    const before = column && at[column] !== undefined ? names[at[column]]?.trim() : taken.has(name) ? name : undefined
    taken.add(name)
    if (before !== undefined) repeated.push([name, before])
    else if (column) at[column] = index
    else extra.push([index, name])
  }
  const missing = REQUIRED.filter(column => at[column] === undefined)
  return { at, extra, repeated, width: names.length, missing }
}

/** Warnings for the operator about unused columns, except Shopify's own. */
export function describeUnused({ at, extra, repeated }: Header): string[] {
  const absent = (Object.keys(COLUMNS) as Column[]).filter(column => at[column] === undefined)
  const foreign = extra.map(([, name]) => name).filter(name => !isCarried(name.toLowerCase()))
  const guesses = foreign.map(name => ({ name, meant: guessColumn(name, absent) }))
  const unknown = guesses.filter(({ meant }) => !meant).map(({ name }) => shown(name))
  return [
    ...repeated.map(([name, before]) =>
      name === before
        ? `the column ${shown(name)} is there twice: the first one counts`
        : `the column ${shown(name)} is not used: ${shown(before)} before it says the same`,
    ),
    ...guesses.flatMap(({ name, meant }) =>
      meant
        ? [`the column ${shown(name)} is not used: if it is ${shown(meant)}, give it that name and import again`]
        : [],
    ),
    ...(unknown.length > 0 ? [`shoppers do not see what is in ${describeColumns(unknown)} again`] : []),
  ]
}

/** Lists the missing required columns, each with the column that may be meant. */
export function describeMissing({ missing, extra }: Header): string {
  return missing
    .map(column => {
      const found = extra.find(([, name]) => guessColumn(name, [column]))
      return found ? `${COLUMNS[column]} (${shown(found[1])} may be it)` : COLUMNS[column]
    })
    .join(', ')
}

function isCarried(lower: string): boolean {
  return CARRIED.some(name => name.toLowerCase() === lower) || ALSO_CARRIED.some(kind => kind.test(lower))
}

function guessColumn(name: string, columns: Column[]): string | undefined {
  return guessName(
    name,
    columns.map(column => COLUMNS[column]),
  )
}

function describeColumns(names: string[]): string {
  const isOne = names.length === 1
  return `the column${isOne ? '' : 's'} ${names.join(', ')}; an export as Shopify writes ${isOne ? 'it' : 'them'}`
}

/** The columns of a Shopify product file that say something to the shop, by their classic names. */
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
  quantity: 'Variant Inventory Qty',
  price: 'Variant Price',
  compareAt: 'Variant Compare At Price',
  imageSrc: 'Image Src',
  imagePosition: 'Image Position',
  imageAlt: 'Image Alt Text',
  brand: 'Brand (product.metafields.custom.brand)',
} as const

export type Column = keyof typeof COLUMNS

const REQUIRED: Column[] = ['handle', 'title', 'price']

/** What newer Shopify templates call the same columns. */
const NEWER: Partial<Record<string, Column>> = {
  'url handle': 'handle',
  description: 'body',
  'published on online store': 'published',
  sku: 'sku',
  price: 'price',
  'compare-at price': 'compareAt',
  'inventory quantity': 'quantity',
  'product image url': 'imageSrc',
}

const BY_NAME = new Map<string, Column>(
  Object.entries(COLUMNS).map(([column, name]) => [name.toLowerCase(), column as Column]),
)

/** The columns between the known ones that Shopify writes and we give back as they came, in its order. */
export const CARRIED = [
  'Product Category',
  'Option1 Linked To',
  'Option2 Linked To',
  'Option3 Linked To',
  'Variant Grams',
  'Variant Inventory Tracker',
  'Variant Inventory Policy',
  'Variant Fulfillment Service',
  'Variant Requires Shipping',
  'Variant Taxable',
  'Variant Barcode',
  'Gift Card',
  'SEO Title',
  'SEO Description',
]

export interface Header {
  /** Where each known column is. */
  at: Partial<Record<Column, number>>
  /** The others, by place. */
  extra: [index: number, name: string][]
  width: number
  missing: string[]
}

/** Which column is where, by its classic or its newer name; of two with one name the first counts. */
export function readHeader(names: string[]): Header {
  const at: Header['at'] = {}
  const extra: Header['extra'] = []
  const taken = new Set<string>()
  for (const [index, given] of names.entries()) {
    const name = given.trim()
    const column = BY_NAME.get(name.toLowerCase()) ?? NEWER[name.toLowerCase()]
    if (name === '' || taken.has(name) || (column && at[column] !== undefined)) continue
    taken.add(name)
    if (column) at[column] = index
    else extra.push([index, name])
  }
  const missing = REQUIRED.filter(column => at[column] === undefined).map(column => COLUMNS[column])
  return { at, extra, width: names.length, missing }
}

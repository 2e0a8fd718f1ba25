import { byName, type Columns } from './columns.ts'

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

export const SHOPIFY: Columns<Column> = {
  title: "Shopify's product CSV",
  names: COLUMNS,
  required: ['handle', 'title', 'price'],
  find: byName(COLUMNS, NEWER),
  isKnown(name) {
    const lower = name.toLowerCase()
    return CARRIED.some(each => each.toLowerCase() === lower) || ALSO_CARRIED.some(kind => kind.test(lower))
  },
  areCarried: true,
}

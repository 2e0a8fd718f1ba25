import { byName, type Columns } from './columns.ts'

/** The columns of a WooCommerce product CSV that Piazza uses, beside those of `ATTRIBUTE`. */
const COLUMNS = {
  id: 'ID',
  type: 'Type',
  sku: 'SKU',
  barcode: 'GTIN, UPC, EAN, or ISBN',
  name: 'Name',
  published: 'Published',
  visibility: 'Visibility in catalog',
  shortDescription: 'Short description',
  description: 'Description',
  saleStarts: 'Date sale price starts',
  saleEnds: 'Date sale price ends',
  inStock: 'In stock?',
  stock: 'Stock',
  backorders: 'Backorders allowed?',
  kilograms: 'Weight (kg)',
  grams: 'Weight (g)',
  pounds: 'Weight (lbs)',
  ounces: 'Weight (oz)',
  salePrice: 'Sale price',
  price: 'Regular price',
  categories: 'Categories',
  tags: 'Tags',
  images: 'Images',
  parent: 'Parent',
  brands: 'Brands',
} as const

export type Column = keyof typeof COLUMNS

/** The name or values of a numbered attribute, such as `Attribute 1 value(s)`. */
export const ATTRIBUTE = /^attribute (\d{1,4}) (name|value\(s\)|visible)$/i

/** WooCommerce's other columns, in lower case. */
const OTHERS = [
  /^attribute \d+ (global|default)$/,
  /^(length|width|height) \(.{1,9}\)$/,
  /^(tax status|tax class|position|shipping class|purchase note|external url|button text|cost of goods)$/,
  /^(is featured|sold individually|allow customer reviews)\?$/,
  /^(low stock amount|grouped products|upsells|cross-sells)$/,
  /^download (limit|expiry days|\d+ (id|name|url))$/,
]

export const WOOCOMMERCE: Columns<Column> = {
  title: "WooCommerce's product CSV",
  names: COLUMNS,
  required: ['type', 'name', 'price'],
  find: byName(COLUMNS),
  isKnown: name => ATTRIBUTE.test(name) || OTHERS.some(kind => kind.test(name.toLowerCase())),
  areCarried: false,
}

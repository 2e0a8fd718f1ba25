import type { Columns } from './columns.ts'

/** The attributes of a Google Merchant product feed that Piazza uses. */
const NAMES = {
  id: 'id',
  title: 'title',
  description: 'description',
  price: 'price',
  salePrice: 'sale_price',
  saleTimes: 'sale_price_effective_date',
  availability: 'availability',
  quantity: 'quantity',
  picture: 'image_link',
  pictures: 'additional_image_link',
  group: 'item_group_id',
  colour: 'color',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
  brand: 'brand',
  gtin: 'gtin',
  mpn: 'mpn',
  kind: 'product_type',
  category: 'google_product_category',
  weight: 'shipping_weight',
  condition: 'condition',
  gender: 'gender',
  ageGroup: 'age_group',
} as const

export type Column = keyof typeof NAMES

/** Other names of quantities, in the feeds of Meta and of Google's local listings. */
const QUANTITIES = ['sell_on_google_quantity', 'quantity_to_sell_on_facebook', 'inventory']

/** Attributes that shoppers of Piazza do not see. */
const OTHERS = [
  /^(link|mobile_link|canonical_link|ads_.*|.*_link|.*_link_template)$/,
  /^(availability_date|expiration_date|disclosure_date|cost_of_goods_sold|unit_pricing_.*|installment|subscription_cost)$/,
  /^(loyalty_.*|auto_pricing_min_price|maximum_retail_price|identifier_exists|adult|multipack|is_bundle)$/,
  /^(certification|.*energy_efficiency_class|size_type|size_system|product_(length|width|height|weight|detail|highlight))$/,
  /^(custom_label_[0-4]|promotion_id|external_seller_id|(included|excluded)_destination|shopping_ads_.*|pause)$/,
  /^(shipping|shipping\(.*\)|shipping_.*|ships_from_country|transit_time_label|(min|max)_handling_time|free_shipping_.*)$/,
  /^(tax|tax\(.*\)|tax_category|return_.*|short_title|structured_.*|fb_product_category|google_funded_.*)$/,
]

const BY_NAME = new Map<string, Column>([
  ...Object.entries(NAMES).map(([column, name]) => [name, column as Column] as const),
  ...QUANTITIES.map(name => [name, 'quantity'] as const),
])

export const GOOGLE: Columns<Column> = {
  title: "Google Merchant's product feed",
  names: NAMES,
  required: ['id', 'title', 'price'],
  find: name => BY_NAME.get(plain(name)),
  isKnown: name => OTHERS.some(kind => kind.test(plain(name))),
  areCarried: false,
}

/** Files may write `image link` or `g:image_link`. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^g:/, '')
    .replace(/[\s_]+/g, '_')
}

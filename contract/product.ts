import * as z from 'zod/mini'
import { DayRange } from './delivery.ts'
import { renamed } from './endpoint.ts'
import { Variant } from './variants.ts'
import { Usd } from './wire.ts'

export const Banner = z.object({
  _id: z.string(),
  image: z.string(),
  link: z.optional(z.string()),
  title: z.string(),
  description: z.string(),
})
export type Banner = z.output<typeof Banner>

/**
 * `price` and `discount` belong to the cheapest variant that can be bought, `highestPrice` is the price of the most
 * expensive one after its discount, and `stock` counts the units of all variants. `variants` is empty in lists, and for
 * a product without options, which may have a `sku`, `barcode` and `lowestPrice` itself. `deliveryDays` are the days
 * from payment to arrival, by country; only single products and carts have them. `variantId` is the variant that a
 * list's filters or search name, if another one is shown first. `description` is HTML from a seller:
 * sanitise it before showing it. `rating` 0 means no ratings yet.
 */
export const Product = renamed(
  {
    _id: z.string(),
    slug: z.string(),
    name: z.string(),
    category: z.string(),
    brand: z.string(),
    price: Usd,
    discount: z.number().check(z.minimum(0), z.maximum(100)),
    stock: z.int(),
    description: z.string(),
    images: z.array(z.string()),
    rating: z.number(),
    ratingCount: z._default(z.int(), 0),
    sellerId: z.string(),
    shopName: z.string(),
    isPromoted: z._default(z.boolean(), false),
    banner: z.optional(z.nullable(Banner)),
    shippingPrices: z._default(z.record(z.string(), Usd), {}),
    deliveryDays: z.optional(z.record(z.string(), DayRange)),
    highestPrice: z.optional(Usd),
    variantCount: z._default(z.int(), 1),
    colourCount: z._default(z.int(), 0),
    variants: z._default(z.array(Variant), []),
    sku: z.optional(z.string()),
    barcode: z.optional(z.string()),
    lowestPrice: z.optional(Usd),
    variantId: z.optional(z.string()),
  },
  { price: 'priceCents', highestPrice: 'highestCents', lowestPrice: 'lowestCents' },
)
export type Product = z.output<typeof Product>

/** The data of a product that an order stores, because the product may change or be deleted later. */
export type ProductSnapshot = Pick<
  Product,
  '_id' | 'slug' | 'name' | 'category' | 'brand' | 'priceCents' | 'discount' | 'images' | 'sellerId' | 'shopName'
>

/** A product that was removed, rebuilt from its snapshot. Its stock is 0. */
export function fromSnapshot(snapshot: ProductSnapshot): Product {
  const unknown = { description: '', rating: 0, ratingCount: 0, isPromoted: false, banner: null, shippingPrices: {} }
  return { ...unknown, stock: 0, variantCount: 1, colourCount: 0, variants: [], ...snapshot }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The text of a piece of HTML. It is plain text: escape it again before putting it into HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

import { parse, v5 } from 'uuid'
import type { DayRange } from '#contract/delivery.ts'
import { DAY_MS, discountedCents } from '#contract/rules.ts'
import type { orderLines, orders, reviews, sellerOrders, variants as variantsTable } from '#server/db/schema.ts'
import type { StoredBanner } from '#server/db/schema.ts'
import { sumBy } from '#server/platform/sum.ts'
import { type DemoContent, imagesOf, type ProductContent, type ShopContent } from './content.ts'
import type { PictureOf } from './pictures.ts'

const NAMESPACE = '5f3a0c8e-3d0f-4f5b-9c51-7a1d2c9e6b40'
const SELLING_DAYS = 80
const MAX_DAYS = 12
const MORNING_SECONDS = (9 * 60 + 12) * 60
/** The demo's orders arrive on the day of the sale, so that even the newest have arrived. */
const DELIVERY_SECONDS = 12 * 3600

/** The same id for the same key on every machine, so that tests and bookmarks outlive a reset. */
export function demoId(kind: string, key: string): string {
  return v5(`${kind}:${key}`, NAMESPACE)
}

const NUMBER_LETTERS = '23456789CDFGHJKMNPQRTWXY'

/** The same order number on every machine. The database never generates numbers with an E. */
export function demoNumber(key: string): string {
  const bytes = parse(demoId('number', key)).slice(0, 6)
  return `PZ-E${Array.from(bytes, byte => NUMBER_LETTERS[byte % NUMBER_LETTERS.length]).join('')}`
}

/** A time relative to the start of today (UTC), so that two seedings on one day are equal. */
export function daysAgo(days: number, seconds = 0): Date {
  const today = new Date()
  today.setUTCHours(0, 0, 0, 0)
  return new Date(today.getTime() - days * DAY_MS + seconds * 1000)
}

/**
 * Some seconds after the demo customer's usual hour of a day; of today, after midnight, so that it lies in the past.
 */
export function morningAgo(days: number, seconds = 0): Date {
  return daysAgo(days, days > 0 ? MORNING_SECONDS + seconds : seconds)
}

function cents(usd: number): number {
  return Math.round(usd * 100)
}

export function inCents(rates: Record<string, number> = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(rates).map(([country, usd]) => [country, cents(usd)]))
}

export function shopRow(shop: ShopContent, key: string, pictureOf: PictureOf) {
  return {
    id: demoId('shop', shop.key),
    key,
    shopName: shop.shopName,
    description: shop.description,
    picture: pictureOf(shop.image, shop.shopName),
    banner: shop.banner ? bannerRow(shop.banner, pictureOf) : null,
    isVerified: shop.verified,
    address: shop.address,
    hasAi: shop.ai,
    shippingRates: inCents(shop.shippingRates),
    handlingDays: shop.handlingDays,
    transitDays: transitDaysOf(shop),
    isDemo: true,
    createdAt: daysAgo(400),
  }
}

/** Days that a shop's parcels travel, by country: the higher the shipping rate, the longer. */
export function transitDaysOf({ shippingRates }: ShopContent): Record<string, DayRange> {
  const cheapest = Math.min(...Object.values(shippingRates))
  const daysFor = (rate: number): DayRange => {
    if (rate <= 1.5 * cheapest) return [2, 4]
    return rate <= 2.2 * cheapest ? [4, 7] : [7, 12]
  }
  return Object.fromEntries(Object.entries(shippingRates).map(([country, rate]) => [country, daysFor(rate)]))
}

export function bannerRow(banner: DemoContent['banners'][number], pictureOf: PictureOf): StoredBanner | null {
  const picture = pictureOf(banner.image, banner.title)
  const { title, description, link } = banner
  return picture && { title, description, ...(link && { link }), picture }
}

interface Placed {
  slug: string
  shopName: string
  /** The products' order in the demo's file. */
  place: number
}

export function productRow(product: ProductContent, { slug, shopName, place }: Placed, pictureOf: PictureOf) {
  const { key, name, category, brand, description, isPromoted } = product
  return {
    id: demoId('product', key),
    sellerId: demoId('shop', product.seller),
    handle: key,
    slug,
    shopName,
    name,
    category,
    brand,
    description,
    isPromoted,
    pictures: imagesOf(product).flatMap(image => pictureOf(image, name) ?? []),
    shippingPrices: inCents(product.shippingExtra),
    createdAt: daysAgo(product.createdDaysAgo, place),
    updatedAt: daysAgo(product.createdDaysAgo, place),
  }
}

function variantId(productKey: string, position: number): string {
  return demoId('variant', `${productKey}:${position}`)
}

/** 'CIR-TRA-43-RED' for size 43 of cirrus-trail in red. */
function skuOf(productKey: string, values: string[]): string {
  const words = productKey.split('-').slice(0, 2)
  return [...words.map(word => word.slice(0, 3)), ...values].join('-').replaceAll(/\s+/g, '-').toUpperCase()
}

export function variantRows(product: ProductContent, pictureOf: PictureOf): (typeof variantsTable.$inferInsert)[] {
  const { key, price, discount, stock, variants = [{ options: {}, stock }], images, colours } = product
  const imageOf = ({ Colour = '' }: Record<string, string>) => colours && (colours[Colour]?.image ?? images[0])
  return variants.map((variant, position) => ({
    id: variantId(key, position),
    productId: demoId('product', key),
    position,
    options: Object.entries(variant.options),
    picture: pictureOf(imageOf(variant.options) ?? ''),
    sku: skuOf(key, Object.values(variant.options)),
    priceCents: cents(variant.price ?? price),
    discount,
    stock: variant.stock,
  }))
}

/** The id of the review at this place of the content. */
export function reviewId(productKey: string, place: number): string {
  return demoId('review', `${productKey}:${place}`)
}

export function reviewRows(content: DemoContent): (typeof reviews.$inferInsert)[] {
  return content.reviews.map(({ product, daysAgo: days, images: _images, ...review }, place) => ({
    ...review,
    id: reviewId(product, place),
    productId: demoId('product', product),
    // Three in four, the same on every machine.
    isVerifiedBuyer: place % 4 !== 0,
    createdAt: daysAgo(days, place),
  }))
}

export interface OrderRows {
  orders: (typeof orders.$inferInsert)[]
  sellerOrders: (typeof sellerOrders.$inferInsert)[]
  lines: (typeof orderLines.$inferInsert)[]
}

/**
 * Paid orders without customers, one for each shop and day of the last 80 days. Together with the units that the demo's
 * customer `bought`, they add up to the products' units sold.
 */
export function orderRows({ products, shops }: DemoContent, bought: ReadonlyMap<string, number>): OrderRows {
  const rows: OrderRows = { orders: [], sellerOrders: [], lines: [] }
  const lines = products.flatMap((product, place) => soldByDay(product, place, bought.get(product.key) ?? 0))
  for (const { key, shopName } of shops) {
    const byDay = Map.groupBy(
      lines.filter(({ product }) => product.seller === key),
      ({ day }) => day,
    )
    for (const [day, sold] of [...byDay].toSorted(([a], [b]) => b - a)) {
      const name = `${key}:${day}`
      const [orderId, id, at] = [demoId('order', name), demoId('shop order', name), daysAgo(day)]
      const taken = sold.map(({ product, quantity }) => ({ product, quantity, unitCents: paidCents(product) }))
      const priceCents = sumBy(taken, ({ quantity, unitCents }) => quantity * unitCents)
      const paid = { status: 'placed', paymentStatus: 'paid', createdAt: at, paidAt: at } as const
      rows.orders.push({ id: orderId, number: demoNumber(name), priceCents, isDemo: true, ...paid })
      rows.sellerOrders.push({
        id,
        orderId,
        sellerId: demoId('shop', key),
        shopName,
        priceCents,
        deliveryStatus: 'Delivered',
        deliveredAt: daysAgo(day, DELIVERY_SECONDS),
      })
      for (const { product, quantity, unitCents } of taken) {
        const productId = demoId('product', product.key)
        rows.lines.push({
          id: demoId('line', `${name}:${product.key}`),
          sellerOrderId: id,
          productId,
          variantId: variantId(product.key, 0),
          quantity,
          unitCents,
        })
      }
    }
  }
  return rows
}

function soldByDay(product: ProductContent, place: number, bought: number) {
  const units = product.unitsSold - bought
  const days = Math.min(units, MAX_DAYS)
  return Array.from({ length: days }, (_, at) => ({
    product,
    day: 1 + ((place * 7 + at * Math.floor(SELLING_DAYS / MAX_DAYS)) % SELLING_DAYS),
    quantity: Math.floor(units / days) + (at < units % days ? 1 : 0),
  }))
}

function paidCents({ price, discount }: ProductContent): number {
  return discountedCents({ priceCents: cents(price), discount })
}

import * as z from 'zod'
import { COUNTRIES } from '#contract/countries.ts'
import { MAX_DAYS } from '#contract/delivery.ts'
import { isShopPath } from '#contract/notifications.ts'
import { ADDRESS_LENGTH, CATEGORY_LENGTH, EMAIL_LENGTH, MAX_PRICE_CENTS, MAX_STOCK } from '#contract/rules.ts'
import { hasTooManyTags, MAX_HTML_TAGS } from '#server/platform/text.ts'
import {
  convertCents,
  FieldError,
  isPictureAddress,
  MAX_ADDRESS_LINES,
  MAX_LENGTHS,
  shown,
  spacedOnce,
} from './values.ts'

const NO_WHOLE_NUMBER = 'is not a whole number'
const text = (longest: number) =>
  z
    .string()
    .max(longest, `is longer than ${longest} characters`)
    .refine(value => !value.includes('\0') && value.isWellFormed(), 'contains characters that cannot be stored')
    .transform(value => value.trim())
const named = (longest: number) => text(longest).refine(value => value !== '', 'is missing')
const inRange = (lowest: number, highest: number, wrong: string) =>
  z.number(wrong).min(lowest, `is less than ${lowest}`).max(highest, `is more than ${highest}`)
const units = (lowest: number) => inRange(lowest, MAX_STOCK, NO_WHOLE_NUMBER).int(NO_WHOLE_NUMBER)
/** Far above any price, and small enough for two exact decimals. */
const MAX_FOREIGN_PRICE = 1e10
/** A price in a currency whose unit is worth `rate` dollars, converted to US cents. */
const cents = (rate: number) =>
  inRange(0, rate === 1 ? MAX_PRICE_CENTS / 100 : MAX_FOREIGN_PRICE, 'is not an amount such as 1299.00')
    .refine(amount => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-3, 'has more than two decimals')
    .transform((amount, context) => {
      try {
        return convertCents(String(amount), Math.round(amount * 100), rate)
      } catch (error) {
        if (!(error instanceof FieldError)) throw error
        context.addIssue(error.message)
        return z.NEVER
      }
    })
const Stock = units(0)
/** Negative for units that were sold before the seller had them. */
const VariantStock = units(-MAX_STOCK)
const Discount = z.number().min(0).max(100)
const Link = text(2000).refine(isShopPath, {
  error: ({ input }) => `${shown(String(input))} is not a path of the shop such as /products`,
})
const Source = text(2000).refine(isPictureAddress, 'is not an https address')
const Moment = z.iso.datetime({ offset: true }).transform(value => new Date(value))

const Picture = z
  .object({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    source: Source.optional(),
    alt: text(MAX_LENGTHS.alt).optional(),
  })
  .refine(({ hash, source }) => hash || source, 'has neither a hash nor a source')
const Banner = z.object({
  title: text(MAX_LENGTHS.name),
  description: text(2000),
  link: Link.optional(),
  picture: Picture,
})
const Country = z.enum(COUNTRIES, 'is not a country of the list')
const shipping = (rate: number) => z.partialRecord(Country, cents(rate))

const Email = text(EMAIL_LENGTH.longest)
  .transform(address => address.toLowerCase())
  .pipe(z.email('is not an email address'))
const Days = inRange(0, MAX_DAYS, NO_WHOLE_NUMBER).int(NO_WHOLE_NUMBER)
const DayRange = z.tuple([Days, Days]).refine(([first, last]) => first <= last, 'is not a range of days such as [3, 6]')

const variantRecord = (rate: number) =>
  z.object({
    options: z.array(z.tuple([named(MAX_LENGTHS.option), named(MAX_LENGTHS.option)])).max(3),
    sku: text(MAX_LENGTHS.option).optional(),
    barcode: text(MAX_LENGTHS.option).optional(),
    price: cents(rate),
    /** With a discount, `price` is the price before it; without one, it is what shoppers pay. */
    discount: Discount.optional(),
    compareAtPrice: cents(rate).nullable().default(null),
    stock: VariantStock.optional(),
    sellsWithoutStock: z.boolean().optional(),
    weightGrams: z.int().min(0).nullable().optional(),
    picture: Picture.nullable().optional(),
    extra: z.record(named(MAX_LENGTHS.option), text(MAX_LENGTHS.extra)).optional(),
  })

/** A product with prices in a currency whose unit is worth `rate` dollars. */
export function productRecord(rate: number) {
  return z.object({
    type: z
      .literal('product', {
        error: ({ input }) => `${shown(String(input))} is none of product, shop, category and carousel`,
      })
      .default('product'),
    shop: named(MAX_LENGTHS.shop),
    handle: named(MAX_LENGTHS.name),
    slug: named(200).optional(),
    name: named(MAX_LENGTHS.name),
    category: text(CATEGORY_LENGTH).transform(spacedOnce).optional(),
    brand: named(MAX_LENGTHS.shop).optional(),
    price: cents(rate),
    discount: Discount.default(0),
    compareAtPrice: cents(rate).nullable().default(null),
    stock: Stock.optional(),
    description: text(MAX_LENGTHS.description)
      .refine(html => !hasTooManyTags(html), `holds more than ${MAX_HTML_TAGS} tags`)
      .optional(),
    tags: z.array(named(MAX_LENGTHS.tag)).max(250).optional(),
    pictures: z.array(Picture).max(250).optional(),
    variants: z.array(variantRecord(rate)).max(2048).default([]),
    hidden: z.boolean().optional(),
    promoted: z.boolean().optional(),
    banner: Banner.nullable().optional(),
    shipping: shipping(rate).optional(),
    createdAt: Moment.optional(),
  })
}

/** A shop with shipping rates in a currency whose unit is worth `rate` dollars. */
export function shopRecord(rate: number) {
  return z.object({
    type: z.literal('shop'),
    name: named(MAX_LENGTHS.shop),
    description: text(MAX_LENGTHS.extra).optional(),
    verified: z.boolean().optional(),
    ai: z.boolean().optional(),
    hidden: z.boolean().optional(),
    email: Email.nullable().optional(),
    address: z
      .array(named(ADDRESS_LENGTH).transform(spacedOnce))
      .max(MAX_ADDRESS_LINES, `has more than ${MAX_ADDRESS_LINES} lines`)
      .optional(),
    shipping: shipping(rate).optional(),
    handlingDays: DayRange.nullable().optional(),
    transitDays: z.partialRecord(Country, DayRange).optional(),
    refundsShipping: z.boolean().optional(),
    picture: Picture.nullable().optional(),
    banner: Banner.nullable().optional(),
    createdAt: Moment.optional(),
  })
}

export const CategoryRecord = z.object({
  type: z.literal('category'),
  name: named(CATEGORY_LENGTH).transform(spacedOnce),
  picture: Picture.nullable().optional(),
})

export const CarouselRecord = z.object({ type: z.literal('carousel'), banners: z.array(Banner).max(50) })

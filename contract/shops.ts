import * as z from 'zod/mini'
import { Usd } from './wire.ts'

const WireSeller = z.object({
  _id: z.string(),
  image: z.string(),
  shopInfo: z.object({ shopName: z.string(), description: z.string(), verified: z.boolean() }),
  verification: z.object({ verified: z.boolean() }),
  productCount: z.int(),
  rating: z.optional(z.number()),
  ratingCount: z.optional(z.int()),
  unitsSold: z.optional(z.int()),
  replyHours: z.optional(z.nullable(z.int())),
  createdAt: z.optional(z.string()),
  shippingPrices: z.optional(z.record(z.string(), Usd)),
})

/**
 * Providers may omit the optional fields. Lists of shops have only `rating`, `ratingCount` and `replyHours`, the shop's
 * own page has all of them. `rating` 0 means no ratings yet. `unitsSold` counts the last 90 days. `replyHours` is the
 * time within which the shop usually answers a message.
 */
export type Seller = Omit<z.output<typeof WireSeller>, 'shopInfo' | 'verification'> &
  Record<'shopName' | 'description', string> & { isVerified: boolean }

export const Seller = z.codec(WireSeller, z.custom<Seller>(), {
  decode: ({ shopInfo, verification, ...seller }) => ({
    ...seller,
    shopName: shopInfo.shopName,
    description: shopInfo.description,
    isVerified: verification.verified,
  }),
  encode: ({ shopName, description, isVerified, ...seller }) => ({
    ...seller,
    shopInfo: { shopName, description, verified: isVerified },
    verification: { verified: isVerified },
  }),
})

/** Facts about a shop for the pages of its products. `rating` 0 means no ratings yet. */
export const ProductShop = z.object({
  image: z.string(),
  isVerified: z.boolean(),
  rating: z.number(),
  /** Hours within which the shop usually answers a message; null if unknown. */
  replyHours: z.nullable(z.int()),
})
export type ProductShop = z.output<typeof ProductShop>

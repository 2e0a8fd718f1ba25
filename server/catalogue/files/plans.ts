import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import { discountFor, MAX_STOCK, shopSlug } from '#contract/rules.ts'
import type { Tx } from '../../db/types.ts'
import { comparedCents } from './drafts.ts'
import type { PriceDraft, ProductDraft, VariantDraft } from './drafts.ts'
import { findOrAddShops, findProducts, keyOf } from './lookup.ts'
import type { Found, Shop, StoredProduct } from './lookup.ts'
import { keepBannerHash, keepHash } from '../pictures.ts'

const IDENTITY = ['id', 'sellerId', 'handle', 'slug'] as const
/** The columns of a stored product that an import updates. */
export const FACTS = [
  ...(['shopName', 'name', 'category', 'brand', 'priceCents', 'discount', 'compareAtCents', 'stock'] as const),
  ...(['description', 'tags', 'pictures', 'banner', 'isPromoted', 'isHidden', 'shippingPrices'] as const),
]
export type ProductRow = Pick<StoredProduct, (typeof IDENTITY)[number] | (typeof FACTS)[number]>

/** What to store for a draft, and what is stored now. The slug of a new product is still empty. */
export interface Plan {
  draft: ProductDraft
  shop: Shop
  found: Found | undefined
  row: ProductRow
  parts: VariantDraft[]
}

/** Plans each draft. Adds missing shops. */
export async function planProducts(tx: Tx, drafts: ProductDraft[]): Promise<Plan[]> {
  const shops = await findOrAddShops(
    tx,
    drafts.map(({ shopName }) => shopName),
  )
  const named = drafts.map(draft => ({ draft, shop: shops.get(shopSlug(draft.shopName)) as Shop }))
  const stored = await findProducts(
    tx,
    named.map(({ draft, shop }) => ({ handle: draft.handle, sellerId: shop.id })),
  )
  return named.map(({ draft, shop }) => {
    const found = stored.get(keyOf(shop.id, draft.handle))
    return { draft, shop, found, ...(draft.isRest && found ? continued(draft, found) : planned(draft, shop, found)) }
  })
}

/** Whether the product's own row changes. */
export function hasNewFacts({ row, found }: Plan): boolean {
  return !found || !isDeepStrictEqual(pick(row, found.product), row)
}

export function hasNewVariants({ parts, found }: Plan): boolean {
  return !isDeepStrictEqual(found?.variants, parts)
}

/** The fields of `whole` that `part` has too. */
export function pick(part: object, whole: object): object {
  const fields = new Map(Object.entries(whole))
  return Object.fromEntries(Object.keys(part).map(name => [name, fields.get(name)]))
}

function planned(draft: ProductDraft, shop: Shop, found: Found | undefined): Pick<Plan, 'row' | 'parts'> {
  const { handle, name, category, description, tags, isHidden } = draft
  const kept = found?.product
  const row = {
    id: kept?.id ?? v7(),
    sellerId: shop.id,
    handle,
    slug: kept?.slug ?? '',
    shopName: shop.shopName,
    name,
    category,
    brand: draft.brand ?? kept?.brand ?? shop.shopName,
    ...settled(draft.price, kept),
    stock: Math.min(draft.isStockGuessed && kept ? kept.stock : draft.stock, MAX_STOCK),
    description,
    tags,
    pictures: draft.pictures.map(picture => keepHash(picture, kept?.pictures ?? [])),
    banner: draft.banner === undefined ? (kept?.banner ?? null) : keepBannerHash(draft.banner, [kept?.banner]),
    isPromoted: draft.isPromoted ?? kept?.isPromoted ?? false,
    isHidden,
    shippingPrices: draft.shippingPrices ?? kept?.shippingPrices ?? {},
  }
  const parts = draft.isStockGuessed && found ? withStockOf(draft.variants, found.variants) : draft.variants
  return { row, parts: isPlain(parts) ? [] : parts }
}

function withStockOf(variants: VariantDraft[], known: VariantDraft[]): VariantDraft[] {
  const stocks = new Map(known.map(variant => [optionsKey(variant), variant.stock]))
  return variants.map(variant => ({ ...variant, stock: stocks.get(optionsKey(variant)) ?? variant.stock }))
}

function optionsKey({ options }: VariantDraft): string {
  return JSON.stringify(options)
}

/** A product without options needs no variant, unless its only variant has a SKU or extra columns. */
function isPlain([first, second]: VariantDraft[]): boolean {
  return !second && first?.options.length === 0 && first.sku === '' && Object.keys(first.extra).length === 0
}

/** The product as it is stored, plus the variants and pictures from later rows of the file. */
function continued(draft: ProductDraft, { product, variants: parts }: Found): Pick<Plan, 'row' | 'parts'> {
  const known = new Set(parts.map(optionsKey))
  // Only a product's first row has the names of its options.
  const names = parts[0]?.options.map(([name]) => name) ?? []
  const named = draft.variants.map(variant => ({
    ...variant,
    options: variant.options.map(([name, value], at): [string, string] => [names[at] ?? name, value]),
  }))
  const more = named.filter(variant => !known.has(optionsKey(variant)))
  const sources = new Set(product.pictures.map(({ source }) => source))
  const row = {
    ...pick(Object.fromEntries([...IDENTITY, ...FACTS].map(name => [name, true])), product),
    stock: Math.min(
      more.reduce((sum, { stock }) => sum + (draft.isStockGuessed ? 0 : stock), product.stock),
      MAX_STOCK,
    ),
    pictures: [...product.pictures, ...draft.pictures.filter(({ source }) => !sources.has(source))],
  }
  return { row: row as ProductRow, parts: [...parts, ...more] }
}

/** Keeps the stored price and discount if they result in the file's prices: several pairs give the same amount. */
function settled(price: PriceDraft, kept: StoredProduct | undefined) {
  if ('priceCents' in price) return price
  const { paidCents, compareAtCents } = price
  if (kept && kept.finalCents === paidCents && comparedCents(kept) === compareAtCents) {
    return { priceCents: kept.priceCents, discount: kept.discount, compareAtCents: kept.compareAtCents }
  }
  return { ...discountFor(paidCents, compareAtCents ?? paidCents), compareAtCents }
}

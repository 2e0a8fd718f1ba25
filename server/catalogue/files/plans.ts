import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import { discountFor, shopSlug } from '#contract/rules.ts'
import type { Tx } from '#server/db/types.ts'
import { comparedCents, NO_CATEGORY } from './drafts.ts'
import type { PriceDraft, ProductDraft, StoredVariant, VariantDraft } from './drafts.ts'
import { findOrAddShops, findProducts, keyOf } from './lookup.ts'
import type { Found, StoredProduct } from './lookup.ts'
import type { SellerRow, StoredPicture } from '#server/db/schema.ts'
import { findPicture, keepAlt, keepBannerHash, keepHashes } from '../pictures.ts'

const IDENTITY = ['id', 'sellerId', 'slug'] as const
/** The columns of a stored product that an import updates. */
export const FACTS = [
  ...(['handle', 'idHandle', 'shopName', 'name', 'category', 'brand', 'description', 'tags'] as const),
  ...(['pictures', 'banner', 'isPromoted', 'isHidden', 'shippingPrices'] as const),
]
export type ProductRow = Pick<StoredProduct, (typeof IDENTITY)[number] | (typeof FACTS)[number]>

/** A variant as an import stores it. */
export type VariantRow = Omit<StoredVariant, 'productId' | 'position' | 'finalCents' | 'canBeBought'>

/** A draft with its product's stored data. A new product has no slug yet. */
export interface Plan {
  draft: ProductDraft
  shop: SellerRow
  found: Found | undefined
  row: ProductRow
  /** The product's variants, in the seller's order. */
  parts: VariantRow[]
  /** The reasons why variants of the draft are left out. */
  problems: string[]
}

/** Plans each draft. Adds missing shops. */
export async function planProducts(tx: Tx, drafts: ProductDraft[]): Promise<Plan[]> {
  const shops = await findOrAddShops(
    tx,
    drafts.map(({ shopName }) => shopName),
  )
  const named = drafts.map(draft => ({ draft, shop: shops.get(shopSlug(draft.shopName)) as SellerRow }))
  const stored = await findProducts(
    tx,
    named.map(({ draft: { handle, idHandle }, shop: { id: sellerId } }) => ({ handle, idHandle, sellerId })),
  )
  const keys = new Set(named.map(({ draft, shop }) => keyOf(shop.id, draft.handle)))

  /** The stored product with the draft's id and name, whose SKU was another. Each is found only once. */
  function takeFormer({ idHandle, name }: ProductDraft, shop: SellerRow): Found | undefined {
    if (!idHandle) return undefined
    const found = stored.entries().find(([key, { product }]) => {
      const hasId = product.idHandle === idHandle || product.handle === idHandle
      return hasId && product.sellerId === shop.id && product.name === name && !keys.has(key)
    })
    if (found) stored.delete(found[0])
    return found?.[1]
  }

  return named.map(({ draft, shop }) => {
    const found = stored.get(keyOf(shop.id, draft.handle)) ?? takeFormer(draft, shop)
    return {
      draft,
      shop,
      found,
      ...(draft.isRest && found ? planRest(draft, found) : planFromDraft(draft, shop, found)),
    }
  })
}

type Planned = Pick<Plan, 'row' | 'parts' | 'problems'>

/** Whether the product's own row changes. */
export function hasNewFacts({ row, found }: Plan): boolean {
  return !found || !isDeepStrictEqual(pick(row, found.product), row)
}

export function hasNewVariants({ parts, found }: Plan): boolean {
  return !isDeepStrictEqual(found?.variants.map(asRow), parts)
}

/** The fields of `whole` that `part` has too. */
export function pick(part: object, whole: object): object {
  const fields = new Map(Object.entries(whole))
  return Object.fromEntries(Object.keys(part).map(name => [name, fields.get(name)]))
}

function planFromDraft(draft: ProductDraft, shop: SellerRow, found: Found | undefined): Planned {
  const { handle, name } = draft
  const kept = found?.product
  const variants = planVariants(draft, found?.variants ?? [])
  const pictures = withVariantPictures(draft.pictures ?? kept?.pictures ?? [], variants.parts)
  const row = {
    id: kept?.id ?? v7(),
    sellerId: shop.id,
    handle,
    idHandle: draft.idHandle ?? kept?.idHandle ?? null,
    slug: kept?.slug ?? '',
    shopName: shop.shopName,
    name,
    category: draft.category ?? kept?.category ?? NO_CATEGORY,
    // The file may have the shop's former name.
    brand: draft.brand === draft.shopName ? shop.shopName : (draft.brand ?? kept?.brand ?? shop.shopName),
    description: draft.description ?? kept?.description ?? '',
    tags: draft.tags ?? kept?.tags ?? [],
    pictures: keepHashes(
      pictures.map(picture => keepAlt(picture, kept?.pictures)),
      kept?.pictures ?? [],
    ),
    banner:
      draft.banner === undefined ? (kept?.banner ?? null) : draft.banner && keepBannerHash(draft.banner, kept?.banner),
    isPromoted: draft.isPromoted ?? kept?.isPromoted ?? false,
    isHidden: draft.isHidden ?? kept?.isHidden ?? false,
    shippingPrices: draft.shippingPrices ?? kept?.shippingPrices ?? {},
  }
  return { row, ...variants }
}

/**
 * The variants to store, and why the draft's are left out, if they are. A partial draft deletes no stored variant: the
 * unusable rows may be about it.
 */
function planVariants(draft: ProductDraft, stored: StoredVariant[]): Pick<Planned, 'parts' | 'problems'> {
  const hasNoOptions = draft.variants.every(({ options }) => options.length === 0)
  const lacksOptions = draft.lacksOptions && hasNoOptions && stored.some(({ options }) => options.length > 0)
  const parts = matchVariants(draft.variants, stored)
  const plannedIds = new Set(parts.map(({ id }) => id))
  const unread = draft.isPartial ? stored.filter(({ id }) => !plannedIds.has(id)) : []
  if (!lacksOptions && unread.every(each => parts[0] && optionNames(each) === optionNames(parts[0])))
    return { parts: [...parts, ...unread.map(asRow)], problems: [] }
  const reason = lacksOptions
    ? 'the file does not name their options'
    : 'some rows cannot be used, and the others have other options'
  return {
    parts: stored.map(asRow),
    problems: [`${draft.handle} has ${stored.length} variants, which stay as they are: ${reason}`],
  }
}

/** A product's pictures, followed by those that only its variants have. */
function withVariantPictures(pictures: StoredPicture[], variants: Pick<VariantDraft, 'picture'>[]): StoredPicture[] {
  const own = variants.flatMap(({ picture }) => picture ?? [])
  const missing = own.filter(picture => !findPicture(picture, pictures))
  return [...pictures, ...new Map(missing.map(picture => [picture.source ?? picture.hash, picture])).values()]
}

/**
 * A variant keeps its id, to which carts and orders refer, if its options are the same or, when an option's value was
 * changed, its SKU. A SKU that several variants share identifies none of them: one size could become another.
 */
function matchVariants(drafts: VariantDraft[], stored: StoredVariant[]): VariantRow[] {
  const byOptions = new Map(stored.map(variant => [optionsKey(variant), variant]))
  const bySku = byUniqueSku(stored)
  const draftsBySku = byUniqueSku(drafts)
  const named = new Set(drafts.map(optionsKey))
  return drafts.map(draft => {
    const key = optionsKey(draft)
    const { sku = '' } = draft
    const renamed = draftsBySku.has(sku) ? bySku.get(sku) : undefined
    const known = byOptions.get(key) ?? (renamed && named.has(optionsKey(renamed)) ? undefined : renamed)
    // Two drafts must not get the same id.
    byOptions.delete(key)
    return toRow(draft, known)
  })
}

/** The variants with a SKU that no other variant has, by SKU. */
function byUniqueSku<Of extends Pick<VariantDraft, 'sku'>>(variants: Of[]): Map<string, Of> {
  const groups = [...Map.groupBy(variants, ({ sku = '' }) => sku)]
  return new Map(
    groups.flatMap(([sku, [variant, ...others]]) => (sku && variant && others.length === 0 ? [[sku, variant]] : [])),
  )
}

function toRow(
  { price, stockGuess, extraColumns, ...draft }: VariantDraft,
  known: StoredVariant | undefined,
): VariantRow {
  const sellsWithoutStock = draft.sellsWithoutStock ?? known?.sellsWithoutStock ?? false
  const isInStock = known !== undefined && (known.stock > 0 || (known.sellsWithoutStock && sellsWithoutStock))
  const isKept = stockGuess === 'unknown' || (stockGuess === 'in stock' && isInStock)
  const kept = isKept ? known : undefined
  const isUncounted = kept?.sellsWithoutStock || sellsWithoutStock
  return {
    ...draft,
    id: known?.id ?? v7(),
    sku: draft.sku ?? known?.sku ?? '',
    barcode: draft.barcode ?? known?.barcode ?? '',
    weightGrams: draft.weightGrams === undefined ? (known?.weightGrams ?? null) : draft.weightGrams,
    picture: draft.picture === undefined ? (known?.picture ?? null) : draft.picture,
    extra: draft.extra ? { ...without(known?.extra ?? {}, extraColumns), ...draft.extra } : (known?.extra ?? {}),
    ...priceOf(price, known),
    // Sellers' files have negative stocks for oversold products.
    stock: kept?.stock ?? (isUncounted ? draft.stock : Math.max(0, draft.stock)),
    sellsWithoutStock: isUncounted,
  }
}

/** The values of `extra` whose names are not in `columns`; none by default. */
function without(extra: Record<string, string>, columns = Object.keys(extra)): Record<string, string> {
  const left = new Set(columns)
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !left.has(name)))
}

function asRow(stored: StoredVariant): VariantRow {
  const { productId, position, finalCents, canBeBought, ...row } = stored
  return row
}

function optionNames({ options }: Pick<VariantDraft, 'options'>): string {
  return JSON.stringify(options.map(([name]) => name))
}

function optionsKey({ options }: Pick<VariantDraft, 'options'>): string {
  return JSON.stringify(options)
}

/** The product as it is stored, plus the variants and pictures from later rows of the file. */
function planRest(draft: ProductDraft, { product, variants }: Found): Planned {
  const known = new Set(variants.map(optionsKey))
  // Shopify writes the names of the options only in a product's first row.
  const names = variants[0]?.options.map(([name]) => name) ?? []
  const fits = ({ options }: VariantDraft) => options.length === names.length
  const named = draft.variants.filter(fits).map(variant => ({
    ...variant,
    options: variant.options.map(([name, value], at): [string, string] => [names[at] ?? name, value]),
  }))
  const more = named.filter(variant => !known.has(optionsKey(variant)))
  const sources = new Set(product.pictures.map(({ source }) => source))
  const row = {
    ...pick(Object.fromEntries([...IDENTITY, ...FACTS].map(name => [name, true])), product),
    pictures: [
      ...product.pictures,
      ...withVariantPictures(draft.pictures ?? [], draft.variants)
        .filter(({ source }) => !sources.has(source))
        .map(picture => keepAlt(picture)),
    ],
  }
  return {
    row: row as ProductRow,
    parts: [...variants.map(asRow), ...more.map(variant => toRow(variant, undefined))],
    problems: draft.variants
      .filter(each => !fits(each))
      .map(
        ({ options }) =>
          `${draft.handle} ${options.map(([, value]) => value).join(' / ')} does not have the options of the rows above: ` +
          `${names.join(', ') || 'none'}. Give it a value of each, and of no other`,
      ),
  }
}

/** Several pairs of price and discount give the same amount: keeps the stored pair if it gives the file's prices. */
function priceOf(price: PriceDraft, kept: StoredVariant | undefined) {
  if ('priceCents' in price) return price
  const { paidCents, compareAtCents } = price
  if (kept && kept.finalCents === paidCents && comparedCents(kept) === compareAtCents) {
    return { priceCents: kept.priceCents, discount: kept.discount, compareAtCents: kept.compareAtCents }
  }
  return { ...discountFor(paidCents, compareAtCents ?? paidCents), compareAtCents }
}

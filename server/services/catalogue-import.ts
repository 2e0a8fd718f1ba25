import { isDeepStrictEqual } from 'node:util'
import { eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { discountFor, MAX_STOCK, shopSlug } from '#contract/rules.ts'
import type { Db, Tx } from '../db/open.ts'
import { categories, products, sellers, variants } from '../db/schema.ts'
import { comparedCents } from './catalogue-drafts.ts'
import type { CategoryDraft, PriceDraft, ProductDraft, SellerDraft, VariantDraft } from './catalogue-drafts.ts'
import { addCategories, findOrAddShops, findProducts, keyOf } from './catalogue-lookup.ts'
import type { Found, Shop, StoredProduct } from './catalogue-lookup.ts'
import { freeSlugs } from './slugs.ts'

const IDENTITY = ['id', 'sellerId', 'handle', 'slug'] as const
const FACTS = [
  ...(['shopName', 'name', 'category', 'brand', 'priceCents', 'discount', 'compareAtCents', 'stock'] as const),
  ...(['description', 'tags', 'pictures', 'banner', 'isPromoted', 'isHidden', 'shippingPrices'] as const),
]
type ProductRow = Pick<StoredProduct, (typeof IDENTITY)[number] | (typeof FACTS)[number]>

export type Outcome = 'added' | 'changed' | 'unchanged'

const VARIANTS_AT_ONCE = 5000

/**
 * Writes one batch of a catalogue in one transaction, which one import at a time may do. A product is (shop, handle);
 * what the file does not say stays, what is equal already is not written. Answers one outcome for each draft.
 */
export async function storeProducts(db: Db, drafts: ProductDraft[]): Promise<Outcome[]> {
  if (drafts.length === 0) return []
  return db.transaction(async tx => {
    await takeTurn(tx)
    const shops = await findOrAddShops(
      tx,
      drafts.map(({ shopName }) => shopName),
    )
    const named = drafts.map(draft => ({ draft, shop: shops.get(shopSlug(draft.shopName)) as Shop }))
    const stored = await findProducts(
      tx,
      named.map(({ draft, shop }) => ({ handle: draft.handle, sellerId: shop.id })),
    )
    const plans = named.map(({ draft, shop }) => {
      const found = stored.get(keyOf(shop.id, draft.handle))
      return { draft, shop, found, ...plan(draft, shop, found) }
    })
    await addCategories(
      tx,
      plans.map(({ row }) => row.category),
    )
    const fresh = plans.filter(({ found }) => !found)
    const slugs = await freeSlugs(
      tx,
      fresh.map(({ draft, shop }) => [draft.slug ?? draft.handle, shop.key]),
    )
    for (const [at, { row }] of fresh.entries()) row.slug = slugs[at] ?? row.id

    const isNew = ({ row, parts, found }: (typeof plans)[number]) =>
      !found || !isDeepStrictEqual(pick(row, found.product), row) || !isDeepStrictEqual(found.variants, parts)
    const changed = plans.filter(isNew)
    await writeProducts(
      tx,
      changed.map(({ row, draft }) => ({ ...row, createdAt: draft.createdAt })),
    )
    const rearranged = changed.filter(({ found, parts }) => !isDeepStrictEqual(found?.variants, parts))
    await writeVariants(
      tx,
      rearranged.map(({ row, parts }) => ({ productId: row.id, parts })),
    )
    const touched = new Set(changed)
    return plans.map(each => (!each.found ? 'added' : touched.has(each) ? 'changed' : 'unchanged'))
  })
}

/** Writes what a file says of shops themselves. */
export async function storeSellers(db: Db, drafts: SellerDraft[]): Promise<void> {
  if (drafts.length === 0) return
  await db.transaction(async tx => {
    await takeTurn(tx)
    const shops = await findOrAddShops(
      tx,
      drafts.map(({ shopName }) => shopName),
      drafts,
    )
    for (const { line: _, createdAt: __, ...draft } of drafts) {
      const shop = shops.get(shopSlug(draft.shopName))
      if (!shop || isDeepStrictEqual(pick(draft, shop), draft)) continue
      await tx.update(sellers).set(draft).where(eq(sellers.id, shop.id))
    }
  })
}

/** Writes what a file says of categories themselves: their pictures. */
export async function storeCategories(db: Db, drafts: CategoryDraft[]): Promise<void> {
  for (const { name, picture } of drafts) {
    const [found] = await db.select().from(categories).where(eq(categories.name, name))
    if (!found) await db.insert(categories).values({ name, picture }).onConflictDoNothing()
    else if (!isDeepStrictEqual(found.picture, picture)) {
      await db.update(categories).set({ picture }).where(eq(categories.name, name))
    }
  }
}

function plan(draft: ProductDraft, shop: Shop, found: Found | undefined): { row: ProductRow; parts: VariantDraft[] } {
  if (draft.isRest && found) return continued(draft, found)
  const { handle, name, category, description, tags, isHidden } = draft
  const kept = found?.product
  const known = new Map(kept?.pictures.map(picture => [picture.source, picture.hash]))
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
    stock: Math.min(draft.stock, MAX_STOCK),
    description,
    tags,
    pictures: draft.pictures.map(picture => {
      const hash = picture.hash ?? (picture.source && known.get(picture.source))
      return hash ? { ...picture, hash } : picture
    }),
    banner: draft.banner === undefined ? (kept?.banner ?? null) : draft.banner,
    isPromoted: draft.isPromoted ?? kept?.isPromoted ?? false,
    isHidden,
    shippingPrices: draft.shippingPrices ?? kept?.shippingPrices ?? {},
  }
  return { row, parts: isPlain(draft.variants) ? [] : draft.variants }
}

/** A product without choices whose only variant says nothing of its own needs no variant. */
function isPlain([first, second]: VariantDraft[]): boolean {
  return !second && first?.options.length === 0 && first.sku === '' && Object.keys(first.extra).length === 0
}

/** The product as it is stored, with the variants and pictures that came later in the file. */
function continued(draft: ProductDraft, { product, variants: parts }: Found) {
  const key = ({ options }: VariantDraft) => JSON.stringify(options)
  const known = new Set(parts.map(key))
  // Only a product's first row names its options.
  const names = parts[0]?.options.map(([name]) => name) ?? []
  const named = draft.variants.map(variant => ({
    ...variant,
    options: variant.options.map(([name, value], at): [string, string] => [names[at] ?? name, value]),
  }))
  const more = named.filter(variant => !known.has(key(variant)))
  const sources = new Set(product.pictures.map(({ source }) => source))
  const row = {
    ...pick(Object.fromEntries([...IDENTITY, ...FACTS].map(name => [name, true])), product),
    stock: Math.min(
      more.reduce((sum, { stock }) => sum + stock, product.stock),
      MAX_STOCK,
    ),
    pictures: [...product.pictures, ...draft.pictures.filter(({ source }) => !sources.has(source))],
  }
  return { row: row as ProductRow, parts: [...parts, ...more] }
}

/** A price and discount that already say what the file says are kept: several pairs give the same amount. */
function settled(price: PriceDraft, kept: StoredProduct | undefined) {
  if ('priceCents' in price) return price
  const { paidCents, compareAtCents } = price
  if (kept && kept.finalCents === paidCents && comparedCents(kept) === compareAtCents) {
    return { priceCents: kept.priceCents, discount: kept.discount, compareAtCents: kept.compareAtCents }
  }
  return { ...discountFor(paidCents, compareAtCents ?? paidCents), compareAtCents }
}

async function takeTurn(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('catalogue import'))`)
}

async function writeProducts(tx: Tx, rows: (ProductRow & { createdAt: Date | undefined })[]): Promise<void> {
  if (rows.length === 0) return
  const columns = getTableColumns(products)
  const excluded = FACTS.map(name => [name, sql.raw(`excluded."${columns[name].name}"`)])
  await tx
    .insert(products)
    .values(rows.map(row => ({ ...row, createdAt: row.createdAt ?? sql`now()` })))
    .onConflictDoUpdate({ target: products.id, set: { ...Object.fromEntries(excluded), updatedAt: sql`now()` } })
}

async function writeVariants(tx: Tx, changed: { productId: string; parts: VariantDraft[] }[]): Promise<void> {
  if (changed.length === 0) return
  await tx.delete(variants).where(
    inArray(
      variants.productId,
      changed.map(({ productId }) => productId),
    ),
  )
  const rows = changed.flatMap(({ productId, parts }) =>
    parts.map((part, position) => ({ productId, position, ...part })),
  )
  for (let at = 0; at < rows.length; at += VARIANTS_AT_ONCE) {
    await tx.insert(variants).values(rows.slice(at, at + VARIANTS_AT_ONCE))
  }
}

/** Those fields of `whole` that `part` has. */
function pick(part: object, whole: object): object {
  const fields = new Map(Object.entries(whole))
  return Object.fromEntries(Object.keys(part).map(name => [name, fields.get(name)]))
}

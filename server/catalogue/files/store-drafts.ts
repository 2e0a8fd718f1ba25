import { isDeepStrictEqual } from 'node:util'
import { eq, TransactionRollbackError } from 'drizzle-orm'
import { shopSlug } from '#contract/rules.ts'
import type { Db, Tx } from '#server/db/types.ts'
import { categories, platformBanners, type SellerRow, sellers, type StoredBanner } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { findPlatformBanners } from '../banners.ts'
import type { CategoryDraft, ProductDraft, SellerDraft } from './drafts.ts'
import { lockCatalogue } from '../lock.ts'
import { addCategories, findOrAddShops } from './lookup.ts'
import {
  hasNewFacts,
  hasNewVariants,
  pick,
  type Plan,
  planProducts,
  type ProductRow,
  type VariantRow,
} from './plans.ts'
import { writeProducts, writeVariants } from './rows.ts'
import { keepBannerHash, keepHash } from '../pictures.ts'
import { freeSlugs } from '../slugs.ts'

export type Outcome = 'added' | 'changed' | 'unchanged'

export interface StoredProduct {
  outcome: Outcome
  draft: ProductDraft
  product: ProductRow
  variants: VariantRow[]
  shop: SellerRow
  /** The reasons why variants of the draft were left out. */
  problems: string[]
}

/**
 * Writes one batch of a catalogue in one transaction; imports run one at a time. Shop and handle identify a product.
 * Keeps stored values that the file does not have, and writes only changed products. Returns the result for each draft.
 * A dry run is rolled back.
 */
export async function storeProducts(
  db: Db,
  drafts: ProductDraft[],
  { isDryRun }: { isDryRun: boolean },
): Promise<StoredProduct[]> {
  if (drafts.length === 0) return []
  let stored: StoredProduct[] = []
  const done = transact(db, async tx => {
    await lockCatalogue(tx)
    const plans = await planProducts(tx, drafts)
    await addCategories(
      tx,
      plans.map(({ row }) => row.category),
    )
    await assignSlugs(tx, plans)
    const changed = plans.filter(plan => hasNewFacts(plan) || hasNewVariants(plan))
    await writeProducts(tx, changed)
    await writeVariants(tx, changed.filter(hasNewVariants))
    stored = plans.map(plan => {
      const { draft, row: product, parts, shop, problems } = plan
      return { outcome: outcomeOf(plan, changed), draft, product, variants: parts, shop, problems }
    })
    if (isDryRun) tx.rollback()
    if (changed.length > 0)
      await recordAudit(tx, { event: 'products_imported', outcome: 'ok', details: summaryOf(stored) })
  })
  await done.catch((error: unknown) => {
    if (!(error instanceof TransactionRollbackError)) throw error
  })
  return stored
}

/** Stores the shop records of a file. */
export async function storeSellers(db: Db, drafts: SellerDraft[]): Promise<void> {
  if (drafts.length === 0) return
  await transact(db, async tx => {
    await lockCatalogue(tx)
    const shops = await findOrAddShops(
      tx,
      drafts.map(({ shopName }) => shopName),
      drafts,
    )
    for (const { line, createdAt, ...draft } of drafts) {
      const shop = shops.get(shopSlug(draft.shopName))
      if (!shop) continue
      const pictures = {
        picture: keepHash(draft.picture, [shop.picture]),
        banner: keepBannerHash(draft.banner, [shop.banner]),
      }
      const row = { ...draft, ...pictures }
      if (!isDeepStrictEqual(pick(row, shop), row)) await tx.update(sellers).set(row).where(eq(sellers.id, shop.id))
    }
  })
}

/** Stores the category records of a file: their pictures. */
export async function storeCategories(db: Db, drafts: CategoryDraft[]): Promise<void> {
  for (const { name, ...draft } of drafts) {
    const [found] = await db.select().from(categories).where(eq(categories.name, name))
    const picture = keepHash(draft.picture, [found?.picture])
    if (!found) await db.insert(categories).values({ name, picture }).onConflictDoNothing()
    else if (!isDeepStrictEqual(found.picture, picture)) {
      await db.update(categories).set({ picture }).where(eq(categories.name, name))
    }
  }
}

/** Replaces the home page's banners by these, in this order. */
export async function storePlatformBanners(db: Db, wanted: StoredBanner[]): Promise<void> {
  await transact(db, async tx => {
    await lockCatalogue(tx)
    const stored = (await findPlatformBanners(tx)).map(({ banner }) => banner)
    const banners = wanted.map(banner => keepBannerHash(banner, stored))
    if (isDeepStrictEqual(stored, banners)) return
    await tx.delete(platformBanners)
    if (banners.length > 0) {
      await tx.insert(platformBanners).values(banners.map((banner, position) => ({ ...banner, position })))
    }
  })
}

function summaryOf(stored: StoredProduct[]) {
  const count = (outcome: Outcome) => stored.filter(each => each.outcome === outcome).length
  return {
    added: count('added'),
    changed: count('changed'),
    shops: [...new Set(stored.map(({ shop }) => shop.key))],
  }
}

function outcomeOf(plan: Plan, changed: Plan[]): Outcome {
  if (!plan.found) return 'added'
  return changed.includes(plan) ? 'changed' : 'unchanged'
}

async function assignSlugs(tx: Tx, plans: Plan[]): Promise<void> {
  const fresh = plans.filter(({ found }) => !found)
  const slugs = await freeSlugs(
    tx,
    fresh.map(({ draft, shop }) => [draft.slug ?? draft.handle, shop.key]),
  )
  for (const [at, { row }] of fresh.entries()) row.slug = slugs[at] ?? row.id
}

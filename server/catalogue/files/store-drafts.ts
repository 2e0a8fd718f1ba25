import { isDeepStrictEqual } from 'node:util'
import { eq, or, TransactionRollbackError } from 'drizzle-orm'
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
import { rateShops } from '../ratings.ts'
import { freeSlugs } from '../slugs.ts'

export type Outcome = 'added' | 'changed' | 'unchanged'

export interface StoredProduct {
  outcome: Outcome
  draft: ProductDraft
  product: ProductRow
  variants: VariantRow[]
  shop: SellerRow
  /** How many of its variants are new and have a default stock. */
  untracked: number
  /** How many of its stored variants the file lacks: they are deleted. */
  deleted: number
  /** The reasons why variants of the draft were left out. */
  problems: string[]
}

export interface StoredShop {
  shop: Pick<SellerRow, 'key' | 'shopName'>
  outcome: Outcome
}

interface StoreOptions {
  /** Everything is rolled back. */
  isDryRun: boolean
}

/**
 * Writes one batch of a catalogue in one transaction; imports run one at a time. Shop and handle identify a product.
 * Keeps stored values that the file does not have, and writes only changed products. Returns the result for each draft.
 */
export async function storeProducts(
  db: Db,
  drafts: ProductDraft[],
  { isDryRun }: StoreOptions,
): Promise<StoredProduct[]> {
  if (drafts.length === 0) return []
  return inTransaction(db, { isDryRun }, async tx => {
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
    const rerated = changed.filter(({ found, row }) => found && found.product.isHidden !== row.isHidden)
    await rateShops(tx, [...new Set(rerated.map(({ shop }) => shop.id))])
    const stored = plans.map((plan): StoredProduct => {
      const { draft, row: product, parts, shop, problems } = plan
      const outcome = outcomeOf(plan, changed)
      const counts = { untracked: countUntracked(plan), deleted: countDeleted(plan) }
      return { outcome, draft, product, variants: parts, shop, ...counts, problems }
    })
    if (changed.length > 0)
      await recordAudit(tx, { event: 'products_imported', outcome: 'ok', details: summaryOf(stored) })
    return stored
  })
}

/** Stores a shop record of a file. Keeps stored values that the file does not have. */
export async function storeSeller(db: Db, draft: SellerDraft, { isDryRun }: StoreOptions): Promise<StoredShop> {
  return inTransaction(db, { isDryRun }, async tx => {
    await lockCatalogue(tx)
    // The name only finds the shop: files may have the name from before it was renamed.
    const { line, createdAt, shopName, ...given } = draft
    const { picture, banner } = given
    const isNamed = or(eq(sellers.key, shopSlug(shopName)), eq(sellers.shopName, shopName))
    const isNew = (await tx.$count(sellers, isNamed)) === 0
    const shop = (await findOrAddShops(tx, [shopName], [draft])).get(shopSlug(shopName))!
    const row = defined({
      ...given,
      picture: picture && keepHash(picture, shop.picture),
      banner: banner && keepBannerHash(banner, shop.banner),
    })
    const isChanged = !isDeepStrictEqual(pick(row, shop), row)
    if (isChanged) await tx.update(sellers).set(row).where(eq(sellers.id, shop.id))
    const outcome: Outcome = isNew ? 'added' : isChanged ? 'changed' : 'unchanged'
    if (outcome !== 'unchanged')
      await recordAudit(tx, { event: 'seller_imported', outcome: 'ok', details: { key: shop.key, outcome } })
    return { shop, outcome }
  })
}

/** Runs `work` in a transaction and returns its result. Rolls a dry run back. */
async function inTransaction<Result>(
  db: Db,
  { isDryRun }: StoreOptions,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let result: Result
  const done = transact(db, async tx => {
    result = await work(tx)
    if (isDryRun) tx.rollback()
  })
  await done.catch((error: unknown) => {
    if (!(error instanceof TransactionRollbackError)) throw error
  })
  return result!
}

/** The fields that have a value. */
function defined(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}

/** Stores the category records of a file: their pictures. */
export async function storeCategories(db: Db, drafts: CategoryDraft[]): Promise<void> {
  for (const { name, ...draft } of drafts) {
    const [found] = await db.select().from(categories).where(eq(categories.name, name))
    const known = found?.picture ?? null
    const picture = draft.picture === undefined ? known : draft.picture && keepHash(draft.picture, known)
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
    const banners = wanted.map((banner, at) => {
      const known = stored.find(({ picture: { source } }) => source && source === banner.picture.source)
      return keepBannerHash(banner, known ?? stored[at])
    })
    if (isDeepStrictEqual(stored, banners)) return
    await tx.delete(platformBanners)
    if (banners.length > 0) {
      await tx.insert(platformBanners).values(banners.map((banner, position) => ({ ...banner, position })))
    }
  })
}

function countUntracked({ draft, found, parts }: Plan): number {
  const known = new Set(found?.variants.map(({ id }) => id))
  const guessed = draft.variants.filter(({ stockGuess }) => stockGuess)
  return Math.min(guessed.length, parts.filter(({ id }) => !known.has(id)).length)
}

function countDeleted({ found, parts }: Plan): number {
  const kept = new Set(parts.map(({ id }) => id))
  return found ? found.variants.filter(({ id }) => !kept.has(id)).length : 0
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

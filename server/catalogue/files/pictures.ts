import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { isOneOf } from '#server/db/one-of.ts'
import type { Db } from '#server/db/types.ts'
import { categories, platformBanners, products, sellers, type StoredPicture } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { addHash } from '../pictures.ts'

export interface Pictureless {
  id: string
  /** URLs of pictures that are not stored yet. */
  sources: string[]
}

const PAGE = 50
const lacksHash = sql`(jsonb_path_exists(${products.pictures}, '$[*] ? (!exists(@.hash))')
  or jsonb_path_exists(${products.banner}, '$.picture ? (!exists(@.hash))'))`

/** The products of these shops that have pictures which are not stored yet, in batches. */
export async function* pictureless(db: Db, shopKeys: string[]): AsyncGenerator<Pictureless[]> {
  for (let last = ''; ;) {
    const rows = await db
      .select({ id: products.id, pictures: products.pictures, banner: products.banner })
      .from(products)
      .innerJoin(sellers, eq(sellers.id, products.sellerId))
      .where(and(isOneOf(sellers.key, shopKeys), lacksHash, gt(products.id, last)))
      .orderBy(asc(products.id))
      .limit(PAGE)
    if (rows.length > 0)
      yield rows.map(({ id, pictures, banner }) => ({ id, sources: sourcesOf([...pictures, banner?.picture]) }))
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Records the hash of a product's picture once it is stored. */
export async function storePictureHash(db: Db, productId: string, source: string, hash: string): Promise<void> {
  await transact(db, async tx => {
    const [product] = await tx
      .select({ pictures: products.pictures, banner: products.banner })
      .from(products)
      .where(eq(products.id, productId))
      .for('update')
    if (!product) return
    const fetched = { source, hash }
    const pictures = product.pictures.map(picture => addHash(picture, [fetched]))
    const banner = product.banner && { ...product.banner, picture: addHash(product.banner.picture, [fetched]) }
    await tx.update(products).set({ pictures, banner }).where(eq(products.id, productId))
  })
}

/**
 * URLs of other pictures that are not stored yet: of these shops themselves, of all categories and of the home page.
 */
export async function sourcesElsewhere(db: Db, shopKeys: string[]): Promise<string[]> {
  const shops = await db.select().from(sellers).where(isOneOf(sellers.key, shopKeys))
  const groups = await db.select().from(categories)
  const banners = await db.select().from(platformBanners)
  const pictures = [
    ...shops.flatMap(({ picture, banner }) => [picture, banner?.picture]),
    ...[...groups, ...banners].map(({ picture }) => picture),
  ]
  return [...new Set(sourcesOf(pictures))]
}

/** Like `storePictureHash`, for shops, categories and the home page. */
export async function storeHashElsewhere(db: Db, source: string, hash: string): Promise<void> {
  const fetched = sql`jsonb_build_object('hash', ${hash}::text)`
  for (const table of [sellers, categories, platformBanners]) {
    const isOf = sql`${table.picture}->>'source' = ${source} and ${table.picture}->>'hash' is null`
    await db
      .update(table)
      .set({ picture: sql`${table.picture} - 'former' || ${fetched}` })
      .where(isOf)
  }
  const picture = sql`${sellers.banner}->'picture'`
  const banner = sql`jsonb_set(${sellers.banner}, '{picture}', (${picture}) - 'former' || ${fetched})`
  await db
    .update(sellers)
    .set({ banner })
    .where(sql`${picture}->>'source' = ${source} and ${picture}->>'hash' is null`)
}

/** The slugs of visible products that have no picture to show. */
export async function listPictureless(db: Db): Promise<string[]> {
  const isShown = sql`jsonb_path_exists(${products.pictures}, '$[*] ? (exists(@.hash) || exists(@.former))')`
  const nothing = sql`${products.isVisible} and not ${isShown}`
  const rows = await db.select({ slug: products.slug }).from(products).where(nothing).orderBy(products.slug)
  return rows.map(({ slug }) => slug)
}

function sourcesOf(pictures: (StoredPicture | null | undefined)[]): string[] {
  return pictures.flatMap(picture => (picture?.source && !picture.hash ? picture.source : []))
}

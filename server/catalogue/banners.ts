import { and, asc, isNotNull } from 'drizzle-orm'
import type { Banner } from '#contract/product.ts'
import type { Db, Tx } from '../db/types.ts'
import { platformBanners, sellers, type StoredBanner } from '../db/schema.ts'
import { toBanner } from './pictures.ts'
import { isShopVisible, VERIFIED_BY_RATING } from './sellers.ts'

/** The banners of visible shops, verified and well rated shops first. */
export async function readBanners(db: Db): Promise<Banner[]> {
  const rows = await db
    .select({ id: sellers.id, banner: sellers.banner })
    .from(sellers)
    .where(and(isNotNull(sellers.banner), isShopVisible))
    .orderBy(...VERIFIED_BY_RATING)
  return rows.flatMap(({ id, banner }) => toBanner(id, banner) ?? [])
}

/** The home page's carousel, in the operator's order. */
export async function readPlatformBanners(db: Db): Promise<Banner[]> {
  const found = await findPlatformBanners(db)
  return found.flatMap(({ id, banner }) => toBanner(id, banner) ?? [])
}

/** The same banners as they are stored, including those without a picture yet. */
export async function findPlatformBanners(db: Db | Tx): Promise<{ id: string; banner: StoredBanner }[]> {
  const rows = await db.select().from(platformBanners).orderBy(asc(platformBanners.position), asc(platformBanners.id))
  return rows.map(({ id, title, description, link, picture }) => ({
    id,
    banner: { title, description, ...(link && { link }), picture },
  }))
}

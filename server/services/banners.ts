import { asc, isNotNull } from 'drizzle-orm'
import type { Banner } from '#contract/catalog.ts'
import type { Db } from '../db/open.ts'
import { platformBanners, sellers } from '../db/schema.ts'
import { toBanner } from './pictures.ts'
import { VERIFIED_BY_RATING } from './sellers.ts'

/** The shops' promotions, verified and well rated shops first. */
export async function readBanners(db: Db): Promise<Banner[]> {
  const rows = await db
    .select({ id: sellers.id, banner: sellers.banner })
    .from(sellers)
    .where(isNotNull(sellers.banner))
    .orderBy(...VERIFIED_BY_RATING)
  return rows.flatMap(({ id, banner }) => toBanner(id, banner) ?? [])
}

/** The home page's carousel, in the operator's order. */
export async function readPlatformBanners(db: Db): Promise<Banner[]> {
  const rows = await db.select().from(platformBanners).orderBy(asc(platformBanners.position), asc(platformBanners.id))
  return rows.flatMap(
    ({ id, title, description, link, picture }) =>
      toBanner(id, { title, description, picture, ...(link && { link }) }) ?? [],
  )
}

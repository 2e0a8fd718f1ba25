import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { products, sellers, type StoredPicture } from '../db/schema.ts'

export interface Pictureless {
  id: string
  /** Addresses of pictures that are not here. */
  sources: string[]
}

const PAGE = 50
const lacksHash = sql`jsonb_path_exists(${products.pictures}, '$[*] ? (!exists(@.hash))')`

/** The products of these shops with pictures that are not here, a page at a time. */
export async function* pictureless(db: Db, shopKeys: string[]): AsyncGenerator<Pictureless[]> {
  for (let last = ''; ;) {
    const rows = await db
      .select({ id: products.id, pictures: products.pictures })
      .from(products)
      .innerJoin(sellers, eq(sellers.id, products.sellerId))
      .where(and(inArray(sellers.key, shopKeys), lacksHash, gt(products.id, last)))
      .orderBy(asc(products.id))
      .limit(PAGE)
    if (rows.length > 0) yield rows.map(({ id, pictures }) => ({ id, sources: sourcesOf(pictures) }))
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Says that the picture of this address is here now, under this hash. */
export async function giveHash(db: Db, productId: string, source: string, hash: string): Promise<void> {
  await db.transaction(async tx => {
    const [product] = await tx
      .select({ pictures: products.pictures })
      .from(products)
      .where(eq(products.id, productId))
      .for('update')
    if (!product?.pictures.some(picture => picture.source === source && picture.hash !== hash)) return
    const pictures = product.pictures.map(picture => (picture.source === source ? { ...picture, hash } : picture))
    await tx.update(products).set({ pictures }).where(eq(products.id, productId))
  })
}

/** How many visible products have no picture to show. */
export async function countPictureless(db: Db): Promise<number> {
  const nothing = sql`not ${products.isHidden} and not jsonb_path_exists(${products.pictures}, '$[*].hash')`
  const [row] = await db.select({ count: count() }).from(products).where(nothing)
  return row?.count ?? 0
}

function sourcesOf(pictures: StoredPicture[]): string[] {
  return pictures.flatMap(({ hash, source }) => (hash || !source ? [] : source))
}

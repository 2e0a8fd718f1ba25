import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { asc, eq } from 'drizzle-orm'
import { ROOT } from '#scripts/run.mjs'
import type { Db } from '#server/db/types.ts'
import { categories, platformBanners, products, sellers, variants } from '#server/db/schema.ts'
import { exportJson } from '#server/catalogue/files/export-json.ts'
import { exportShopify } from '#server/catalogue/files/export-shopify.ts'
import { importCatalogue } from '#server/catalogue/files/import/import-catalogue.ts'

type Options = Partial<Parameters<typeof importCatalogue>[1]>

export const FIXTURES = join(ROOT, 'tests/fixtures')
export const PUBLIC_URL = 'https://shop.example'

export function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8')
}

/** A Shopify CSV file with these columns and rows. */
export function sheet(columns: string, ...rows: string[]): string {
  return `${[columns, ...rows].join('\n')}\n`
}

export type Cells = Record<string, string>

/** A WooCommerce file with these rows. */
export function wooSheet(...rows: Cells[]): string {
  const columns = ['ID', 'Type', 'SKU', 'Name', 'Stock', 'Regular price', ...rows.flatMap(row => Object.keys(row))]
  return stringify(rows, { header: true, columns: [...new Set(columns)] })
}

/** A Google feed with these items, as TSV. */
export function googleSheet(...items: Cells[]): string {
  const columns = ['id', 'title', 'price', ...items.flatMap(item => Object.keys(item))]
  return stringify(items, { header: true, delimiter: '\t', columns: [...new Set(columns)] })
}

/** An item of a Google feed that can be imported. */
export function googleItem(id: string, cells: Cells = {}): Cells & { id: string } {
  return { id, title: id, price: '5 USD', availability: 'in stock', ...cells }
}

/** Imports a text. Returns the result with problems and warnings as operators see them. */
export async function importText(db: Db, text: string | Buffer, options: Options = {}) {
  const problems: string[] = []
  const onProblem = (line: number, reason: string) => void problems.push(`line ${line}: ${reason}`)
  const warnings: string[] = []
  const onWarning = (reason: string) => void warnings.push(reason)
  const read = Readable.from([Buffer.from(text)])
  const imported = await importCatalogue(db, { read, onProblem, onWarning, ...options })
  return { ...imported, problems, warnings }
}

export async function exported(db: Db, format: 'json' | 'shopify'): Promise<string> {
  const pieces = format === 'json' ? exportJson(db) : exportShopify(db, PUBLIC_URL)
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

/** The whole stored catalogue. */
export async function stored(db: Db) {
  return {
    products: await db.select().from(products).orderBy(asc(products.id)),
    variants: await db.select().from(variants).orderBy(asc(variants.productId), asc(variants.position)),
    sellers: await db.select().from(sellers).orderBy(asc(sellers.id)),
    categories: await db.select().from(categories).orderBy(asc(categories.name)),
    platformBanners: await db.select().from(platformBanners).orderBy(asc(platformBanners.id)),
  }
}

/** A product by its slug, with its variants in the seller's order. */
export async function storedProduct(db: Db, slug: string) {
  const [product] = await db.select().from(products).where(eq(products.slug, slug))
  const own = await db
    .select()
    .from(variants)
    .where(eq(variants.productId, product?.id ?? ''))
    .orderBy(asc(variants.position))
  return { ...product!, variants: own, stock: own.reduce((sum, { stock }) => sum + stock, 0) }
}

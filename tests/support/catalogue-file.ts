import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { asc } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import { products, variants } from '#server/db/schema.ts'
import { exportJson } from '#server/export/json.ts'
import { exportShopify } from '#server/export/shopify.ts'
import { importCatalogue } from '#server/import/import-catalogue.ts'

type Options = Partial<Parameters<typeof importCatalogue>[1]>

export const FIXTURES = join(import.meta.dirname, '../fixtures')
export const PUBLIC_URL = 'https://shop.example'

export function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8')
}

/** A Shopify file of these columns and rows. */
export function sheet(columns: string, ...rows: string[]): string {
  return `${[columns, ...rows].join('\n')}\n`
}

/** Imports a text and answers what came of it, with the problems as an operator reads them. */
export async function importText(db: Db, text: string | Buffer, options: Options = {}) {
  const problems: string[] = []
  const onProblem = (line: number, reason: string) => void problems.push(`line ${line}: ${reason}`)
  const imported = await importCatalogue(db, { read: Readable.from([Buffer.from(text)]), onProblem, ...options })
  return { ...imported, problems }
}

export async function exported(db: Db, format: 'json' | 'shopify'): Promise<string> {
  const pieces = format === 'json' ? exportJson(db) : exportShopify(db, PUBLIC_URL)
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

/** Every product as it is stored, and every variant. */
export async function stored(db: Db) {
  return {
    products: await db.select().from(products).orderBy(asc(products.id)),
    variants: await db.select().from(variants).orderBy(asc(variants.productId), asc(variants.position)),
  }
}

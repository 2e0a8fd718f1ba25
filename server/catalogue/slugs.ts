import { inArray } from 'drizzle-orm'
import { shopSlug } from '#contract/rules.ts'
import type { Tx } from '../db/types.ts'
import { products } from '../db/schema.ts'

const MAX_LENGTH = 200

/**
 * A free slug for each wanted one. If the wanted slug is taken, appends the shop's key; if that is taken too, a number.
 */
export async function freeSlugs(tx: Tx, wanted: [text: string, shopKey: string][]): Promise<string[]> {
  const bases = wanted.map(([text]) => shopSlug(text).slice(0, MAX_LENGTH))
  const taken = new Set<string>()
  const look = async (slugs: string[]) => {
    const found = await tx.select({ slug: products.slug }).from(products).where(inArray(products.slug, slugs))
    for (const { slug } of found) taken.add(slug)
  }
  if (bases.length > 0) await look(bases)
  const result: string[] = []
  for (const [at, base] of bases.entries()) {
    let slug = base
    const shopKey = wanted[at]?.[1].slice(0, 60) ?? ''
    if (taken.has(slug)) slug = `${base}-${shopKey}`
    if (slug !== base) await look([slug])
    for (let number = 2; taken.has(slug); number += 1) {
      slug = `${base}-${shopKey}-${number}`
      await look([slug])
    }
    taken.add(slug)
    result.push(slug)
  }
  return result
}

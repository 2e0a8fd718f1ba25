import { inArray } from 'drizzle-orm'
import { shopSlug } from '#contract/rules.ts'
import type { Tx } from '../db/types.ts'
import { products } from '../db/schema.ts'

const MAX_LENGTH = 200
/** Hundreds of products may have one name. */
const NUMBERS_AT_ONCE = 500

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
  /** The next number to try, by the slug before it. */
  const numbers = new Map<string, number>()
  const result: string[] = []
  for (const [at, base] of bases.entries()) {
    let slug = base
    if (taken.has(base)) {
      const ofShop = `${base}-${wanted[at]?.[1].slice(0, 60) ?? ''}`
      if (!taken.has(ofShop)) await look([ofShop])
      slug = ofShop
      for (let number = numbers.get(ofShop) ?? 2; taken.has(slug); number += 1) {
        const isNextLot = (number - 2) % NUMBERS_AT_ONCE === 0
        if (isNextLot) await look(Array.from({ length: NUMBERS_AT_ONCE }, (_, ahead) => `${ofShop}-${number + ahead}`))
        slug = `${ofShop}-${number}`
        numbers.set(ofShop, number + 1)
      }
    }
    taken.add(slug)
    result.push(slug)
  }
  return result
}

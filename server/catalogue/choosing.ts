import { and, asc, eq, inArray } from 'drizzle-orm'
import { pleaseChoose } from '#contract/variants.ts'
import type { Db, Tx } from '../db/types.ts'
import { products, variants } from '../db/schema.ts'
import { ServiceError } from '../platform/errors.ts'
import { isVisible } from './products.ts'

/** A product has several variants and none was chosen. `fields` has the values of each option. */
class ChooseOptionsError extends ServiceError {
  constructor(options: Map<string, Set<string>>) {
    const fields = [...options].map(([name, values]) => [name, [...values].join(', ')])
    super('CHOOSE_OPTIONS', pleaseChoose([...options.keys()]), Object.fromEntries(fields))
  }
}

type Choice = Pick<typeof variants.$inferSelect, 'id' | 'options'>

/** The variants of each of these products, in the seller's order. Products that are not sold have none. */
export async function readChoices(db: Db | Tx, productIds: string[]): Promise<Map<string, Choice[]>> {
  const rows = await db
    .select({ id: variants.id, productId: variants.productId, options: variants.options })
    .from(variants)
    .innerJoin(products, eq(products.id, variants.productId))
    .where(and(inArray(variants.productId, productIds), isVisible))
    .orderBy(asc(variants.productId), asc(variants.position))
  return Map.groupBy(rows, ({ productId }) => productId)
}

/**
 * The id of a product's only variant; empty if the product is no longer sold. Throws a `ChooseOptionsError` if it has
 * several.
 */
export function soleVariant(choices: Choice[] = []): string {
  if (choices.length > 1) throw new ChooseOptionsError(valuesOf(choices))
  return choices[0]?.id ?? ''
}

function valuesOf(choices: Choice[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>()
  for (const { options } of choices)
    for (const [name, value] of options) values.set(name, (values.get(name) ?? new Set()).add(value))
  return values
}

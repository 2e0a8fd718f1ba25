import { index, integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import type { VariantSnapshot } from './catalogue.ts'

/**
 * The options of a product's variants that can be bought. Products with equal options share a row, so that a listing's
 * filters are counted by row rather than by product. Rows never change; two may be equal. A trigger adds them.
 */
export const optionSets = pgTable(
  'option_sets',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** The different `variants.options` of one product. */
    variants: jsonb('variants').$type<VariantSnapshot['options'][]>().notNull(),
  },
  table => [index('option_sets_variants').using('hash', table.variants)],
)

import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { variants } from './catalogue.ts'
import { belongsTo, moment } from './columns.ts'

/** A variant's price after its discount, from a point in time on. Triggers add a row for each change. */
export const variantPrices = pgTable(
  'variant_prices',
  {
    variantId: belongsTo('variant_id', () => variants.id),
    since: moment('since').notNull().defaultNow(),
    finalCents: integer('final_cents').notNull(),
  },
  table => [primaryKey({ columns: [table.variantId, table.since] })],
)

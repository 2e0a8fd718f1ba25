import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { variants } from './catalogue.ts'
import { moment } from './columns.ts'

/** A variant's price after its discount, from a point in time on. Triggers add a row for each change. */
export const variantPrices = pgTable(
  'variant_prices',
  {
    variantId: text('variant_id')
      .notNull()
      .references(() => variants.id, { onDelete: 'cascade' }),
    since: moment('since').notNull().defaultNow(),
    finalCents: integer('final_cents').notNull(),
  },
  table => [primaryKey({ columns: [table.variantId, table.since] })],
)

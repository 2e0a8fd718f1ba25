import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Small values that must survive a restart: exchange rates, the demo's version. */
export const facts = pgTable('facts', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

import { text, timestamp } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'

export const id = () => text('id').primaryKey().$defaultFn(v7)
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const createdAt = () => moment('created_at').notNull().defaultNow()

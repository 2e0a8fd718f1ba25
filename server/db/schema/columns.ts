import { type AnyPgColumn, integer, text, timestamp } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'

export const id = () => text('id').primaryKey().$defaultFn(v7)
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const createdAt = () => moment('created_at').notNull().defaultNow()

/** A column with the id of the row to which this one belongs, and with which it is deleted. */
export const belongsTo = (name: string, column: () => AnyPgColumn) =>
  text(name).notNull().references(column, { onDelete: 'cascade' })

/** The columns of a table of pictures that customers sent. */
export const pictureColumns = (table: string) => ({
  /** Ids increase, so sorting by id gives the order in which the pictures were sent. */
  id: id(),
  /** The file's key on the disk or in the bucket. */
  key: text('key').notNull().unique(`${table}_key`),
  mimeType: text('mime_type').notNull(),
  originalName: text('original_name').notNull(),
  size: integer('size').notNull(),
  /** Hash of the file as it was sent; null for pictures from before it was stored. */
  sentHash: text('sent_hash'),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
})

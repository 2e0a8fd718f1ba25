import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id } from './columns.ts'

/** A picture that is stored (`hash`), or known by its URL on another site (`source`), or both. */
export interface StoredPicture {
  hash?: string
  source?: string
  alt?: string
  /** The hash of the picture to show until that of `source` is stored. */
  former?: string
}

export interface StoredBanner {
  title: string
  description: string
  link?: string
  picture: StoredPicture
}

export const platformBanners = pgTable('platform_banners', {
  id: id(),
  position: integer('position').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  link: text('link'),
  picture: jsonb('picture').$type<StoredPicture>().notNull(),
  isDemo: boolean('is_demo').notNull().default(false),
})

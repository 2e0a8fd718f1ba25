import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * Words of names, brands, categories, shops, tags and options, in lower case and without accents, for completing and
 * correcting searches. Triggers add them.
 */
export const searchWords = pgTable(
  'search_words',
  {
    word: text('word').primaryKey(),
    stem: text('stem')
      .notNull()
      .generatedAlwaysAs(sql`search_stem(word)`),
  },
  table => [
    index('search_words_alike').using('gin', sql`${table.word} gin_trgm_ops`),
    index('search_words_begin').on(sql`${table.word} text_pattern_ops`),
    index('search_words_stem').on(table.stem),
  ],
)

/** The operators' own synonyms: lines that `readSynonyms` (server/catalogue/search/synonyms.ts) reads. */
export const searchSynonyms = pgTable('search_synonyms', {
  position: integer('position').primaryKey(),
  line: text('line').notNull(),
})

/** Searches for which no product has all words, and how often each was made. */
export const searchMisses = pgTable('search_misses', {
  words: text('words').primaryKey(),
  count: integer('count').notNull().default(1),
})

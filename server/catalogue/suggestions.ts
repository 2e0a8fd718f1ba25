import { sql, type SQL } from 'drizzle-orm'
import type { Suggestions } from '#contract/suggestions.ts'
import {
  MIN_SUGGESTED_LETTERS,
  shopSlug,
  SUGGESTED_CATEGORIES,
  SUGGESTED_PRODUCTS,
  SUGGESTED_SHOPS,
} from '#contract/rules.ts'
import { named } from '../db/prepared.ts'
import { nameWords } from '../db/schema/derived-columns.ts'
import { categories, products, searchWords, sellers, type StoredPicture } from '../db/schema.ts'
import type { Db } from '../db/types.ts'
import { categoryPicture } from './category-pictures.ts'
import { pictureAddress } from './pictures.ts'
import { ORDERS } from './products.ts'
import type { QueryCache } from './query-cache.ts'
import { withoutAccents } from './search/plain.ts'
import { STOP_WORDS } from './search/stop-words.ts'

const MAX_WORDS = 6
const WORD_LENGTH = 40
/** Thousands of words begin with a single letter: more than two cost time and hardly narrow the choice. */
const MAX_SINGLE_LETTERS = 2
/** The best-selling products that are searched first: common beginnings of words find enough among them. */
const WALKED = 1500
/** The most other products that are sorted. */
const SORTED = 5000
/** Shorter words resemble too many others, and numbers are never corrected. */
const CORRECTABLE = /^\p{L}{4,40}$/u
/** Minimum trigram similarity of a correction. */
const ALIKE = 0.35

const productWords = nameWords(sql`name || ' ' || brand`)
const NOTHING: Suggestions = { products: [], categories: [], sellers: [] }

/**
 * Returns products (best-selling first, sold-out ones last), categories and shops for an unfinished search. If no
 * product's name has words that start with the typed ones, searches options and descriptions for all but the last word,
 * and then uses similar words.
 */
export async function readSuggestions(
  db: Db,
  cache: QueryCache<Suggestions>,
  { value = '', category = null }: { value?: string | undefined; category?: string | null | undefined },
): Promise<Suggestions> {
  const words = beginningsOf(value)
  if (words.join('').length < MIN_SUGGESTED_LETTERS) return NOTHING
  return cache.of([words, category], () => suggest(db, words, category))
}

/** The first words of a text in lower case, without accents and punctuation. Further single letters are left out. */
function beginningsOf(value: string): string[] {
  const words = withoutAccents(value).split(/[^\p{L}\p{M}\p{N}]+/u)
  const first = words.filter(Boolean).slice(0, MAX_WORDS)
  const singles = [...first.keys()].filter(at => first[at]!.length === 1)
  return first
    .filter((_, at) => !singles.slice(MAX_SINGLE_LETTERS).includes(at))
    .map(word => Array.from(word).slice(0, WORD_LENGTH).join(''))
}

async function suggest(db: Db, words: string[], category: string | null): Promise<Suggestions> {
  const matching = words.map(begins).join(' & ')
  const [found, groups, shops] = await Promise.all([
    findProducts(db, matching, category),
    selectCategories(db, { matching }),
    selectShops(db, { matching }),
  ])
  const fitting = found.length > 0 ? found : await findDescribed(db, words, category)
  const meant = fitting.length === 0 ? await similar(db, words) : null
  const rows = meant ? await findProducts(db, meant, category) : fitting
  return {
    products: rows.map(({ id, picture, ...row }) => ({ _id: id, ...row, image: pictureAddress(picture) ?? '' })),
    categories: groups.map(category => ({ name: category.name, image: categoryPicture(category) })),
    sellers: shops.map(({ picture, ...row }) => ({
      ...row,
      slug: shopSlug(row.shopName),
      image: pictureAddress(picture) ?? '',
    })),
  }
}

/** A term of a tsquery for words that begin with `word`, which has only letters and digits and so no operator. */
function begins(word: string): string {
  return `'${word}':*`
}

interface ProductRow {
  id: string
  slug: string
  name: string
  picture: StoredPicture | null
  paidCents: number
  highestCents: number
}

/** Searches the best-selling products first, in their order, and then the index of words. */
async function findProducts(db: Db, matching: string, category: string | null): Promise<ProductRow[]> {
  const best = await (category === null ? walkAll : walkCategory)(db, { matching, category })
  return best.length === SUGGESTED_PRODUCTS ? best : selectByWords(db, { matching, category })
}

/** Finds dresses for 'blue dr' if only their descriptions or options say that they are blue. */
async function findDescribed(db: Db, words: string[], category: string | null): Promise<ProductRow[]> {
  const [last = '', ...others] = words.toReversed()
  // PostgreSQL would ignore a stop word and find everything that is blue for 'blue s'.
  if (others.length === 0 || STOP_WORDS.has(last)) return []
  const matching = [`${begins(last)}A`, ...others.map(begins)].join(' & ')
  return selectDescribed(db, { matching, category })
}

const inOrder = sql.join(ORDERS.topSelling, sql`, `)
const shown = sql`id, slug, name, pictures -> 0 as picture, final_cents as "paidCents", highest_cents as "highestCents"`

function walk(name: string, among: (given: (name: string) => unknown) => SQL) {
  return named<ProductRow>(
    name,
    given => sql`
      select ${shown}
      from (select * from ${products} where is_visible and ${among(given)} order by ${inOrder} limit ${sql.raw(String(WALKED))}) best
      where ${productWords} @@ ${given('matching')}::tsquery
      limit ${sql.raw(String(SUGGESTED_PRODUCTS))}
    `,
  )
}

const walkAll = walk('suggest_best', () => sql`true`)
const walkCategory = walk('suggest_best_of_category', given => sql`category = ${given('category')}::text`)

const selectByWords = named<ProductRow>(
  'suggest_by_words',
  given => sql`
    select ${shown}
    from (
      select * from ${products}
      where is_visible and ${productWords} @@ ${given('matching')}::tsquery
        and (${given('category')}::text is null or category = ${given('category')}::text)
      limit ${sql.raw(String(SORTED))}
    ) ${products}
    order by ${inOrder}
    limit ${sql.raw(String(SUGGESTED_PRODUCTS))}
  `,
)

const selectDescribed = named<ProductRow>(
  'suggest_described',
  given => sql`
    select ${shown}
    from (
      select * from ${products}
      where is_visible and search @@ to_tsquery('russian', ${given('matching')}::text)
        and (${given('category')}::text is null or category = ${given('category')}::text)
      limit ${sql.raw(String(SORTED))}
    ) ${products}
    order by ${inOrder}
    limit ${sql.raw(String(SUGGESTED_PRODUCTS))}
  `,
)

const selectCategories = named<{ name: string; picture: StoredPicture | null }>(
  'suggest_categories',
  given => sql`
    select name, picture from ${categories}
    where ${nameWords(sql`name`)} @@ ${given('matching')}::tsquery
      and exists (select from ${products} where is_visible and category = ${categories.name})
    order by name
    limit ${sql.raw(String(SUGGESTED_CATEGORIES))}
  `,
)

const selectShops = named<{ sellerId: string; shopName: string; picture: StoredPicture | null }>(
  'suggest_shops',
  given => sql`
    select id as "sellerId", shop_name as "shopName", picture from ${sellers}
    where not is_hidden and ${nameWords(sql`shop_name`)} @@ ${given('matching')}::tsquery
    order by is_verified desc nulls last, rating desc nulls last, id
    limit ${sql.raw(String(SUGGESTED_SHOPS))}
  `,
)

const selectSimilar = named<{ typed: string; meant: string }>(
  'suggest_similar',
  given => sql`
    select typed, near.word as meant
    from unnest(${given('words')}::text[]) typed
    cross join lateral (
      select word from ${searchWords}
      where word % typed and similarity(word, typed) >= ${sql.raw(String(ALIKE))}
      order by similarity(word, typed) desc, word
      limit 2
    ) near
    where not exists (select from ${searchWords} where word like typed || '%')
  `,
)

/** A tsquery that replaces words which begin no known word by similar ones; null if there are no similar words. */
async function similar(db: Db, words: string[]): Promise<string | null> {
  const typed = words.filter(word => CORRECTABLE.test(word))
  if (typed.length === 0) return null
  const rows = await selectSimilar(db, { words: typed })
  if (rows.length === 0) return null
  const meant = Map.groupBy(rows, row => row.typed)
  const alternatives = (word: string) => (meant.get(word)?.map(row => row.meant) ?? [word]).map(begins)
  return words.map(word => `(${alternatives(word).join(' | ')})`).join(' & ')
}

import { and, lte, or, sql, type SQL } from 'drizzle-orm'
import { products } from '#server/db/schema.ts'
import type { TermKind } from './phrases.ts'
import type { Alternative, Term } from './terms.ts'

/**
 * Weights of a word by its place: A kind of product; B brand, category, options, tags; C shop, codes; D description.
 */
const PLACES = { A: 1, B: 0.6, C: 0.45, D: 0.2 } as const
const WEIGHTS: Record<TermKind, number> = { main: 1, minor: 0.6, colour: 0.6, optional: 0.5 }
const LAST_WORD = 1.2
const POPULARITY = 0.15
const HALF_POPULAR = 60
const RATING = 0.05
const SOLD_OUT = 0.25
const AFFORDABLE = 3
const BREVITY = 0.12
/** Descriptions are searched only for alternatives with at least this factor. */
const MIN_DESCRIBED = 0.9
/** With many more operands in a query, PostgreSQL reads all products instead of looking each word up. */
const MAX_OPERANDS = 60

/** A condition that no product fulfils. */
const NOTHING = `('x' & !'x')`

/** With a `place`, only words there match; words that may stand apart may also be in a place with a higher weight. */
function queryOf({ words, isLoose }: Alternative, place = ''): string {
  const places = isLoose ? 'ABCD'.slice(0, 'ABCD'.indexOf(place) + 1) : place
  const query = words.map(word => `'${word}'${place && `:${places}`}`).join(isLoose ? ' & ' : ' <-> ')
  return isLoose ? `(${query})` : query
}

function anyOf(alternatives: Alternative[], place = ''): string {
  if (alternatives.length === 0) return NOTHING
  return `(${alternatives.map(each => queryOf(each, place)).join(' | ')})`
}

/**
 * A tsquery. Words contain only letters and digits (plain.ts), so that none of them is an operator. The configuration
 * 'russian' stems English words as 'english' does, and Russian words too.
 */
function toQuery(text: string): SQL {
  return sql`to_tsquery('russian', ${text})`
}

/** A condition: the product has all of these words. Descriptions mention too much to be searched for synonyms. */
export function haveAll(terms: Term[], column: 'named' | 'search'): SQL {
  const has = (of: 'named' | 'search', words: Alternative[][]) =>
    sql`${products[of]} @@ ${toQuery(words.map(alternatives => anyOf(alternatives)).join(' & '))}`
  const typed = terms.map(({ alternatives }) => alternatives.filter(({ factor }) => factor >= MIN_DESCRIBED))
  const isTyped = (_: Term, at: number) => typed[at]!.length === terms[at]!.alternatives.length
  if (column === 'named' || terms.every(isTyped))
    return has(
      column,
      terms.map(({ alternatives }) => alternatives),
    )
  return and(
    ...terms.map(({ alternatives }, at) =>
      typed[at]!.length === 0
        ? has('named', [alternatives])
        : typed[at]!.length === alternatives.length
          ? has('search', [alternatives])
          : or(has('search', [typed[at]!]), has('named', [alternatives])),
    ),
  )!
}

export function costAtMost(cents: number): SQL {
  return lte(products.finalCents, cents)
}

/** A condition: the name says that the product is the kind of thing that the search's last main word means. */
export function areOfKind(terms: Term[]): SQL {
  const last = terms.findLast(({ kind }) => kind === 'main')
  return last ? sql`${products.named} @@ ${toQuery(anyOf(last.alternatives, 'A'))}` : sql`false`
}

/** A condition: the product has all but one of these words. The more words, the fewer of their alternatives count. */
export function haveAllButOne(terms: Term[]): SQL {
  const each = shortened(terms, terms.length * (terms.length - 1))
  const some = each.map((_, left) => `(${each.filter((_, at) => at !== left).join(' & ')})`)
  return sql`${products.search} @@ ${toQuery(some.join(' | '))}`
}

/** A condition: the product's name has one of these words. The more words, the fewer of their alternatives count. */
export function areNamedAny(terms: Term[]): SQL {
  return sql`${products.named} @@ ${toQuery(shortened(terms, terms.length).join(' | '))}`
}

/** A query for each term, short enough that a query with `count` of them stays within `MAX_OPERANDS`. */
function shortened(terms: Term[], count: number): string[] {
  const most = Math.max(1, Math.floor(MAX_OPERANDS / count))
  return terms.map(({ alternatives }) => anyOf(alternatives.slice(0, most)))
}

/**
 * The order of a search's products, best first:
 *
 *   relevance + 0.15 × units / (units + 60) + 0.05 × rating / 5 − 0.25 if sold out + 0.12 × relevance × brevity
 *     + 3 if it costs at most what the search says, which is more than all the rest
 *
 * `relevance`, from 0 to 1, is the weighted mean over the words of the search. A word counts 1 if it names the kind of
 * product, 0.6 in its brand, category, options or tags, 0.45 in its shop or codes, 0.2 in its description; times 0.95
 * for a compound, 0.8 for a synonym, 0.5 for a similar kind of goods, 0.4 for a part of a word. Words weigh 1, colours
 * and numbers 0.6, audiences and occasions 0.5; the last main word weighs 1.2 times as much. `units` were sold in 90
 * days. `brevity` is the share of the search's words among the words for the kind of product, so that a plain tent
 * precedes a tent peg. Of equally relevant products, sold-out ones come last, because sales and ratings together weigh
 * less. Products that fulfil `first` precede all others.
 */
export function scoreOf(
  terms: Term[],
  { first, mostCents }: { first?: SQL | undefined; mostCents?: number | undefined },
): SQL {
  const lastMain = terms.findLastIndex(({ kind }) => kind === 'main')
  const weights = terms.map(({ kind }, at) => WEIGHTS[kind] * (at === lastMain ? LAST_WORD : 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const parts = terms.map((term, at) => sql`${weights[at]! / total}::float8 * ${fitOf(term)}`)
  const relevance = parts.length > 0 ? sql.join(parts, sql` + `) : sql`0`
  const { named, unitsSold, ratingScore, isAvailable } = products
  const affordable =
    mostCents === undefined ? sql`0` : sql`case when ${costAtMost(mostCents)} then ${AFFORDABLE}::float8 else 0 end`
  const isFirst = first ? sql`case when ${first} then 1 else 0 end` : sql`0`
  return sql`(${isFirst} + ${affordable} + ${relevance} + ${POPULARITY}::float8 * ${unitsSold} / (${unitsSold} + ${HALF_POPULAR}::float8)
    + ${RATING}::float8 * ${ratingScore} / 5 - case when ${isAvailable} then 0 else ${SOLD_OUT}::float8 end
    + ${BREVITY}::float8 * (${relevance}) * least(1, ${terms.length}::float8 / greatest(1, length(ts_filter(${named}, '{a}')))))`
}

function fitOf({ alternatives }: Term): SQL {
  const byFactor = Map.groupBy(alternatives, ({ factor }) => factor)
  const fits = [...byFactor].map(([factor, same]) => {
    const cases = Object.entries(PLACES).map(
      ([place, value]) =>
        sql`when ${place === 'D' ? products.search : products.named} @@ ${toQuery(anyOf(same, place))} then ${value * factor}::float8`,
    )
    return sql`case ${sql.join(cases, sql` `)} else 0 end`
  })
  return sql`greatest(${sql.join([sql`0`, ...fits], sql`, `)})`
}

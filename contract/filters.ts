import * as z from 'zod/mini'
import { type Names, type Renamed, renaming } from './endpoint.ts'
import { MAX_FILTER_VALUES, OPTION_LENGTH, slugOf } from './rules.ts'
import { text } from './wire.ts'

/**
 * The chosen values of one of a listing's filters: products match any of them. `name` is the query parameter: `brand`,
 * `shop`, or `option.` and the `optionKey` of an option.
 */
export interface ChosenFilter {
  name: string
  values: string[]
}

/**
 * A filter with the values that the found products have. `count` is the number of products that would be left if the
 * value were chosen as well. `label` is shown instead of a value that is an id. `isRare`: an option that less than a
 * third of the found products have.
 */
export const OfferedFilter = z.object({
  name: z.string(),
  title: z.string(),
  values: z.array(z.object({ value: z.string(), count: z.int(), label: z.optional(z.string()) })),
  isRare: z.optional(z.boolean()),
})
export type OfferedFilter = z.output<typeof OfferedFilter>

/**
 * Further filters of a listing, each with the number of products that would be left if it were chosen. A discount is a
 * minimum in percent. `priceRange` covers the found products in US dollars, ignoring the price filter: `low` is the
 * exact price of the cheapest one, the others are whole dollars, and most products cost no more than `end`.
 */
export const Facets = z.object({
  ratings: z.array(z.object({ rating: z.int(), count: z.int() })),
  discounts: z.array(z.object({ percent: z.int(), count: z.int() })),
  inStock: z.int(),
  priceRange: z.object({ low: z.number(), high: z.number(), end: z.number() }),
})
export type Facets = z.output<typeof Facets>

export const BRAND = 'brand'
/** The values of this filter are ids of shops. */
export const SHOP = 'shop'
const OPTION = 'option.'

/** A key that is equal for all spellings of an option's name: 'Color' and 'Colour' become `colour`. May be empty. */
export function optionKey(name: string): string {
  const key = slugOf(name)
  return key === 'color' ? 'colour' : key
}

/** The query parameter that filters by an option, such as `option.colour`. */
export function optionFilter(optionName: string): string {
  return OPTION + optionKey(optionName)
}

/** A key that is equal for all spellings of a value: ignores letter case and spaces. */
export function valueKey(value: string): string {
  return value.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** Whether a query parameter is a filter. */
export function isFilterName(name: string): boolean {
  return name === BRAND || name === SHOP || name.startsWith(OPTION)
}

/**
 * Reads the filters of a query, sorted by name; undefined if there are none. `problem` describes the first malformed
 * filter; `filters` then contains the valid ones. `isClean` is false if our own links would write them differently.
 */
export function readFilters(given: Iterable<readonly [name: string, value: unknown]>) {
  const byName = new Map<string, Map<string, string>>()
  let problem: { name: string; message: string } | undefined
  let isClean = true
  let count = 0
  const reject = (name: string, message: string) => {
    problem ??= { name, message }
    isClean = false
  }
  for (const [name, value] of given) {
    if (!isFilterName(name) || value === undefined || value === '') continue
    const filter = name.startsWith(OPTION) ? optionFilter(name.slice(OPTION.length)) : name
    const malformed = nameProblemOf(name, filter) ?? problemOf(name, value)
    const label = malformed === undefined ? (value as string).trim() : ''
    const key = valueKey(label)
    const chosen = byName.get(filter) ?? new Map<string, string>()
    if (filter !== name) isClean = false
    if (malformed !== undefined) reject(name, malformed)
    else if (key === '' || chosen.has(key)) isClean = false
    else if (count === MAX_FILTER_VALUES) reject(name, `At most ${MAX_FILTER_VALUES} values can be chosen`)
    else {
      count += 1
      byName.set(filter, chosen.set(key, label))
    }
  }
  const filters = [...byName]
    .map(([name, values]): ChosenFilter => ({ name, values: [...values.values()] }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return { filters: filters.length > 0 ? filters : undefined, isClean, problem }
}

/** The filters as query parameters. */
export function writeFilters(filters: ChosenFilter[] = []): [name: string, value: string][] {
  return filters.flatMap(({ name, values }) => values.map((value): [string, string] => [name, value]))
}

/** The filters with one value added, or without it if it is chosen. */
export function toggleFilter(filters: ChosenFilter[] = [], name: string, value: string): ChosenFilter[] | undefined {
  const key = valueKey(value)
  const isToggled = ([each, chosen]: [string, string]) => each === name && valueKey(chosen) === key
  const written = writeFilters(filters)
  const rest = written.filter(each => !isToggled(each))
  return readFilters(rest.length < written.length ? rest : [...rest, [name, value]]).filters
}

/**
 * Like `renamed`, for the query of a call that takes filters: collects them in the field `filters`, unchecked. The
 * provider checks them with `readFilters`, which browsers do not need to load.
 */
export function filteredQuery<Shape extends z.core.$ZodShape, const NewNames extends Names<Shape>>(
  shape: Shape,
  names: NewNames,
) {
  const { toOurs, toWire } = renaming(names)
  type Query = Renamed<Shape, NewNames> & { filters?: ChosenFilter[] | undefined }
  return z.codec(z.looseObject(shape), z.custom<Query>(), {
    decode: wire => {
      const entries = Object.entries(wire)
      const filters = entries.filter(([name]) => isFilterName(name))
      return {
        ...toOurs(Object.fromEntries(entries.filter(([name]) => Object.hasOwn(shape, name)))),
        ...(filters.length > 0 && { filters: filters.map(([name, values]) => ({ name, values: [values].flat() })) }),
      } as Query
    },
    encode: ({ filters = [], ...rest }) => {
      const written = filters.map(({ name, values }) => [name, values])
      return { ...toWire(rest), ...Object.fromEntries(written) } as z.output<z.ZodMiniObject<Shape>>
    },
  })
}

function nameProblemOf(name: string, filter: string): string | undefined {
  if (filter === OPTION) return `${name} names no option`
  return filter.length > OPTION.length + OPTION_LENGTH
    ? `No option has more than ${OPTION_LENGTH} characters`
    : undefined
}

function problemOf(name: string, value: unknown): string | undefined {
  const { error } = z.safeDecode(text(name, OPTION_LENGTH), value as string)
  return error?.issues[0]?.message
}

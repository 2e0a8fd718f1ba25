import { BRAND, type ChosenFilter, type OfferedFilter, SHOP, valueKey } from '#contract/filters.ts'
import { MAX_OFFERED_VALUES, MAX_OPTION_FILTERS } from '#contract/rules.ts'
import type { OptionSet, OptionValue } from './option-sets.ts'
import { inNaturalOrder } from './value-order.ts'

/** Products with equal options. */
export interface Group {
  set: OptionSet
  count: number
}

/** Keys of the chosen values of each filter. */
export type ChosenKeys = Map<string, Set<string>>

interface CountedValue {
  count: number
  /** The number of products by spelling. */
  spellings: Map<string, number>
}

interface CountedFilter {
  /** Number of products with the option, ignoring its chosen values, so that a choice does not reorder the filters. */
  spread: number
  titles: Map<string, number>
  values: Map<string, CountedValue>
}

/** The number of products by filter and value. */
export type FilterCounts = Map<string, CountedFilter>

/** The chosen values: of options and brands as keys, of shops as ids. */
export function keysOf(filters: ChosenFilter[] = []) {
  const options: ChosenKeys = new Map(filters.map(({ name, values }) => [name, new Set(values.map(valueKey))]))
  const brands = options.get(BRAND)
  options.delete(BRAND)
  options.delete(SHOP)
  const shops = filters.find(({ name }) => name === SHOP)?.values
  return { options, brands, shops }
}

/** A variant with a value of this option does not match. */
const MISSED = 1
const CHOSEN = 2

/**
 * Counts the products for each value. The values of one filter are alternatives, so a filter's own choice does not
 * restrict its counts. Arrays indexed by value keep this fast for the tens of thousands of groups of a large catalogue.
 */
export function countOptions(values: OptionValue[], groups: Group[], chosen: ChosenKeys): FilterCounts {
  const counts = new Int32Array(values.length)
  if (chosen.size === 0) {
    for (const { set, count } of groups) for (const value of set.all) counts[value]! += count
    return byFilter(values, counts, groups)
  }
  const states = Uint8Array.from(values, ({ filter, key }) => {
    const keys = chosen.get(filter)
    return keys ? (keys.has(key) ? CHOSEN : MISSED) : 0
  })
  const firsts = Int32Array.from(values, ({ first }) => first)
  /** By the index of a value's first spelling: the number of the last group in which the value was counted. */
  const countedIn = new Int32Array(values.length)
  let groupNumber = 0
  for (const group of groups) {
    groupNumber += 1
    for (const variant of group.set.variants) {
      let hits = 0
      for (const value of variant) if (states[value] === CHOSEN) hits += 1
      if (hits < chosen.size - 1) continue
      const isMatch = hits === chosen.size
      for (const value of variant) {
        const first = firsts[value]!
        if (countedIn[first] === groupNumber || !(isMatch || states[value] === MISSED)) continue
        countedIn[first] = groupNumber
        counts[value]! += group.count
      }
    }
  }
  return byFilter(values, counts, groups)
}

/** Whether a set has a variant with a chosen value of each option. */
export function matcherOf(values: OptionValue[], chosen: ChosenKeys): (set: OptionSet) => boolean {
  const isChosen = Uint8Array.from(values, ({ filter, key }) => (chosen.get(filter)?.has(key) ? 1 : 0))
  const hitsOf = (variant: number[]) => {
    let hits = 0
    for (const value of variant) hits += isChosen[value]!
    return hits
  }
  return ({ variants }) => variants.some(variant => hitsOf(variant) === chosen.size)
}

function byFilter(values: OptionValue[], counts: Int32Array, groups: Group[]): FilterCounts {
  const found: FilterCounts = new Map()
  for (const [index, count] of counts.entries()) if (count > 0) addTo(found, values[index]!, count)
  const spreads = new Map<string[], number>()
  for (const { set, count } of groups) spreads.set(set.filters, (spreads.get(set.filters) ?? 0) + count)
  for (const [filters, count] of spreads)
    for (const filter of filters) {
      const ofFilter = found.get(filter)
      if (ofFilter) ofFilter.spread += count
    }
  return found
}

function addTo(
  counts: FilterCounts,
  { filter, key, title, label }: Pick<OptionValue, 'filter' | 'key' | 'title' | 'label'>,
  count: number,
) {
  let ofFilter = counts.get(filter)
  if (!ofFilter) counts.set(filter, (ofFilter = { spread: 0, titles: new Map(), values: new Map() }))
  let ofValue = ofFilter.values.get(key)
  if (!ofValue) ofFilter.values.set(key, (ofValue = { count: 0, spellings: new Map() }))
  ofValue.count += count
  ofValue.spellings.set(label, (ofValue.spellings.get(label) ?? 0) + count)
  ofFilter.titles.set(title, (ofFilter.titles.get(title) ?? 0) + count)
}

/** Adds brands to the counts; different spellings of a brand are counted together. */
export function addBrands(counts: FilterCounts, brands: Iterable<[brand: string, count: number]>): void {
  for (const [brand, count] of brands) {
    const value = { filter: BRAND, key: valueKey(brand), title: 'Brand', label: brand.trim() }
    if (value.key !== '' && count > 0) addTo(counts, value, count)
  }
}

/** An option that a smaller share of the list's products have is rare. */
const FAIR_SHARE = 1 / 3

/**
 * The filters to offer for a list of `total` products: those that would narrow it, and the chosen ones. Options come
 * first, the ones with most products at the top; brands come last.
 */
export function offerFilters(counts: FilterCounts, chosen: ChosenFilter[] = [], total: number): OfferedFilter[] {
  const chosenOf = new Map(chosen.filter(({ name }) => name !== SHOP).map(({ name, values }) => [name, values]))
  const spreadOf = (name: string) => counts.get(name)?.spread ?? 0
  const narrowing = [...counts].filter(
    ([, { values }]) => values.size > 1 || values.values().next().value?.count !== total,
  )
  const names = new Set([...narrowing.map(([name]) => name), ...chosenOf.keys()])
  const hasBrands = names.delete(BRAND)
  const options = [...names]
    .toSorted((one, other) => spreadOf(other) - spreadOf(one) || (one < other ? -1 : 1))
    .filter((name, at) => at < MAX_OPTION_FILTERS || chosenOf.has(name))
  return [...options, ...(hasBrands ? [BRAND] : [])].map(name => {
    const counted = counts.get(name)
    const values = offeredValues(name, counted?.values, chosenOf.get(name))
    const title = (counted && mostUsedSpelling(counted.titles)) ?? titleOf(name)
    const isRare = name !== BRAND && spreadOf(name) < total * FAIR_SHARE
    return { name, title, values, ...(isRare && { isRare }) }
  })
}

function offeredValues(name: string, counted = new Map<string, CountedValue>(), chosen: string[] = []) {
  const chosenKeys = new Map(chosen.map(value => [valueKey(value), value]))
  const values = [...counted].map(([key, { count, spellings }]) => ({
    key,
    value: mostUsedSpelling(spellings) ?? '',
    count,
  }))
  const most = values
    .toSorted((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
    .slice(0, MAX_OFFERED_VALUES)
  const known = values.filter(value => most.includes(value) || chosenKeys.has(value.key))
  const unknown = [...chosenKeys].filter(([key]) => !counted.has(key)).map(([, value]) => ({ value, count: 0 }))
  const ordered = inNaturalOrder([...known, ...unknown], name !== BRAND)
  return ordered.map(({ value, count }) => ({ value, count }))
}

export interface CountedShop {
  id: string
  name: string
  count: number
}

/** The filter by shop; none if all products belong to one shop. */
export function offerShops(shops: CountedShop[], chosen: string[] = []): OfferedFilter[] {
  if (shops.length < 2 && chosen.length === 0) return []
  const values = shops.map(({ id, name, count }) => ({ value: id, label: name, count }))
  return [{ name: SHOP, title: 'Shop', values }]
}

/** The spelling that most products use. */
function mostUsedSpelling(spellings: Map<string, number>): string | undefined {
  const [first] = [...spellings].toSorted(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
  return first?.[0]
}

/** The title of a chosen filter that no product has, made from its name. */
function titleOf(name: string): string {
  const words = name.replace(/^option\./, '').replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChosenFilter } from '#contract/filters.ts'
import { MAX_OFFERED_VALUES, MAX_OPTION_FILTERS } from '#contract/rules.ts'
import type { Db } from '#server/db/types.ts'
import {
  addBrands,
  countOptions,
  type Group,
  keysOf,
  matcherOf,
  offerFilters,
} from '#server/catalogue/filter-counts.ts'
import { createOptionIndex } from '#server/catalogue/option-sets.ts'

/** The options of one variant, such as { Size: '43', Colour: 'Blue' }. */
type Options = Record<string, string>

const { values, readSet } = createOptionIndex({} as Db)

function group(count: number, ...variants: Options[]): Group {
  return { set: readSet(variants.map(options => Object.entries(options))), count }
}

const countAll = (all: Group[], chosen: Parameters<typeof countOptions>[2]) => countOptions(values, all, chosen)

const matchingOf = (all: Group[], chosen: Parameters<typeof matcherOf>[1]) =>
  all.filter(({ set }) => matcherOf(values, chosen)(set))

const size = fc.constantFrom('41', '42', '43')
const colour = fc.constantFrom('Blue', 'Red', 'Teal')
const cut = fc.constantFrom('Wide', 'Slim')
const variant = fc.record({ size, colour, cut }, { requiredKeys: [] })
const groups = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.array(variant, { minLength: 1, maxLength: 4 }))
    .map(([n, all]) => group(n, ...all)),
  { maxLength: 8 },
)
const some = <Value>(values: fc.Arbitrary<Value>) => fc.uniqueArray(values, { minLength: 1, maxLength: 2 })
const filters = fc
  .record({ size: some(size), colour: some(colour), cut: some(cut) }, { requiredKeys: [] })
  .map(chosen => Object.entries(chosen).map(([name, values]) => ({ name: `option.${name}`, values })))

test('a value’s count is the number of products that are listed once it is chosen instead of the others', () => {
  fc.assert(
    fc.property(groups, filters, (all, chosen) => {
      const { options } = keysOf(chosen)
      const counts = countAll(all, options)
      for (const [name, filter] of counts)
        for (const [key, { count }] of filter.values) {
          const matching = matchingOf(all, new Map(options).set(name, new Set([key])))
          expect(count).toBe(matching.reduce((sum, each) => sum + each.count, 0))
        }
    }),
  )
})

test('the listed products have a variant with a chosen value of each option', () => {
  fc.assert(
    fc.property(groups, filters, (all, chosen) => {
      const matching = matchingOf(all, keysOf(chosen).options)
      const isListed = ({ set }: Group) =>
        set.variants.some(variant =>
          chosen.every(({ name, values: labels }) =>
            variant.some(at => values[at]!.filter === name && (labels as string[]).includes(values[at]!.label)),
          ),
        )
      expect(matching).toEqual(all.filter(isListed))
    }),
  )
})

describe('the offered filters', () => {
  const offered = (all: Group[], total: number, chosen: ChosenFilter[] = []) =>
    offerFilters(countAll(all, keysOf(chosen).options), chosen, total)

  test('leave out what all products have', () => {
    const all = [group(2, { Size: 'S', Colour: 'Blue' }), group(1, { Size: 'M', Colour: 'Blue' })]

    expect(offered(all, 3).map(({ name }) => name)).toEqual(['option.size'])
    expect(offered(all, 4).map(({ name }) => name)).toEqual(['option.colour', 'option.size'])
    const chosen = [{ name: 'option.colour', values: ['Blue'] }]
    expect(offered(all, 3, chosen).map(({ name }) => name)).toEqual(['option.colour', 'option.size'])
  })

  test('are those of most products, and all chosen ones', () => {
    const names = Array.from({ length: MAX_OPTION_FILTERS + 2 }, (_, at) => `O${at}`)
    const all = names.map((name, at) => group(at + 1, { [name]: 'x' }))

    const titles = offered(all, 100).map(({ title }) => title)
    expect(titles).toEqual(names.toReversed().slice(0, MAX_OPTION_FILTERS))
    expect(offered(all, 100, [{ name: 'option.o0', values: ['x'] }])[0]).toMatchObject({ title: 'O0' })
  })

  test('keep their order whatever is chosen', () => {
    const all = [group(5, { Colour: 'Blue', Size: 'S' }), group(2, { Size: 'M' }), group(1, { Cut: 'A' }, { Cut: 'B' })]
    const names = (chosen: ChosenFilter[]) => offered(all, 9, chosen).map(({ name }) => name)

    expect(names([])).toEqual(['option.size', 'option.colour', 'option.cut'])
    expect(names([{ name: 'option.colour', values: ['Blue'] }])).toEqual(['option.size', 'option.colour'])
  })

  test('have the values of most products, and all chosen ones', () => {
    const all = Array.from({ length: MAX_OFFERED_VALUES + 5 }, (_, at) => group(at + 1, { Size: `V${at}` }))

    expect(offered(all, 1000)[0]?.values).toHaveLength(MAX_OFFERED_VALUES)
    const chosen = [{ name: 'option.size', values: ['V0', 'V70'] }]
    const [sizes] = offered(all, 1000, chosen)
    expect(sizes?.values).toHaveLength(MAX_OFFERED_VALUES + 2)
    expect(sizes?.values.at(-2)).toEqual({ value: 'V0', count: 1 })
    expect(sizes?.values.at(-1)).toEqual({ value: 'V70', count: 0 })
  })

  test('say which options only a few products of the list have', () => {
    const all = [group(4, { Size: '42' }), group(5, { Size: '43' }), group(2, { Balance: 'North' })]

    expect(offered(all, 11).map(({ title, isRare }) => [title, isRare])).toEqual([
      ['Size', undefined],
      ['Balance', true],
    ])
  })

  test('use the spelling of most products', () => {
    const all = [group(1, { SIZE: 'XL', Colour: 'BLUE' }), group(2, { Size: 'xl', Colour: 'Blue' })]
    const counts = countAll(all, new Map())
    addBrands(counts, [
      ['ada', 1],
      ['Ada', 2],
      ['Bea', 0],
      [' ', 4],
    ])

    expect(offerFilters(counts, [], 9)).toEqual([
      { name: 'option.colour', title: 'Colour', values: [{ value: 'Blue', count: 3 }] },
      { name: 'option.size', title: 'Size', values: [{ value: 'xl', count: 3 }] },
      { name: 'brand', title: 'Brand', values: [{ value: 'Ada', count: 3 }] },
    ])
  })
})

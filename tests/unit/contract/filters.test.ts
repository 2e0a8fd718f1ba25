import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { filteredQuery, optionKey, readFilters, toggleFilter, valueKey, writeFilters } from '#contract/filters.ts'
import { MAX_FILTER_VALUES } from '#contract/rules.ts'
import { queryPage } from '#contract/wire.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))

test.each([
  ['Color', 'colour'],
  [' COLOUR ', 'colour'],
  ['color', 'colour'],
  ['Colorway', 'colorway'],
  ['Shoe Size', 'shoe-size'],
  ['Größe', 'große'],
  ['尺码', '尺码'],
  ['Size (EU)', 'size-eu'],
  ['__proto__', 'proto'],
  ['***', ''],
])('the option %j has the key %j', (name, key) => expect(optionKey(name)).toBe(key))

test.each([
  [' Light  Blue', 'light blue'],
  ['LIGHT\tBLUE', 'light blue'],
  ['４３', '43'],
  ['½', '1⁄2'],
  ['  ', ''],
])('the value %j has the key %j', (value, key) => expect(valueKey(value)).toBe(key))

describe('the filters of a query', () => {
  test('are read in the order of their names, whatever stands between them', () => {
    expect(read('option.size=43&category=Shoes&brand=Ada&option.size=44')).toEqual({
      filters: [
        { name: 'brand', values: ['Ada'] },
        { name: 'option.size', values: ['43', '44'] },
      ],
      isClean: true,
      problem: undefined,
    })
    expect(read('category=Shoes&option.size=&brand=')).toEqual({
      filters: undefined,
      isClean: true,
      problem: undefined,
    })
  })

  test.each([
    ['option.Color=Blue', 'option.colour=Blue'],
    ['option.size=43&option.size=43', 'option.size=43'],
    ['option.size=xl&option.size=XL', 'option.size=xl'],
    ['option.color=Blue&option.colour=Red', 'option.colour=Blue&option.colour=Red'],
    ['option.=43&brand=Ada', 'brand=Ada'],
    ['option.***=43&brand=Ada', 'brand=Ada'],
    ['brand=a%00b&brand=Ada', 'brand=Ada'],
    [`brand=${'x'.repeat(256)}&brand=Ada`, 'brand=Ada'],
    ['brand=+&brand=Ada', 'brand=Ada'],
  ])('%s is not clean, and means %s', (query, clean) => {
    const { filters, isClean } = read(query)

    expect(isClean).toBe(false)
    expect(String(new URLSearchParams(writeFilters(filters) as [string, string][]))).toBe(clean)
    expect(read(clean)).toMatchObject({ filters, isClean: true })
  })

  test('have a limited number of values', () => {
    const values = Array.from({ length: MAX_FILTER_VALUES + 2 }, (_, at) => `option.o${at % 3}=${at}`)

    expect(read(values.slice(0, MAX_FILTER_VALUES).join('&'))).toMatchObject({ isClean: true, problem: undefined })
    const { filters, isClean, problem } = read(values.join('&'))
    expect(writeFilters(filters)).toHaveLength(MAX_FILTER_VALUES)
    expect(isClean).toBe(false)
    expect(problem?.message).toBe(`At most ${MAX_FILTER_VALUES} values can be chosen`)
  })

  test('gain a value, and lose it in any spelling', () => {
    const sizes = [{ name: 'option.size', values: ['43', 'XL'] }]

    expect(toggleFilter(sizes, 'brand', 'Ada')).toEqual([{ name: 'brand', values: ['Ada'] }, ...sizes])
    expect(toggleFilter(sizes, 'option.size', 'xl')).toEqual([{ name: 'option.size', values: ['43'] }])
    expect(toggleFilter([{ name: 'option.size', values: ['43'] }], 'option.size', '43')).toBeUndefined()
    expect(toggleFilter(undefined, 'brand', 'Ada')).toEqual([{ name: 'brand', values: ['Ada'] }])
  })
})

describe('the query of a call with filters', () => {
  const query = filteredQuery({ pageNumber: queryPage('pageNumber') }, { pageNumber: 'page' })

  test('keeps its own parameters and drops unknown ones', () => {
    const wire = { pageNumber: '2', other: ['x', 'y'], 'option.size': ['43', '44'], brand: 'Ada' }
    const filters = [
      { name: 'brand', values: ['Ada'] },
      { name: 'option.size', values: ['43', '44'] },
    ]

    expect(z.decode(query, wire as never)).toEqual({ page: 2, filters: filters.toReversed() })
    expect(z.encode(query, { page: 2, filters })).toEqual({
      pageNumber: '2',
      brand: ['Ada'],
      'option.size': ['43', '44'],
    })
  })
})

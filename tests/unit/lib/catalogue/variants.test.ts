import { describe, expect, test } from 'vitest'
import { choose, chooseAll, findVariant, firstChoice, optionsOf } from '#lib/catalogue/variants.ts'

const variant = (size: string, colour: string, stock = 1) => ({ options: { Size: size, Colour: colour }, stock })

const S_SAND = variant('S', 'Sand')
const S_INK = variant('S', 'Ink', 0)
const M_SAND = variant('M', 'Sand', 0)
const M_INK = variant('M', 'Ink', 0)
const L_INK = variant('L', 'Ink')
const XL_MOSS = variant('XL', 'Moss')
const SHIRTS = [S_SAND, S_INK, M_SAND, M_INK, L_INK, XL_MOSS]

const states = (chosen: typeof S_SAND) =>
  optionsOf(SHIRTS, chosen).map(({ values }) => Object.fromEntries(values.map(({ value, state }) => [value, state])))

describe('the options of a product', () => {
  test('have each value once, in the seller’s order, and know the chosen ones', () => {
    const seen = optionsOf(SHIRTS, L_INK).map(({ name, values }) => ({
      name,
      values: values.map(({ value, isChosen }) => (isChosen ? `(${value})` : value)),
    }))

    expect(seen).toEqual([
      { name: 'Size', values: ['S', 'M', '(L)', 'XL'] },
      { name: 'Colour', values: ['Sand', '(Ink)', 'Moss'] },
    ])
  })

  test('are sold out when no variant can be bought, the later ones beside the values chosen before them', () => {
    const sizes = { S: 'buyable', M: 'soldOut', L: 'buyable', XL: 'buyable' }

    expect(states(S_SAND)).toEqual([sizes, { Sand: 'buyable', Ink: 'soldOut', Moss: 'missing' }])
    expect(states(L_INK)).toEqual([sizes, { Sand: 'missing', Ink: 'buyable', Moss: 'missing' }])
  })

  test('can have any name, and need not exist', () => {
    const odd = { options: { ['__proto__']: 'x', constructor: 'y' }, stock: 1 }

    expect(optionsOf([], S_SAND)).toEqual([])
    expect(optionsOf([odd], odd).map(({ name }) => name)).toContain('constructor')
  })
})

describe('the first choice', () => {
  test('is the first variant in stock', () => {
    expect(firstChoice([M_SAND, L_INK, S_SAND])).toBe(L_INK)
  })

  test('is the first of all when everything is sold out; a product without options has none', () => {
    expect(firstChoice([M_SAND, M_INK])).toBe(M_SAND)
    expect(firstChoice([])).toBeUndefined()
  })
})

describe('choosing a value', () => {
  test('keeps the other values, even if that is sold out', () => {
    expect(choose(SHIRTS, S_SAND, 'Size', 'M')).toBe(M_SAND)
    expect(choose(SHIRTS, S_SAND, 'Colour', 'Ink')).toBe(S_INK)
  })

  test('moves the later options to their nearest value when there is no such combination', () => {
    expect(choose(SHIRTS, S_SAND, 'Size', 'L')).toBe(L_INK)
    expect(choose(SHIRTS, S_SAND, 'Size', 'XL')).toBe(XL_MOSS)
  })

  test('moves the earlier options to their nearest value when the later ones do not help', () => {
    expect(choose(SHIRTS, L_INK, 'Colour', 'Sand')).toBe(M_SAND)
    expect(choose(SHIRTS, S_SAND, 'Colour', 'Moss')).toBe(XL_MOSS)
  })

  test('prefers what can be bought when two are equally near', () => {
    const [low, middle, high] = [variant('S', 'Ink', 0), variant('M', 'Sand'), variant('L', 'Ink')]

    expect(choose([low, middle, high], middle, 'Colour', 'Ink')).toBe(high)
  })

  test('changes nothing for a value that there is not', () => {
    expect(choose(SHIRTS, S_SAND, 'Size', 'XXL')).toBe(S_SAND)
  })
})

describe('choosing all values, as a form without JavaScript does', () => {
  test('finds the variant that has them', () => {
    expect(chooseAll(SHIRTS, S_SAND, ['M', 'Ink'])).toBe(M_INK)
    expect(findVariant(SHIRTS, ['M', 'Ink'])).toBe(M_INK)
  })

  test('keeps what was changed when there is no such combination', () => {
    expect(findVariant(SHIRTS, ['L', 'Sand'])).toBeUndefined()
    expect(chooseAll(SHIRTS, S_SAND, ['L', 'Sand'])).toBe(L_INK)
    expect(chooseAll(SHIRTS, L_INK, ['L', 'Sand'])).toBe(M_SAND)
    expect(chooseAll(SHIRTS, S_SAND, ['XL', undefined])).toBe(XL_MOSS)
  })

  test('changes nothing for values that there are not', () => {
    expect(chooseAll(SHIRTS, S_SAND, ['XXL'])).toBe(S_SAND)
  })
})

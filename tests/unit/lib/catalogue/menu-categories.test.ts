import { expect, test } from 'vitest'
import { MENU_CATEGORIES } from '#lib/constants.ts'
import { menuCategories } from '#lib/catalogue/menu-categories.ts'

const categoriesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: String(at).padStart(4, '0'),
    image: '',
    productCount: 1 + (at % 97),
  }))

test('the menu shows all categories while they are few', () => {
  const few = categoriesOf(MENU_CATEGORIES)

  expect(menuCategories(few)).toEqual(few)
})

test('the menu of thousands of categories shows those with the most products, by name', () => {
  const shown = menuCategories(categoriesOf(5000))

  expect(shown).toHaveLength(MENU_CATEGORIES)
  expect(shown.map(({ name }) => name)).toEqual(shown.map(({ name }) => name).toSorted())
  expect(Math.min(...shown.map(({ productCount }) => productCount ?? 0))).toBe(96)
})

test('the menu of a provider that counts no products shows the first categories by name', () => {
  const uncounted = categoriesOf(100).map(({ name, image }) => ({ name, image }))

  expect(menuCategories(uncounted)).toEqual(uncounted.slice(0, MENU_CATEGORIES))
})

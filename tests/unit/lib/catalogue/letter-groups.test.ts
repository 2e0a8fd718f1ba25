import { expect, test } from 'vitest'
import { letterGroups } from '#lib/catalogue/letter-groups.ts'

const byName = new Intl.Collator('en').compare

/** The groups of names in the order in which a page lists them. */
function groupsOf(...names: string[]) {
  const groups = letterGroups(names.toSorted(byName).map(name => ({ name })))
  return groups.map(({ letter, start, items }) => [letter, start, items.map(({ name }) => name).join()])
}

test('names are grouped by their first letter, in any spelling', () => {
  expect(groupsOf('bags', 'Écru', 'Books', 'Eggs', 'ebooks')).toEqual([
    ['B', 0, 'bags,Books'],
    ['E', 2, 'ebooks,Écru,Eggs'],
  ])
})

test('numbers and signs precede the alphabet, other alphabets follow it', () => {
  expect(groupsOf('Zips', '4K', '(Sale)', 'Чай', '茶')).toEqual([
    ['0–9', 0, '(Sale),4K'],
    ['Z', 2, 'Zips'],
    ['Other', 3, 'Чай,茶'],
  ])
})

test('letters that only sort among others never begin a group', () => {
  expect(groupsOf('Ængus', 'Adapters', 'Axes', 'Øl', 'Pots')).toEqual([
    ['A', 0, 'Adapters,Ængus,Axes,Øl'],
    ['P', 4, 'Pots'],
  ])
  expect(groupsOf('Æther')).toEqual([['A', 0, 'Æther']])
})

test('an empty list has no groups', () => {
  expect(groupsOf()).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { usedStyles } from '#scripts/page-styles.ts'

const words = new Set(['card', 'sm:p-4', 'w-1/2'])

describe('the styles of a page', () => {
  test.each([
    ['a class of the page', '.card{color:red}', '.card{color:red}'],
    ['a class of another page', '.card .row{color:red}.row{color:red}', ''],
    ['several selectors, one of them of the page', '.row,.card:hover{color:red}', '.row,.card:hover{color:red}'],
    ['elements and attributes', 'h1 [hidden]{color:red}', 'h1 [hidden]{color:red}'],
    ['names that are written with backslashes', String.raw`.w-1\/2{width:50%}`, String.raw`.w-1\/2{width:50%}`],
    ['what is not of a class', '.card:not(.row){color:red}', '.card:not(.row){color:red}'],
    [
      'conditions, and none without rules',
      String.raw`@media print{.sm\:p-4{padding:1rem}}@media screen{.row{color:red}}`,
      String.raw`@media print{.sm\:p-4{padding:1rem}}`,
    ],
    [
      'a property that has the name of another page’s class',
      '.border-collapse{color:red}table{border-collapse:collapse}',
      '.border-collapse{color:red}table{border-collapse:collapse}',
    ],
    ['movements', '@keyframes turn{50%{opacity:.5}}', '@keyframes turn{50%{opacity:.5}}'],
  ])('keep or drop %s', (_, sheet, used) => {
    expect(usedStyles(sheet, words)).toBe(used)
  })
})

import { describe, expect, test } from 'vitest'
import { BUILT_IN_LINES, problemsOf, readSynonyms } from '#server/catalogue/search/synonyms.ts'

describe('synonyms', () => {
  test('uses every built-in line', () => {
    expect(problemsOf(BUILT_IN_LINES)).toEqual([])
  })

  test('names the number of each line that it cannot use', () => {
    expect(problemsOf(['sofa, couch', 'sofa', 'near: jeans, trousers', 'optional: top rated', 'a => b => c'])).toEqual([
      'line 2: has only one expression: separate synonyms by commas',
      "line 3: has no '=>' after 'near:'",
      "line 4: 'top rated' is not one to one word",
      "line 5: has '=>' more than once",
    ])
  })

  test('keeps similar things apart from equal ones', () => {
    const { meanings, near } = readSynonyms(['near: culottes => breeches', 'culottes, divided skirt'])

    expect(near.get('culotte')).toEqual([['breeches']])
    expect(meanings.get('culotte')).toEqual([['divided', 'skirt']])
  })

  test('knows an expression of two words as one word, too', () => {
    const { meanings } = readSynonyms(['rain boots => galoshes'])

    expect(meanings.get('rainboot')).toContainEqual(['galoshes'])
  })
})

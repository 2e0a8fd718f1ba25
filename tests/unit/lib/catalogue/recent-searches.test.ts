import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CUSTOMER_TOKEN, RECENT_SEARCHES, RECENTLY_VIEWED } from '#lib/accounts/storage.ts'
import { storeHistory } from '#lib/catalogue/browsing-history.ts'
import { addSearch, clearSearches, recentSearches, removeSearch } from '#lib/catalogue/recent-searches.ts'
import { forgetSession } from '#stores/accounts/tokens.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const signIn = (id: string) => {
  const claims = Buffer.from(JSON.stringify({ id, name: id })).toString('base64url')
  localStorage.setItem(CUSTOMER_TOKEN, `head.${claims}.signature`)
}

beforeEach(() => void stubStorage('localStorage'))
afterEach(() => vi.unstubAllGlobals())

test('the latest eight searches are kept, newest first, each once', () => {
  for (let at = 1; at <= 9; at += 1) addSearch(`search ${at}`)
  addSearch('  Search   5 ')
  addSearch(' ')
  addSearch('x'.repeat(101))

  expect(recentSearches()).toEqual(['Search 5', ...[9, 8, 7, 6, 4, 3, 2].map(at => `search ${at}`)])
})

test('a search can be removed, and all of them', () => {
  for (const search of ['tea', 'pot', 'tea pot']) addSearch(search)

  removeSearch('pot')
  expect(recentSearches()).toEqual(['tea pot', 'tea'])
  clearSearches()
  expect(recentSearches()).toEqual([])
})

test('a customer takes over a visitor’s searches, and nobody else sees them afterwards', () => {
  addSearch('kettle')
  signIn('ada')
  expect(recentSearches()).toEqual(['kettle'])
  addSearch('lamp')

  signIn('grace')
  expect(recentSearches()).toEqual([])
  localStorage.removeItem(CUSTOMER_TOKEN)
  expect(recentSearches()).toEqual([])
  signIn('ada')
  expect(recentSearches()).toEqual(['lamp', 'kettle'])
})

test.each([RECENT_SEARCHES, RECENTLY_VIEWED])('logging out deletes %s', key => {
  storeHistory(key, ['kettle'])

  forgetSession()

  expect(localStorage.getItem(key)).toBeNull()
})

test('what others have written there is ignored', () => {
  for (const text of ['nonsense', '[]', 'null', '{"entries":3}', '{"customerId":"","entries":[1,null,{}]}']) {
    localStorage.setItem('recentSearches', text)
    expect([text, recentSearches()]).toEqual([text, []])
  }
})

test('without storage, nothing is kept and nothing throws', () => {
  stubStorage('localStorage', { isForbidden: true })

  addSearch('kettle')

  expect(recentSearches()).toEqual([])
})

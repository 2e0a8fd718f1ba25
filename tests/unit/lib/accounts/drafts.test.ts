import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeDraft, readDraft } from '#lib/accounts/drafts.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const TEXT = { review: 'It flies' }

beforeEach(() => void stubStorage('sessionStorage'))
afterEach(() => vi.unstubAllGlobals())

test('a draft is restored for the customer who typed it', () => {
  storeDraft('review:kite', 'ada', TEXT)
  storeDraft('account', 'ada', { country: 'Kenya' })

  expect(readDraft('review:kite', 'ada')).toEqual(TEXT)
  expect(readDraft('review:kite', 'grace')).toBeNull()
  expect(readDraft('review:train', 'ada')).toBeNull()
})

test('a sent draft is removed, and the others stay', () => {
  storeDraft('review:kite', 'ada', TEXT)
  storeDraft('account', 'ada', { country: 'Kenya' })

  storeDraft('review:kite', 'ada', null)

  expect(readDraft('review:kite', 'ada')).toBeNull()
  expect(readDraft('account', 'ada')).toEqual({ country: 'Kenya' })
})

test('without storage, no draft is kept and nothing throws', () => {
  stubStorage('sessionStorage', { isForbidden: true })
  storeDraft('account', 'ada', TEXT)

  expect(readDraft('account', 'ada')).toBeNull()
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_MESSAGE_LENGTH } from '#contract/chat.ts'
import { maxWordsOf, withAddress } from '#lib/chat/about.ts'

beforeEach(() => vi.stubGlobal('location', { origin: 'https://market.example' }))
afterEach(() => vi.unstubAllGlobals())

test('the longest message about a product can be sent with the address of its page', () => {
  const boots = { path: '/product/details/boots' }
  const longest = 'x'.repeat(maxWordsOf(boots))

  expect(withAddress(longest, boots)).toHaveLength(MAX_MESSAGE_LENGTH)
  expect(maxWordsOf(null)).toBe(MAX_MESSAGE_LENGTH)
})

import { describe, expect, test } from 'vitest'
import { chatPath } from '#contract/page-urls.ts'
import { formatChatDay, formatLast, merged, needsAttention, previewOf, sellerIdOf, withNewest } from '#lib/chat/chat.ts'
import { message } from '#tests/support/chat/chatting.ts'

test.each([
  ['/dashboard/chat', null],
  ['/dashboard/chat/', null],
  ['/dashboard/chat/a%2Fb', 'a/b'],
  ['/dashboard/chat/%', null],
])('%s contains the seller %j', (path, sellerId) => {
  expect(sellerIdOf(path)).toBe(sellerId)
})

test('chatPath and sellerIdOf round-trip', () => {
  expect(sellerIdOf(chatPath('a/b?c#d%'))).toBe('a/b?c#d%')
})

test('a seen message stays seen when an older response arrives later', () => {
  const known = [message(1, { status: 'seen' }), message(2, { status: 'seen' })]
  const older = [message(2, { status: 'sent' }), message(3, { status: 'sent' })]

  for (const now of [merged(known, older), withNewest(known, older, false)])
    expect(now.map(({ seq, status }) => [seq, status])).toEqual([
      [1, 'seen'],
      [2, 'seen'],
      [3, 'sent'],
    ])
})

describe('the note that a conversation needs attention', () => {
  const urgent = message(3, { needsAttention: true })

  test('is shown after an escalation, also when the shop has replied automatically', () => {
    expect(needsAttention([message(1), message(2)], 'shop')).toBe(false)
    expect(needsAttention([urgent], 'shop')).toBe(true)
    expect(needsAttention([urgent, message(4, { isAutomated: true })], 'shop')).toBe(true)
  })

  test('is removed once a person of the shop has written', () => {
    expect(needsAttention([urgent, message(4), message(5)], 'shop')).toBe(false)
  })
})

test('a preview shows the text, or else the names of the files', () => {
  const attachments = ['a.png', 'b.pdf'].map(originalName => ({
    type: 'other' as const,
    url: '/a',
    mimeType: 'a/b',
    originalName,
    size: 1,
  }))
  expect(previewOf({ text: ' Hello ', attachments })).toBe('Hello')
  expect(previewOf({ text: ' ', attachments })).toBe('a.png, b.pdf')
})

test('a preview of a message with a card leaves out the card’s address', () => {
  const about = { productId: 'boots', name: 'Boots', image: '', priceCents: 9000, path: '/product/details/boots' }
  const address = 'https://market.example/product/details/boots'
  expect(previewOf({ text: `In brown?\n${address}`, attachments: [], about })).toBe('In brown?')
  expect(previewOf({ text: address, attachments: [], about })).toBe('Boots')
})

test('recent days are shown as Today and Yesterday', () => {
  const now = new Date(2026, 2, 1, 0, 30)
  const days = [
    new Date(2026, 2, 1, 0, 5),
    new Date(2026, 1, 28, 23, 59),
    new Date(2026, 1, 27, 12),
    new Date(2025, 11, 31, 12),
  ]
  expect(days.map(day => formatChatDay(day.toISOString(), now))).toEqual([
    'Today',
    'Yesterday',
    'Friday, Feb 27',
    'Dec 31, 2025',
  ])
  expect(days.map(day => formatLast(day.toISOString(), now))).toEqual([
    '12:05 AM',
    'Yesterday',
    'Feb 27',
    'Dec 31, 2025',
  ])
})

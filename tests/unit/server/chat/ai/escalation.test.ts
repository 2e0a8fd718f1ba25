import { describe, expect, test } from 'vitest'
import type { Category } from '#contract/chat.ts'
import { needsAttention } from '#server/chat/ai/escalation.ts'

describe('a message needs a person', () => {
  test.each<[text: string, category: Category, needs: boolean]>([
    ['I want to SPEAK TO HUMAN please', 'general_query', true],
    ['speak to a human', 'general_query', false],
    ['This is urgent', 'product_inquiry', true],
    ['UrGeNtly!', 'product_inquiry', true],
    ['My house is on fire', 'urgent_support', true],
    ['x'.repeat(200), 'general_query', false],
    ['x'.repeat(201), 'general_query', true],
    ['An immediate refund, now', 'return_refund', true],
    ['Refund me immediately', 'general_query', true],
    ['I would like a refund', 'return_refund', false],
    ['I need it immediately', 'shipping_status', false],
    ['', 'general_query', false],
  ])('%j, %s: %s', (text, category, needs) => {
    expect(needsAttention(text, category)).toBe(needs)
  })
})

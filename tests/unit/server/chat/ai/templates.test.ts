import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '#contract/chat.ts'
import { recent } from '#server/chat/ai-question.ts'
import { classify, localAssistant } from '#server/chat/ai/local.ts'
import { templateFor } from '#server/chat/ai/templates.ts'
import type { Question } from '#server/chat/ai/assistant.ts'
import { LAMP, questionOf } from '#tests/support/chat/questions.ts'

describe('a reply template', () => {
  test('asks a follow-up question for the three categories that need it', () => {
    const asking = CATEGORIES.filter(category => templateFor(category, questionOf('')).followUp !== undefined)
    expect(asking).toEqual(['product_inquiry', 'shipping_status', 'return_refund'])
  })

  test('names the matching products with their prices, or else the best sellers', () => {
    const desk = { ...LAMP, slug: 'desk', name: 'Desk', priceCents: 10_000, discount: 0, stock: 0 }
    const { text } = templateFor('product_inquiry', questionOf('a desk', { matches: [desk] }))
    expect(text).toContain('• Desk, $100.00, out of stock: https://shop.example/product/details/desk')
    expect(text).not.toContain('Oak lamp')
    expect(templateFor('product_inquiry', questionOf('')).text).toContain('• Oak lamp, $23.99, in stock: https://')
    expect(templateFor('product_inquiry', questionOf('', { products: [] })).text).toContain('nothing in the shop')
  })

  test('tells the facts of the product that the message is about, unless it asks for a lower price', () => {
    const desk = { ...LAMP, slug: 'desk', name: 'Desk lamp', priceCents: 900, discount: 0 }
    const ask = (text: string) =>
      templateFor('product_inquiry', questionOf(text, { product: LAMP, matches: [LAMP, desk] })).text

    expect(ask('Is its light warm?')).toBe(
      'This is what I know about it:\n• Oak lamp, $23.99, in stock: https://shop.example/product/details/oak-lamp\nWarm light.',
    )
    expect(ask('Have you a cheaper one?')).toContain('These cost the least:\n• Desk lamp')
  })

  test('shows the customer’s orders and the shipping cost, first to their own country', () => {
    const date = new Date('2026-11-02T10:00:00Z')
    const orders = [{ id: '0198', date, deliveryStatus: 'Shipped' as const, priceCents: 2949 }]
    const { text } = templateFor('shipping_status', questionOf('', { orders }))
    expect(text).toContain(
      'Your order of 2 November 2026 is on its way: https://shop.example/dashboard/order/details/0198',
    )
    expect(text).toContain('Ada Shop usually ships to Kenya for $5.50.')
  })

  test.each<[text: string, change: Partial<Question>, says: string]>([
    ['And to GHANA?', {}, 'ships to Ghana for $7.25.'],
    ['It is for a Romanian in Oman', {}, 'ships to Ghana ($7.25), Kenya ($5.50), not to Oman.'],
    ['Where to?', { country: '' }, 'ships to Ghana ($7.25), Kenya ($5.50). Each'],
    ['Where to?', { shippingRates: {} }, 'Each product of Ada Shop says on its page'],
    ['How long does it take?', {}, 'How long a parcel takes, I cannot say; Ada Shop can.'],
  ])('answers %j about shipping with: %s', (text, change, says) => {
    expect(templateFor('shipping_status', questionOf(text, change)).text).toContain(says)
  })

  test('names only some of many countries', () => {
    const shippingRates = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`Country ${at}`, 100]))
    const { text } = templateFor('shipping_status', questionOf('', { shippingRates, country: '' }))
    expect(text).toContain('Country 5 ($1.00) and 3 more countries.')
  })

  test.each([
    ['A lamp under $50?', 'This is what you can have at that price:\n• Oak lamp'],
    ['A lamp for less than 30?', 'This is what you can have at that price:\n• Oak lamp, $23.99'],
    ['A lamp below $10?', 'I found nothing at that price; this comes closest:\n• Oak lamp, $23.99'],
    ['The cheapest lamp?', 'These cost the least:\n• Oak lamp, $23.99'],
    ['A lamp?', 'This may be what you mean:\n• Desk lamp, $100.00'],
  ])('answers %j with: %s', (text, says) => {
    const desk = { ...LAMP, name: 'Desk lamp', priceCents: 10_000, discount: 0 }
    expect(templateFor('product_inquiry', questionOf(text, { matches: [desk, LAMP] })).text).toContain(says)
  })

  test('quotes the return policy, and promises nothing', () => {
    const { text } = templateFor('return_refund', questionOf(''))
    expect(text).toContain('within 30 days')
    expect(text).toContain('5-7 business days')
    expect(text).toContain('https://shop.example/return-refund-policy')
    expect(text).toContain('Whether there is one is for Ada Shop to say')
  })
})

describe('without an AI service', () => {
  test.each([
    ['How much is the oak lamp?', 'product_inquiry'],
    ['Where is my parcel?', 'shipping_status'],
    ['It arrived broken, I want my money back', 'return_refund'],
    ['The website shows an error when I log in', 'technical_issue'],
    ['Good morning!', 'general_query'],
    ['This is URGENT', 'urgent_support'],
  ])('%s is classified as %s', (text, category) => {
    expect(classify(text)).toBe(category)
  })

  test('names the shop’s products', async () => {
    const { category, text } = await localAssistant.reply(questionOf('Oak lamps?', { matches: [LAMP] }))
    expect(category).toBe('product_inquiry')
    expect(text).toContain('Oak lamp, $23.99')
  })
})

describe('the chat history', () => {
  const said = (count: number, text: string) => Array.from({ length: count }, () => ({ by: 'customer' as const, text }))

  test('is the last 20 messages, at most 8 KB', () => {
    expect(recent(said(25, 'Hello'))).toHaveLength(20)
    expect(recent([...said(3, 'é'.repeat(1500)), ...said(2, 'x'.repeat(1000))])).toHaveLength(4)
    expect(recent(said(1, 'x'.repeat(9000)))).toEqual([])
    expect(recent([...said(1, ''), ...said(1, 'Hello')])).toEqual(said(1, 'Hello'))
  })
})

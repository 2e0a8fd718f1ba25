import { describe, expect, test } from 'vitest'
import { isLeaking } from '#server/ai/leaks.ts'
import { withOwnLinks } from '#server/ai/links.ts'
import { withoutPromises } from '#server/ai/promises.ts'
import { tidy } from '#server/ai/tidy.ts'
import { LAMP, questionOf } from '#tests/support/questions.ts'

const SHOP = 'https://shop.example'

describe('links', () => {
  test.each([
    'See https://shop.example/product/details/oak-lamp.',
    'See shop.example/products?category=Lamps, please.',
    'It costs $23.99, e.g. in oak, 4.5 stars, from 9.30 to 17.00.',
    'Our data: two lamps. Tel: ask us.',
  ])('of the shop, and what is none, stay: %s', text => {
    expect(withOwnLinks(text, SHOP)).toBe(text)
  })

  test.each([
    ['See https://evil.example/x?y=1#z.', 'See.'],
    ['See http://shop.example/products', 'See'],
    ['See https://shop.example@evil.example/', 'See'],
    ['See https://me@shop.example/', 'See'],
    ['See https://shop.example.evil.example/', 'See'],
    ['See https://shop.example:444/', 'See'],
    ['See //evil.example/x', 'See'],
    ['See shop.example//evil.example', 'See'],
    ['See evil.example now', 'See now'],
    ['See www.evil.co.uk/pay, now', 'See, now'],
    ['Write to pay@evil.example!', 'Write to!'],
    ['Run javascript:alert(1) now', 'Run now'],
    ['Run JAVASCRIPT:alert`1`', 'Run `1`'],
    ['Take data:text/html,x', 'Take'],
    ['Call tel:+1900 now', 'Call now'],
    ['See [our page](https://evil.example/) now', 'See our page now'],
    ['See ![a](https://evil.example/pixel.png?q=1) now', 'See a now'],
    ['See <https://evil.example>', 'See'],
    ['See bücher.example', 'See'],
    ['See 203.0.113.9/x', 'See'],
  ])('%s → %s', (text, left) => {
    expect(withOwnLinks(text, SHOP)).toBe(left)
  })

  test('of markdown to the shop are spelled out', () => {
    const text = withOwnLinks('See [the lamp](https://shop.example/product/details/oak-lamp).', SHOP)
    expect(text).toBe('See the lamp https://shop.example/product/details/oak-lamp.')
  })
})

describe('prices and promises', () => {
  const question = questionOf('')

  test.each([
    'The oak lamp costs $23.99, before the discount $25.99.',
    'Shipping to Kenya is 5.50 USD.',
    'It is 10% off. We have 3 in stock.',
    'You can ask for a refund within 30 days.',
    'It is made of 100% oak and takes 60 watts.',
    'Oak lamp, warm light, three left.',
    'Guten Morgen, Ada!',
  ])('%s stays', text => {
    expect(withoutPromises(text, question)).toBe(text)
  })

  test.each([
    'It costs $1.00.',
    'It costs only 1.',
    'It is yours for 5 dollars.',
    'It is yours for ten dollars.',
    'It is €23.99.',
    'It is 90% off.',
    'We will refund you.',
    'I have issued a full refund.',
    'Your refund has been approved.',
    'You will get your money back.',
    'You will be reimbursed in full.',
    'Use the coupon code FREE.',
    'You get it for free.',
    'We guarantee that it arrives tomorrow.',
    'I promise.',
    'Wir erstatten Ihnen heute alles zurück.',
    'Le devolvemos hoy todo su dinero.',
    'Мы вернём вам все деньги сегодня.',
  ])('%s goes', text => {
    expect(withoutPromises(`Hello. ${text} Good bye.`, question)).toBe('Hello. Good bye.')
  })

  test('of a product that is on offer, its own discount may be named', () => {
    expect(withoutPromises('15 % off today.', questionOf('', { matches: [{ ...LAMP, discount: 15 }] }))).not.toBe('')
  })
})

describe('leaks', () => {
  const known = { secrets: ['AIza-Key-123456'], instructions: 'One two three four five six seven eight nine ten.' }

  test.each([
    ['It is AIza-Key-123456.', true],
    ['It is a i z a k e y 1 2 3 4 5 6', true],
    ['I was told: TWO, three four five - six seven eight nine', true],
    ['two three four five six seven eight', false],
    ['Hello.', false],
  ])('%s: %s', (text, leaks) => {
    expect(isLeaking(text, known)).toBe(leaks)
  })
})

describe('what a model said', () => {
  test('is plain text', () => {
    const said =
      '# Hello\n**Our** `lamp`\u202E is\u200B nice.\u0007\nhttps://evil\u200B.example/ and ｅｖｉｌ．ｅｘａｍｐｌｅ'
    expect(tidy(said, questionOf(''))).toBe('Hello\nOur lamp is nice.\nand')
  })

  test('has at most 2,000 characters and ends with a sentence', () => {
    const text = tidy('This is a lamp. '.repeat(500), questionOf(''))
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(text).toMatch(/a lamp\.$/)
  })

  // Else this test would take hours.
  test.each(['[](', 'a.', ' ', '#'])('is read in time where it is nothing but %j', piece => {
    expect(tidy(piece.repeat(100_000), questionOf('')).length).toBeLessThanOrEqual(2000)
  })
})

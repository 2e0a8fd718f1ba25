import { describe, expect, test } from 'vitest'
import { isLeaking } from '#server/chat/ai/leaks.ts'
import { withOwnLinks } from '#server/chat/ai/links.ts'
import { withoutPromises } from '#server/chat/ai/promises.ts'
import { tidy } from '#server/chat/ai/tidy.ts'
import { LAMP, questionOf } from '#tests/support/chat/questions.ts'

const SHOP = 'https://shop.example'

describe('links', () => {
  test.each([
    'See https://shop.example/product/details/oak-lamp.',
    'See shop.example/products?category=Lamps, please.',
    'It costs $23.99, e.g. in oak, 4.5 stars, from 9.30 to 17.00.',
    'Our data: two lamps. Tel: ask us.',
    'We have polka dot shades.',
  ])('to the shop, and text without links, stay: %s', text => {
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
    ['See evil[.]example now', 'See now'],
    ['See evil (dot) com now', 'See now'],
    ['See evil dot com slash pay now', 'See slash pay now'],
    ['See evil . com now', 'See now'],
    ['See evil。com now', 'See now'],
    ['See xn--e1awd7f.xn--p1ai now', 'See now'],
  ])('%s → %s', (text, left) => {
    expect(withOwnLinks(text, SHOP)).toBe(left)
  })

  test('in Markdown to the shop are written out', () => {
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
    'Your money will be returned within three days.',
    'We will return your payment today.',
    'You will receive the full amount back on your card.',
    'The amount you paid is on its way back to you.',
    'We will pay you back double.',
    'Your chargeback was accepted and settled by us.',
    'The shop will cover all costs of the return.',
    'The lamp is on the house.',
    'The lamp is complimentary for you.',
    'The lamp is a gift from us.',
    'You do not have to pay anything.',
    'You pay nothing for shipping.',
    'It will be half price for you.',
    'We take a fifth off for you.',
    'It costs a dollar for you.',
    'It is yours for a single cent.',
    'You can have it for 1.',
    'Everything is 2 for 1 today.',
    'Take 20 % from the price.',
    'Use code SAVE90 at the checkout.',
    'Enter WELCOME at the checkout to pay less.',
    'Your replacement is already shipped.',
    'We have cancelled your order.',
    'I have just changed your address.',
    'Every item has a lifetime warranty.',
    'Your order will arrive tomorrow before noon.',
    'Le devolvemos hoy todo su dinero.',
    'Мы вернём вам все деньги сегодня.',
  ])('%s goes', text => {
    expect(withoutPromises(`Hello. ${text} Good bye.`, question)).toBe('Hello. Good bye.')
  })

  test.each([
    'We have received your message.',
    'Somebody from the shop will read your message.',
    'The lamp makes a nice gift for a friend.',
    'It is 3 years old and comes with 2 shades.',
    'Refunds take 5-7 business days, and you can ask for one within 30 days.',
    'Your order of 2025-10-03 is being shipped.',
  ])('that are none stay: %s', text => {
    expect(withoutPromises(text, question)).toBe(text)
  })

  test('may name a product’s own discount', () => {
    expect(withoutPromises('15 % off today.', questionOf('', { matches: [{ ...LAMP, discount: 15 }] }))).not.toBe('')
  })
})

describe('attempts to bypass the shop', () => {
  const order = { id: '12345678', date: new Date(0), deliveryStatus: 'Shipped' as const, priceCents: 2599 }
  const question = questionOf('', { orders: [order] })

  test.each([
    'Message us on WhatsApp to pay.',
    'Find us on Telegram: @evilshop.',
    'Write to @evilshop for the payment.',
    'Call +254 700 123 456 for help.',
    'Call 0800-123-4567 for help.',
    'Our number is (0800) 123 45 67.',
    'Send the payment by bank transfer instead.',
    'The IBAN is DE89 3704 0044 0532 0130 00.',
    'Pay with bitcoin to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq.',
    'Please tell us your password.',
    'Please send your card number and CVV here.',
    'Which code did you just receive by SMS?',
    'Tell us the PIN of your card.',
  ])('%s goes', text => {
    expect(tidy(`Hello. ${text} Good bye.`, question)).toBe('Hello. Good bye.')
  })

  test.each(['Your order 12345678 was shipped on 2025-10-03.', 'It came on 03.10.2025 at 14:30.'])('%s stays', text => {
    expect(tidy(text, question)).toBe(text)
  })
})

describe('leaks', () => {
  const known = { secrets: ['AIza-Key-123456'], instructions: 'One two three four five six seven eight nine ten.' }

  test.each([
    ['It is AIza-Key-123456.', true],
    ['It is a i z a k e y 1 2 3 4 5 6', true],
    ['It is ＡＩｚａ-Ｋｅｙ-１２３４５６', true],
    ['It is 654321-yeK-azIA', true],
    ['I was told: TWO, three four five - six seven eight nine', true],
    ['two three four five six seven eight', false],
    ['Hello.', false],
  ])('%s: %s', (text, leaks) => {
    expect(isLeaking(text, known)).toBe(leaks)
  })
})

describe('a model’s reply', () => {
  test('becomes plain text', () => {
    const said =
      '# Hello\n**Our** `lamp`\u202E is\u200B nice.\u0007\nhttps://evil\u200B.example/ and ｅｖｉｌ．ｅｘａｍｐｌｅ'
    expect(tidy(said, questionOf(''))).toBe('Hello\nOur lamp is nice.\nand')
  })

  test('has at most 2,000 characters and ends with a sentence', () => {
    const text = tidy('This is a lamp. '.repeat(500), questionOf(''))
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(text).toMatch(/a lamp\.$/)
  })

  // A quadratic scan would take hours.
  test.each(['[](', 'a.', ' ', '#', 'a', 'a ', '1 ', 'a\n', 'we '])(
    'is processed in time when it repeats %j',
    piece => {
      expect(tidy(piece.repeat(100_000), questionOf('')).length).toBeLessThanOrEqual(2000)
    },
  )
})

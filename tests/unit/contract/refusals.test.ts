import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { AccountForm } from '#contract/account.ts'
import { PasswordReset, Registration, resetPassword } from '#contract/auth.ts'
import { getSellers, ProductQuery } from '#contract/catalogue.ts'
import { sendFiles, sendMessage } from '#contract/chat.ts'
import { endpoints } from '#contract/index.ts'
import { placeOrder, ShippingForm } from '#contract/orders.ts'
import { ReviewForm } from '#contract/reviews.ts'
import { MessagesAsked, SellerHasSeen, SellerMessageSent } from '#contract/seller-events.ts'
import { wireSample } from '#tests/support/contract/wire-samples.ts'

// The provider's language: without it, zod has no texts of its own.
z.config(z.locales.en())

/** The field names that lead to a value. */
type Path = string[]

const WRONG = {
  nothing: undefined,
  'a list': [],
  'an empty text': '',
  'a blank': ' ',
  'a control character': '\0',
  'a long text': 'x'.repeat(6000),
  zero: 0,
  'a fraction': 2.5,
  'a huge number': 1e12,
  digits: '1000000001',
}

const inputs = Object.entries(endpoints).map(([name, { input }]) => [name, input] as const)
const seller = Object.entries({ SellerMessageSent, SellerHasSeen, MessagesAsked })

/** The first error of an invalid input; 'taken' for a valid one. */
function said(schema: z.ZodMiniType, input: unknown): string {
  const { error } = z.safeDecode(schema, input)
  return error?.issues[0]?.message ?? 'taken'
}

/** Every field of a sample, including nested objects and lists. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, field]) => pathsOf(field, [...path, key]))
  return path.length > 0 ? [path, ...inner] : inner
}

function withField(value: unknown, [key = '', ...rest]: Path, wrong: unknown): unknown {
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = rest.length > 0 ? withField(copy[key], rest, wrong) : wrong
  return copy
}

function refusalsOf(name: string, schema: z.ZodMiniType): string {
  const right = wireSample(schema)
  const lines = pathsOf(right).map(path => {
    const texts = Object.entries(WRONG).map(
      ([what, wrong]) => [what, said(schema, withField(right, path, wrong))] as const,
    )
    const byText = Map.groupBy(texts, ([, text]) => text)
    return `  ${path.join('.')}\n${[...byText].map(([text, of]) => `    ${text}: ${of.map(([what]) => what).join(', ')}\n`).join('')}`
  })
  return `${name}\n${lines.join('')}`
}

/** After an intended change of limits or messages, run this file with `-u` and review the diff. */
test('invalid fields are rejected with the approved messages', async () => {
  const texts = [...inputs, ...seller].map(([name, schema]) => refusalsOf(name, schema))

  await expect(texts.join('\n')).toMatchFileSnapshot('../../fixtures/refusals.txt')
})

const NAME_LETTERS = 'Name can only contain letters and spaces'
const at = (field: string, value: unknown) => withField(wireSample(Registration), [field], value)

test.each([
  [AccountForm, ['country'], 'Atlantis', 'Country is not in the list'],
  [AccountForm, ['country'], 'Kenya', 'taken'],
  [AccountForm, ['currency'], 'XYZ', 'Currency is not in the list'],
  [AccountForm, ['shippingDetails', 'country'], 'Atlantis', 'Shipping country is not in the list'],
  [AccountForm, ['shippingDetails'], null, 'Name is required'],
  [AccountForm, ['shippingDetails', 'city'], '\u200b\u2003', 'City is required'],
  [ShippingForm, ['country'], 'Atlantis', 'Choose a country'],
  [ShippingForm, ['country'], '', 'Please fill in all required fields'],
  [ProductQuery, ['lowPrice'], 'x12', 'lowPrice must be a number from 0 to 1000000000'],
] as const)('%#: the choice or number %j is rejected or accepted', (schema, path, value, text) => {
  expect(said(schema, withField(wireSample(schema), [...path], value))).toBe(text)
})

describe('a registration', () => {
  test.each([
    ['name', 'Al', 'taken'],
    ['name', 'A', 'Name must be at least 2 characters'],
    ['name', 'x'.repeat(50), 'taken'],
    ['name', 'x'.repeat(51), 'Name must be less than 50 characters'],
    ['name', ' José  Ångström ', 'taken'],
    ['name', 'हिन्दी', 'taken'],
    ['name', '1 Ada', NAME_LETTERS],
    ['name', 'Ada 1', NAME_LETTERS],
    ['name', 'A.B', NAME_LETTERS],
    ['email', 'a@b.c', 'Please enter a valid email address'],
    ['email', 'a@b', 'Email must be at least 5 characters'],
    ['email', ` ${'a'.repeat(60)}@${'b'.repeat(35)}.com `, 'taken'],
    ['email', `${'a'.repeat(60)}@${'b'.repeat(36)}.com`, 'Email must be less than 100 characters'],
    ['password', 'Aa1!xyz', 'Password must be at least 8 characters'],
    ['password', 'Aa1!xyzz', 'taken'],
    ['password', `Aa1!${'x'.repeat(96)}`, 'taken'],
    ['password', `Aa1!${'x'.repeat(97)}`, 'Password must be less than 100 characters'],
    ['password', 'piazza-2025!', 'Password must contain at least one uppercase letter'],
    ['password', 'PIAZZA-2025!', 'Password must contain at least one lowercase letter'],
    ['password', 'Piazza-Shop!', 'Password must contain at least one number'],
    ['password', 'Piazza 2025', 'Password must contain at least one special character'],
    ['password', 'Piazza 2025\u0301', 'Password must contain at least one special character'],
  ])('with the %s %j: %s', (field, value, text) => {
    expect(said(Registration, at(field, value))).toBe(text)
  })
})

describe('a password reset', () => {
  test.each([
    ['', '', 'Please fill in all fields', 'password'],
    ['Piazza-2025!', '', 'Please fill in all fields', 'confirmation'],
    ['Piazza-2025!', 'Piazza-2025', 'Passwords do not match', 'confirmation'],
    ['Short1!', 'Short1!', 'Password must be at least 8 characters long', 'password'],
  ])('as %j and %j: %s', (password, confirmation, message, field) => {
    const { error } = z.safeParse(PasswordReset, { password, confirmation })

    expect(error?.issues[0]).toMatchObject({ message, path: [field] })
  })

  test('accepts eight characters, typed the same twice', () => {
    expect(said(PasswordReset, { password: '12345678', confirmation: '12345678' })).toBe('taken')
    expect(said(resetPassword.input, { token: 't', newPassword: 'Short1!' })).toBe(
      'Password must be at least 8 characters long',
    )
  })
})

describe('the maximum length of a text', () => {
  test.each([
    ['a line of an address', ShippingForm, ['city'], 200, 'At most 200 characters'],
    ['a line of an account', AccountForm, ['shippingDetails', 'city'], 200, 'City must be at most 200 characters'],
    ['a review', ReviewForm, ['review'], 2000, 'Review must be at most 2000 characters'],
    ['a message', sendMessage.input, ['text'], 5000, 'A message has at most 5000 characters'],
    ['what comes with files', sendFiles.input, ['message'], 5000, 'A message has at most 5000 characters'],
  ] as const)('as %s', (_what, schema, path, longest, refusal) => {
    const of = (length: number) => said(schema, withField(wireSample(schema), [...path], 'x'.repeat(length)))

    expect([of(longest), of(longest + 1)]).toEqual(['taken', refusal])
  })
})

describe('a number in a query', () => {
  test.each([
    [getSellers.input, 'parPage', '1', 'taken'],
    [getSellers.input, 'parPage', '50', 'taken'],
    [getSellers.input, 'parPage', '0', 'parPage must be a whole number from 1 to 50'],
    [getSellers.input, 'parPage', '51', 'parPage must be a whole number from 1 to 50'],
    [getSellers.input, 'parPage', 'x5', 'parPage must be a whole number from 1 to 50'],
    [getSellers.input, 'parPage', '5x', 'parPage must be a whole number from 1 to 50'],
    [ProductQuery, 'lowPrice', '0', 'taken'],
    [ProductQuery, 'lowPrice', '12', 'taken'],
    [ProductQuery, 'lowPrice', '12.25', 'taken'],
    [ProductQuery, 'lowPrice', '1000000000', 'taken'],
    [ProductQuery, 'lowPrice', '+12', 'lowPrice must be a number from 0 to 1000000000'],
    [ProductQuery, 'lowPrice', '1e3', 'lowPrice must be a number from 0 to 1000000000'],
    [ProductQuery, 'lowPrice', '12.', 'lowPrice must be a number from 0 to 1000000000'],
    [ProductQuery, 'lowPrice', '-12', 'lowPrice must be a number from 0 to 1000000000'],
    [ProductQuery, 'lowPrice', '12x', 'lowPrice must be a number from 0 to 1000000000'],
  ])('%#: %s', (schema, field, value, text) => {
    expect(said(schema as z.ZodMiniType, { [field]: value })).toBe(text)
  })
})

test('an order has 1 to 100 lines in 1 to 100 parts', () => {
  const right = wireSample(placeOrder.input) as { products: { products: unknown[] }[] }
  const [part] = right.products
  const of = (parts: number, lines: number) => {
    const products = Array.from({ length: parts }, () => ({ ...part, products: Array(lines).fill(part?.products[0]) }))
    return said(placeOrder.input, { ...right, products })
  }

  expect([of(1, 1), of(1, 100), of(100, 1)]).toEqual(['taken', 'taken', 'taken'])
  expect(of(0, 1)).toBe('There is nothing to order')
  expect([of(1, 0), of(1, 101), of(101, 1)]).not.toContain('taken')
})

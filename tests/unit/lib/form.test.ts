import { describe, expect, test } from 'vitest'
import { AccountForm } from '#contract/account.ts'
import { ForgotPassword, Login, PasswordReset, Registration } from '#contract/auth.ts'
import { checkForm } from '#lib/form.ts'

const GOOD = { name: 'José Núñez', email: 'jose@piazza.example', password: 'Piazza-2025!' }

describe('the register form', () => {
  const errorOf = (field: keyof typeof GOOD, value: string) => {
    const checked = checkForm(Registration, { ...GOOD, [field]: value })
    return 'errors' in checked ? checked.errors : null
  }

  test('accepts valid values, and trims name and email', () => {
    expect(checkForm(Registration, { ...GOOD, name: ' José Núñez ', email: ' jose@piazza.example ' })).toEqual({
      data: GOOD,
    })
  })

  test.each([
    ['name', '', 'Name is required'],
    ['name', '   ', 'Name is required'],
    ['name', 'A', 'Name must be at least 2 characters'],
    ['name', 'x'.repeat(51), 'Name must be less than 50 characters'],
    ['name', 'Ada 2', 'Name can only contain letters and spaces'],
    ['email', '', 'Email is required'],
    ['email', 'a@b', 'Email must be at least 5 characters'],
    ['email', `${'x'.repeat(100)}@piazza.example`, 'Email must be less than 100 characters'],
    ['email', 'nonsense', 'Please enter a valid email address'],
    ['password', '', 'Password is required'],
    ['password', 'Ab1!', 'Password must be at least 8 characters'],
    ['password', `Ab1!${'x'.repeat(100)}`, 'Password must be less than 100 characters'],
    ['password', 'piazza-2025!', 'Password must contain at least one uppercase letter'],
    ['password', 'PIAZZA-2025!', 'Password must contain at least one lowercase letter'],
    ['password', 'Piazza-market!', 'Password must contain at least one number'],
    ['password', 'Piazza2025', 'Password must contain at least one special character'],
  ] as const)('rejects the %s %j: %s', (field, value, message) => {
    expect(errorOf(field, value)).toEqual({ [field]: message })
  })

  test('returns the first error of each field, and the first of all', () => {
    expect(checkForm(Registration, { name: '', email: '', password: 'x' })).toEqual({
      errors: {
        name: 'Name is required',
        email: 'Email is required',
        password: 'Password must be at least 8 characters',
      },
      first: 'Name is required',
    })
  })
})

test.each([
  [{ email: '', password: '' }],
  [{ email: 'ada@piazza.example', password: '' }],
  [{ email: '  ', password: 'x' }],
])('the login form requires both fields: %j', values => {
  expect(checkForm(Login, values)).toMatchObject({ first: 'Email and password are required!' })
})

test('the forgot form requires an email address', () => {
  expect(checkForm(ForgotPassword, { email: ' ' })).toMatchObject({ first: 'Please enter your email address' })
})

test.each([
  ['', '', 'Please fill in all fields', ['password', 'confirmation']],
  ['Piazza-2025!', '', 'Please fill in all fields', ['confirmation']],
  ['Piazza-2025!', 'piazza-2025!', 'Passwords do not match', ['confirmation']],
  ['short', 'short', 'Password must be at least 8 characters long', ['password']],
])('the reset form rejects %j and %j: %s', (password, confirmation, first, fields) => {
  const checked = checkForm(PasswordReset, { password, confirmation })

  expect(checked).toMatchObject({ first })
  expect('errors' in checked && Object.keys(checked.errors)).toEqual(fields.toSorted().toReversed())
})

test('a nested field is named by its path', () => {
  const checked = checkForm(AccountForm, { country: '', currency: 'USD', shippingDetails: { city: '' } })

  expect(checked).toMatchObject({ first: 'Country is required' })
  expect('errors' in checked && Object.keys(checked.errors)).toContain('shippingDetails.city')
})

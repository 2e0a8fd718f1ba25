import { beforeEach, expect, test } from 'vitest'
import { $authToken, $customer, $customerToken } from '#stores/session.ts'

const token = (id: string) => `h.${Buffer.from(JSON.stringify({ id, name: 'Ada', email: '' })).toString('base64url')}.s`

beforeEach(() => {
  $authToken.set(undefined)
  $customerToken.set(undefined)
})

test('nobody is signed in without a token', () => {
  expect($customer.get()).toBeNull()
})

test('the customer is whoever the token names, authToken before customerToken', () => {
  $customerToken.set(token('second'))
  expect($customer.get()?.id).toBe('second')

  $authToken.set(token('first'))
  expect($customer.get()?.id).toBe('first')
})

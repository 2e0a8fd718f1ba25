import { describe, expect, test } from 'vitest'
import { AUTH_TOKEN, CUSTOMER_TOKEN, decodeCustomer, SAFARI_AUTH } from '#lib/accounts/storage.ts'

const token = (claims: object) => `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

test('the storage keys do not change, which would log all customers out', () => {
  expect([AUTH_TOKEN, CUSTOMER_TOKEN, SAFARI_AUTH]).toEqual(['authToken', 'customerToken', 'isSafariAuth'])
})

describe('a stored token', () => {
  test('contains the customer, in any script', () => {
    const customer = { id: 'c1', name: 'José Núñez 李', email: 'jose@piazza.example' }
    expect(decodeCustomer(token({ ...customer, exp: 1 }))).toEqual(customer)
  })

  test.each([null, undefined, '', 'nonsense', 'a.b.c', 'a.e30.c', token({ name: 'No id' }), token({ id: 'no-name' })])(
    '%j contains no customer',
    stored => {
      expect(decodeCustomer(stored)).toBeNull()
    },
  )
})

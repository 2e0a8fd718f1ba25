import { expect, test } from 'vitest'
import { mailboxOf } from '#server/accounts/customers.ts'

test.each([
  ['ada@customers.test', 'ada@customers.test'],
  ['ada+shop@customers.test', 'ada@customers.test'],
  ['ada+shop+more@customers.test', 'ada@customers.test'],
  ['ada.l@customers.test', 'ada.l@customers.test'],
  ['a.da.l+shop@gmail.com', 'adal@gmail.com'],
  ['adal@googlemail.com', 'adal@gmail.com'],
  ['a.da@gmail.com.customers.test', 'a.da@gmail.com.customers.test'],
  ['+ada@customers.test', '+ada@customers.test'],
  ['"ada@home"@customers.test', '"ada@home"@customers.test'],
  ['', '@'],
])('mails to %s count for the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})

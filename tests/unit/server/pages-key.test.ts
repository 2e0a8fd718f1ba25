import { describe, expect, test } from 'vitest'
import { addressOf } from '#server/pages/key.ts'

describe('the address of a page', () => {
  test.each([
    ['/', '/'],
    ['/?utm_source=mail', '/'],
    ['/products?layout=list&category=Toys', '/products?category=Toys&layout=list'],
    ['/products?category=Home%20%26%20Garden', '/products?category=Home+%26+Garden'],
    ['/products?category=&pageNumber=2', '/products?pageNumber=2'],
    ['/products?category=%20Toys%09', '/products?category=Toys'],
    ['/products?category=%C2%A0&rating=+4', '/products?rating=4'],
    ['/products/search?sortPrice=low-to-high&rating=4&x=1', '/products/search?rating=4&sortPrice=low-to-high'],
    ['/stores?pageNumber=2&sort=all&layout=list', '/stores?sort=all&layout=list&pageNumber=2'],
    ['/stores/toy-box/0198?layout=list&category=Toys', '/stores/toy-box/0198?layout=list'],
    ['/product/details/caf%c3%a9', '/product/details/caf%C3%A9'],
    ['/product/details/%6Bite', '/product/details/kite'],
    ['/dashboard/order/details/0198-1', '/dashboard/order/details/any'],
    ['/dashboard/order/details/0198-2?x=1', '/dashboard/order/details/any'],
    ['/dashboard/chat', '/dashboard/chat'],
    ['/dashboard/chat/0198-1', '/dashboard/chat/any'],
    ['/500', '/404'],
    ['/503?x=1', '/404'],
    ['/payment?order=0198', '/payment'],
    ['/shipping?buy=kite&quantity=2', '/shipping'],
    ['/order/confirm?payment_intent_client_secret=x', '/order/confirm'],
  ])('%s is stored as %s', (requested, url) => {
    expect(addressOf(requested)).toEqual({ url, isStorable: true })
  })

  test.each([
    '/products/search?value=kite',
    '/products?lowPrice=10',
    '/products?highPrice=10',
    '/products?rating=6',
    '/products?sortPrice=upwards',
    '/products?pageNumber=0',
    '/products?pageNumber=1000000000',
    '/products?category=a&category=b',
    `/products?category=${'x'.repeat(101)}`,
    `/product/details/${'x'.repeat(600)}`,
  ])('%s is rendered each time', requested => {
    expect(addressOf(requested)).toEqual({ url: requested, isStorable: false })
  })

  test.each([
    ['//', '/'],
    ['/stores/', '/stores'],
    ['//evil.example/x', '/evil.example/x'],
    ['/\\evil.example', '/evil.example'],
    ['\\\\evil.example', '/evil.example'],
    ['/stores//toy-box///0198?layout=list', '/stores/toy-box/0198?layout=list'],
    ['/a/../stores', '/stores'],
    ['/a/%2e%2e/stores?utm_source=mail', '/stores?utm_source=mail'],
    ['http://evil.example/stores', '/http%3A/evil.example/stores'],
  ])('%s leads to %s', (requested, redirect) => {
    expect(addressOf(requested)).toMatchObject({ redirect })
  })

  test.each(['/%', '/%ff', '/product/details/%c3', `/${'x'.repeat(2100)}`])('%s means no page', requested => {
    expect(addressOf(requested)).toBeNull()
  })
})

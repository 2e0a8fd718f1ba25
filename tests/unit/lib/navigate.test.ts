import { describe, expect, test } from 'vitest'
import { isAuthPage, loginPath, safeNext } from '#lib/navigate.ts'

const ORIGIN = 'https://shop.example'

test('the login path contains the current page', () => {
  expect(loginPath('/products?category=Toys & Games')).toBe('/login?next=%2Fproducts%3Fcategory%3DToys%20%26%20Games')
})

describe('after the login', () => {
  test.each([
    '/',
    '/cart',
    '/product/details/walnut-tray?reviews=2#reviews',
    '/shipping?buy=a%26b&quantity=2',
    '/products/search?category=&value=//evil.example',
    '/dashboard/chat/0198?x=https://evil.example/',
    '/products?category=Caf%C3%A9',
  ])('%s is an accepted next page', next => {
    expect(safeNext(next, ORIGIN)).toBe(next)
  })

  test.each([
    null,
    undefined,
    '',
    'cart',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/./\\evil.example',
    '/x\\..\\..\\\\evil.example',
    'https://evil.example/cart',
    'https:/evil.example',
    'https:evil.example',
    'http://shop.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    '@evil.example',
    '.evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://shop.example/x',
    'vbscript:x',
    '/cart\r\nLocation: https://evil.example',
    '/cart\0',
  ])('%j is replaced by the home page', next => {
    const address = safeNext(next, ORIGIN)
    expect(address).toBe('/')
  })

  test.each([
    ['/cart\u2028', '/cart%E2%80%A8'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/;//evil.example', '/;//evil.example'],
    ['/@evil.example', '/@evil.example'],
  ])('%j stays in the shop', (next, address) => {
    expect(safeNext(next, ORIGIN)).toBe(address)
    expect(new URL(address, ORIGIN).origin).toBe(ORIGIN)
  })

  test.each(['/login', '/login?next=/cart', '/register', '/Login/', '/forgotpassword', '/resetpassword?token=x'])(
    '%s is not an accepted next page',
    next => {
      expect(safeNext(next, ORIGIN)).toBe('/')
    },
  )
})

test.each([
  ['/login', true],
  ['/login/', true],
  ['/', false],
  ['/products/login', false],
])('%s is a sign-in page: %s', (path, expected) => {
  expect(isAuthPage(path)).toBe(expected)
})

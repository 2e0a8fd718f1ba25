import { describe, expect, test } from 'vitest'
import { productPath, safeLink, shopPath } from '#lib/links.ts'

describe("somebody else's link", () => {
  test.each(['/products?category=Toys#top', '/stores', 'https://ada.example/sale?x=1', 'http://ada.example/'])(
    'is kept when it is %s',
    link => expect(safeLink(link)).toBe(link),
  )

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://ada.example/1',
    'http://',
    '',
    undefined,
  ])('is dropped when it is %j', link => expect(safeLink(link)).toBeUndefined())

  test('cannot break out of its attribute', () => {
    expect(safeLink('/x"onclick="alert(1)')).toBe('/x%22onclick=%22alert(1)')
  })
})

describe('the address of a shop or a product', () => {
  test('is fit for a header, whatever the shop is called', () => {
    expect(shopPath({ shopName: "Ada's Crêpes", sellerId: 's1' })).toBe('/stores/ada-s-crepes/s1')
    expect(shopPath({ shopName: '東京 堂', sellerId: 's1' })).toBe('/stores/%E6%9D%B1%E4%BA%AC-%E5%A0%82/s1')
    expect(productPath({ slug: 'ваза?' })).toBe('/product/details/%D0%B2%D0%B0%D0%B7%D0%B0%3F')
  })
})

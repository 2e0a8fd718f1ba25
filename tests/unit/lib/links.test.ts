import { describe, expect, test } from 'vitest'
import { safeLink } from '#lib/links.ts'

describe('a link from a seller or operator', () => {
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

import { describe, expect, test } from 'vitest'
import { plainText } from '#contract/product.ts'

describe('the text of HTML', () => {
  test('loses its tags and keeps its spaces', () => {
    expect(plainText('<p>One</p><p>two&nbsp;&amp; <b>three</b></p>')).toBe('One two & three')
  })

  test('is found in linear time when no tag is closed', () => {
    // A backtracking pattern would take minutes here.
    expect(plainText('<'.repeat(500_000))).toHaveLength(500_000)
  })

  test('may contain escaped tags', () => {
    expect(plainText('&lt;b&gt; makes bold')).toBe('<b> makes bold')
  })
})

import { describe, expect, test } from 'vitest'
import { plainText, truncate } from '#lib/texts.ts'

describe('truncating', () => {
  test('leaves a text of the maximum length unchanged', () => {
    expect(truncate('a'.repeat(40), 40)).toBe('a'.repeat(40))
  })

  test('cuts a longer text and appends dots', () => {
    expect(truncate(`${'a'.repeat(40)}b`, 40)).toBe(`${'a'.repeat(40)}...`)
  })

  test('counts a grapheme as one character', () => {
    expect(truncate('👩‍👩‍👧é👍🏽x', 3)).toBe('👩‍👩‍👧é👍🏽...')
  })

  test('removes the space before the dots', () => {
    expect(truncate('two words', 4)).toBe('two...')
  })
})

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

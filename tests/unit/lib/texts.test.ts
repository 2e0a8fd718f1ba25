import { describe, expect, test } from 'vitest'
import { truncate } from '#lib/texts.ts'

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

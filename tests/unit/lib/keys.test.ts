import { expect, test } from 'vitest'
import { isShortcut } from '#lib/keys.ts'

const PLAIN = { altKey: false, ctrlKey: false, metaKey: false }

test('keys with Alt, Ctrl or Cmd are shortcuts', () => {
  for (const key of ['altKey', 'ctrlKey', 'metaKey']) expect(isShortcut({ ...PLAIN, [key]: true })).toBe(true)
  expect(isShortcut(PLAIN)).toBe(false)
})

import { expect, test } from 'vitest'
import { pictureAt } from '#lib/media.ts'

const hash = 'ab'.repeat(32)

test('a stored picture has an address for each width', () => {
  expect(pictureAt(`/media/${hash}/640.webp`, 1280)).toBe(`/media/${hash}/1280.webp`)
})

test.each([
  'https://elsewhere.example/640.webp',
  '/no-picture.svg',
  `/media/${hash}/640.webp?x`,
  `/media/short/640.webp`,
])('%s stays unchanged', image => expect(pictureAt(image, 1280)).toBe(image))

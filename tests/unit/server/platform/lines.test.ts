import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { linesOf } from '#server/platform/lines.ts'

const linesIn = (...pieces: string[]) =>
  Array.fromAsync(linesOf(Readable.from(pieces.map(piece => Buffer.from(piece)))))

test('lines end at a line feed, wherever the text was cut', async () => {
  expect(await linesIn('one\ntw', 'o\n\n', 'three')).toEqual(['one', 'two', '', 'three'])
  expect(await linesIn('one\n')).toEqual(['one'])
  expect(await linesIn()).toEqual([])
})

test('other ends of lines and letters that were cut in two are text', async () => {
  const text = 'a\u2028b\u2029c\u0085d\re 🍵'
  const bytes = Buffer.from(`${text}\n${text}`)
  const halves = Readable.from([...bytes].map(byte => Buffer.of(byte)))

  expect(await Array.fromAsync(linesOf(halves))).toEqual([text, text])
})

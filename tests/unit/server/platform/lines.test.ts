import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { linesOf } from '#server/platform/lines.ts'

const linesIn = (...pieces: string[]) =>
  Array.fromAsync(linesOf(Readable.from(pieces.map(piece => Buffer.from(piece)))))

test('lines end at a line feed, wherever the chunks are split', async () => {
  expect(await linesIn('one\ntw', 'o\n\n', 'three')).toEqual(['one', 'two', '', 'three'])
  expect(await linesIn('one\n')).toEqual(['one'])
  expect(await linesIn()).toEqual([])
})

test('other line separators are text, and split characters are joined', async () => {
  const text = 'a\u2028b\u2029c\u0085d\re 🍵'
  const bytes = Buffer.from(`${text}\n${text}`)
  const halves = Readable.from([...bytes].map(byte => Buffer.of(byte)))

  expect(await Array.fromAsync(linesOf(halves))).toEqual([text, text])
})

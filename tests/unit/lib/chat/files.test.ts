import { describe, expect, test } from 'vitest'
import { addFiles, fitted, formatBytes, whyNot } from '#lib/chat/files.ts'

const MB = 1024 * 1024
const file = (name: string, size = 10): File => ({ name, size }) as File

describe('a file', () => {
  test.each(['photo.JPG', 'film.mov', 'paper.pdf', 'a.b.docx', 'old.doc', 'notes.txt', 'all.zip', 'all.rar'])(
    'of an accepted kind, %s, can be sent',
    name => {
      expect(whyNot(file(name))).toBeUndefined()
    },
  )

  test.each(['run.exe', 'page.html', 'drawing.svg', 'zip', '.htaccess', 'a.png.exe'])(
    'of another kind, %s, cannot be sent',
    name => {
      expect(whyNot(file(name))).toContain(`${name} cannot be sent`)
    },
  )

  test('of an iPhone’s own format cannot be sent, and the error lists the accepted ones', () => {
    expect(whyNot(file('x.heic'))).toBe(
      'x.heic cannot be sent. Files that can be sent: jpg, jpeg, png, webp, gif, mp4, webm, mov, pdf, doc, docx, txt, zip, rar',
    )
  })

  test('must not be empty, nor larger than 25 MB', () => {
    expect(whyNot(file('a.png', 0))).toBe('a.png is empty')
    expect(whyNot(file('a.png', 25 * MB))).toBeUndefined()
    expect(whyNot(file('a.png', 25 * MB + 1))).toBe('a.png is larger than 25 MB')
  })
})

describe('one message', () => {
  test('has at most five files, with one error for all others', () => {
    const { files, problems } = addFiles(
      [file('1.png'), file('2.png'), file('3.png')],
      [file('4.png'), file('5.png'), file('6.png'), file('7.png')],
    )

    expect(files.map(({ name }) => name)).toEqual(['1.png', '2.png', '3.png', '4.png', '5.png'])
    expect(problems).toEqual(['One message takes at most 5 files'])
  })

  test('has at most 60 MB of files', () => {
    const { files, problems } = addFiles(
      [],
      [20, 20, 20, 1].map((size, at) => file(`${at}.mp4`, size * MB)),
    )

    expect(files).toHaveLength(3)
    expect(problems).toEqual(['One message takes at most 60 MB'])
  })
})

test('file sizes are formatted with units', () => {
  expect([5, 999, 14_541, 3.5 * MB].map(formatBytes)).toEqual(['5 bytes', '999 bytes', '14.2 kB', '3.5 MB'])
})

test('large pictures are scaled into their square, and small ones are not', () => {
  expect(fitted({ width: 1200, height: 600 }, 280)).toEqual({ width: 280, height: 140 })
  expect(fitted({ width: 30, height: 60 }, 280)).toEqual({ width: 30, height: 60 })
  expect(fitted({}, 280)).toEqual({ width: 280, height: 280 })
})

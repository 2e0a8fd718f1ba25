import { isUtf8 } from 'node:buffer'

export interface Line {
  /** As an editor counts them, from 1. */
  number: number
  /** With its line ending; null if it cannot be read, and then `fault` is the reason. */
  text: string | null
  fault?: string
}

/** The file as a whole cannot be imported; the message is for the operator. */
export class UnreadableFileError extends Error {}

const LONGEST_LINE = 1024 * 1024
const NEW_LINE = 0x0a
/** Share of NUL bytes above which a file is not text: a text may hold a stray one. */
const BINARY = 0.02
const CARRIAGE_RETURN = 0x0d
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** The physical lines of a UTF-8 file. Lines that are over 1 MB or not UTF-8 have no text; memory stays bounded. */
export async function* linesOf(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let length = 0
  let isTooLong = false
  let number = 0
  let isFirst = true

  const take = (last: Buffer): Line => {
    number += 1
    const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last])
    const line = isTooLong || length + last.length > LONGEST_LINE ? tooLong(number) : read(number, bytes)
    rest = []
    length = 0
    isTooLong = false
    return line
  }

  for await (const chunk of chunks) {
    let bytes: Buffer = Buffer.from(chunk as Buffer)
    if (bytes.length === 0) continue
    if (isFirst) bytes = checkedStart(bytes)
    isFirst = false
    let from = 0
    for (let to = bytes.indexOf(NEW_LINE); to >= 0; to = bytes.indexOf(NEW_LINE, from)) {
      yield take(bytes.subarray(from, to + 1))
      from = to + 1
    }
    if (from === bytes.length) continue
    length += bytes.length - from
    if (length > LONGEST_LINE) {
      isTooLong = true
      rest = []
    } else rest.push(Buffer.from(bytes.subarray(from)))
  }
  if (length > 0 || isTooLong) yield take(Buffer.alloc(0))
}

function tooLong(number: number): Line {
  return { number, text: null, fault: 'the line is longer than 1 MB' }
}

function read(number: number, bytes: Buffer): Line {
  if (!isUtf8(bytes)) return { number, text: null, fault: 'the text is not UTF-8' }
  return { number, text: bytes.toString('utf8') }
}

function checkedStart(all: Buffer): Buffer {
  const bytes = all.subarray(0, 3).equals(UTF8_MARK) ? all.subarray(3) : all
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new UnreadableFileError('The file is UTF-16: save it as UTF-8')
  }
  const start = bytes.subarray(0, 1000)
  if (start.filter(byte => byte === 0).length > start.length * BINARY)
    throw new UnreadableFileError('The file is not a text file: save a spreadsheet as CSV UTF-8, and unpack an archive')
  const opening = start.toString('latin1').trimStart()
  if (/^<(!doctype html|html|head|body)|^<\?xml.*?\?>\s*<(!doctype html|html)/is.test(opening)) {
    throw new UnreadableFileError(
      'The file is a web page, not a catalogue: perhaps a sign-in page was saved in place of the export',
    )
  }
  if (/^<[?!\w]/.test(opening)) {
    throw new UnreadableFileError(
      'The file is an XML feed, which cannot be imported yet: export the products as Shopify CSV',
    )
  }
  const isJson = /^\s*[[{]/.test(start.toString('latin1'))
  if (!isJson && !bytes.includes(NEW_LINE) && bytes.subarray(0, -1).includes(CARRIAGE_RETURN)) {
    throw new UnreadableFileError('The file ends its lines as old Macs did: save it as CSV UTF-8')
  }
  return bytes
}

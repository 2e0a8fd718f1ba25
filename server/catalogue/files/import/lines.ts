import { isUtf8 } from 'node:buffer'

export interface Line {
  /** Counted from 1, as text editors do. */
  number: number
  /** Includes the line ending. Null if the line cannot be read; `fault` then says why. */
  text: string | null
  fault?: string
}

/** The whole file cannot be imported. The message is for the operator. */
export class UnreadableFileError extends Error {}

const MAX_LINE_LENGTH = 1024 * 1024
const NEW_LINE = 0x0a

/** The physical lines of a UTF-8 file. Lines that are over 1 MB or not UTF-8 have no text; memory stays bounded. */
export async function* numberedLines(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let length = 0
  let isTooLong = false
  let number = 0

  const take = (last: Buffer): Line => {
    number += 1
    const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last])
    const line = isTooLong || length + last.length > MAX_LINE_LENGTH ? tooLong(number) : decodeLine(number, bytes)
    rest = []
    length = 0
    isTooLong = false
    return line
  }

  for await (const chunk of chunks) {
    const bytes: Buffer = Buffer.from(chunk as Buffer)
    let from = 0
    for (let to = bytes.indexOf(NEW_LINE); to >= 0; to = bytes.indexOf(NEW_LINE, from)) {
      yield take(bytes.subarray(from, to + 1))
      from = to + 1
    }
    if (from === bytes.length) continue
    length += bytes.length - from
    if (length > MAX_LINE_LENGTH) {
      isTooLong = true
      rest = []
    } else rest.push(Buffer.from(bytes.subarray(from)))
  }
  if (length > 0 || isTooLong) yield take(Buffer.alloc(0))
}

function tooLong(number: number): Line {
  return { number, text: null, fault: 'the line is longer than 1 MB' }
}

function decodeLine(number: number, bytes: Buffer): Line {
  if (!isUtf8(bytes)) return { number, text: null, fault: 'the text is not UTF-8' }
  return { number, text: bytes.toString('utf8') }
}

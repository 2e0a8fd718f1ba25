import { setImmediate } from 'node:timers/promises'
import { UnreadableFileError } from './lines.ts'
import type { Line } from './lines.ts'
import type { OnProblem } from './csv.ts'

interface JsonRecord {
  /** The physical line on which the record begins. */
  line: number
  value: unknown
}

/** Whether a character is in a string, or in one and after a backslash. */
type Quotes = 'outside' | 'inside' | 'escaped'

const NO_RECORDS = 'this is not an array of records: [{…}, {…}]'
const MAX_LENGTH = 8 * 1024 * 1024
const AT_ONCE = 200

/** The records of a JSON file that holds one array, one at a time; line breaks may be anywhere. */
export async function* recordsOf(lines: AsyncIterable<Line>, onProblem: OnProblem): AsyncGenerator<JsonRecord> {
  let count = 0
  for await (const { line, text } of recordTextsOf(lines)) {
    const value = parse(text, line, onProblem)
    if (value !== undefined) yield { line, value }
    count += 1
    // Lets requests run, because the import does not pause otherwise until it stores a product.
    if (count % AT_ONCE === 0) await setImmediate()
  }
}

/** Splits the array by counting its brackets: 0 before the array, 1 between its records, 2 and more in a record. */
async function* recordTextsOf(lines: AsyncIterable<Line>): AsyncGenerator<{ line: number; text: string }> {
  let quotes: Quotes = 'outside'
  let depth = 0
  let start = 0
  let text = ''

  for await (const { number, text: line, fault } of lines) {
    if (line === null) throw new UnreadableFileError(`line ${number}: ${fault}`)
    let from = 0
    for (let at = 0; at < line.length; at += 1) {
      const character = line[at]!
      const isQuoted = quotes !== 'outside'
      quotes = quotesAfter(quotes, character)
      if (isQuoted) continue
      if (depth === 0 && character === '{') throw new UnreadableFileError(describeObject(line.slice(at)))
      if (depth < 2 && !mayStandAt(depth, character)) throw new UnreadableFileError(`line ${number}: ${NO_RECORDS}`)
      if (character === '{' || character === '[') {
        depth += 1
        if (depth <= 2) [start, from] = [number, at]
      } else if (character === '}' || character === ']') {
        depth -= 1
        if (depth !== 1) continue
        yield { line: start, text: text + line.slice(from, at + 1) }
        text = ''
      }
    }
    if (depth > 1) text += line.slice(from)
    if (text.length > MAX_LENGTH) throw new UnreadableFileError(`line ${start}: the record is longer than 8 MB`)
  }
  if (depth > 0 || quotes !== 'outside') {
    throw new UnreadableFileError(`line ${start}: the file ends before its list does`)
  }
}

function quotesAfter(quotes: Quotes, character: string): Quotes {
  if (quotes === 'escaped') return 'inside'
  if (quotes === 'inside' && character === '\\') return 'escaped'
  if (character === '"') return quotes === 'inside' ? 'outside' : 'inside'
  return quotes
}

/** Outside of records are only brackets, commas and white space, and no array inside the array. */
function mayStandAt(depth: number, character: string): boolean {
  return /[\s,[\]{}]/.test(character) && !(depth === 1 && character === '[')
}

function describeObject(start: string): string {
  const [, name] = /^\{\s*"([^"]{1,40})"/.exec(start) ?? []
  const first = name === undefined ? '' : ` (it begins with '${name}')`
  return `The file is one JSON object${first}, not an array of records: [{…}, {…}]`
}

function parse(text: string, line: number, onProblem: OnProblem): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message is left out: a text editor shows the mistake more clearly.
    onProblem(line, 'the record is not JSON')
    return undefined
  }
}

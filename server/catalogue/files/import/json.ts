import { setImmediate } from 'node:timers/promises'
import { UnreadableFileError } from './lines.ts'
import type { Line } from './lines.ts'
import type { OnProblem } from './csv.ts'

export interface Element {
  /** The physical line on which the element begins. */
  line: number
  value: unknown
}

const NO_RECORDS = 'this is not an array of records: [{…}, {…}]'
const LONGEST = 8 * 1024 * 1024
const AT_ONCE = 200

/** The elements of a JSON file that holds one array, one at a time; line breaks may be anywhere. */
export async function* elementsOf(lines: AsyncIterable<Line>, onProblem: OnProblem): AsyncGenerator<Element> {
  let depth = 0
  let isQuoted = false
  let isEscaped = false
  let start = 0
  let text = ''
  let count = 0

  for await (const { number, text: line, fault } of lines) {
    if (line === null) throw new UnreadableFileError(`line ${number}: ${fault}`)
    let from = 0
    for (let at = 0; at < line.length; at += 1) {
      const character = line[at]
      if (isQuoted) {
        if (isEscaped) isEscaped = false
        else if (character === '\\') isEscaped = true
        else if (character === '"') isQuoted = false
        continue
      }
      if (character === '"') isQuoted = true
      else if (character === '{' || character === '[') {
        depth += 1
        if (depth === 1 && character === '{') throw new UnreadableFileError(describeObject(line.slice(at)))
        if (depth === 2 && character === '[') throw new UnreadableFileError(`line ${number}: ${NO_RECORDS}`)
        if (depth <= 2) {
          start = number
          from = at
        }
      } else if (character === '}' || character === ']') {
        depth -= 1
        if (depth === 1) {
          const value = parse(text + line.slice(from, at + 1), start, onProblem)
          if (value !== undefined) yield { line: start, value }
          text = ''
          count += 1
          // Lets requests run, because the import does not pause otherwise until it stores a product.
          if (count % AT_ONCE === 0) await setImmediate()
        }
      }
      if (depth < 2 && character !== undefined && !/[\s,[\]{}]/.test(character)) {
        throw new UnreadableFileError(`line ${number}: ${NO_RECORDS}`)
      }
    }
    if (depth > 1) text += line.slice(from)
    if (text.length > LONGEST) throw new UnreadableFileError(`line ${start}: the record is longer than 8 MB`)
  }
  if (depth > 0 || isQuoted) throw new UnreadableFileError(`line ${start}: the file ends before its last record does`)
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

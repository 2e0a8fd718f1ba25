import { parse } from 'csv-parse/sync'
import type { Line } from './lines.ts'

export interface Row {
  /** The physical line on which the row begins. */
  line: number
  values: string[]
}

export type OnProblem = (line: number, reason: string) => void

export const BLANK_BESIDE_QUOTE = 'there are blanks between quotes and commas: write "a","b"'

const AT_ONCE = { rows: 200, characters: 256 * 1024 }
const LONGEST_ROW = 1024 * 1024
const MOST_LINES = 2000

/**
 * The rows of a CSV file with the line each begins on. A row that cannot be read is told and left out; after a quote that
 * is never closed, reading goes on with the next line instead of taking the rest of the file for one text.
 */
export async function* rowsOf(lines: AsyncIterable<Line>, onProblem: OnProblem): AsyncGenerator<Row> {
  let complete: { line: number; text: string }[] = []
  let open: Line[] = []
  let length = 0
  let characters = 0

  /** Takes one more line; gives up on the first of those that wait when they can make no row. */
  function take(line: Line): void {
    const lines = [line]
    for (let next = lines.shift(); next; next = lines.shift()) {
      const { number, text } = next
      if (text === null) {
        if (open.length > 0) lines.unshift(...giveUp(), next)
        else onProblem(number, next.fault ?? 'the line cannot be read')
        continue
      }
      if (open.length === 0 && text.trim() === '') continue
      const end = endOf(text, open.length > 0)
      open.push(next)
      length += text.length
      if (end === 'complete') complete.push(close())
      else if (end === 'broken' || length > LONGEST_ROW || open.length > MOST_LINES) lines.unshift(...giveUp())
    }
  }

  function close(): { line: number; text: string } {
    const row = { line: open[0]?.number ?? 0, text: open.map(each => each.text).join('') }
    open = []
    length = 0
    return row
  }

  function giveUp(): Line[] {
    const [first, ...others] = open
    close()
    const hasBlank = /"[ \t]+(,|\r?\n?$)/.test(first?.text ?? '')
    if (first) onProblem(first.number, hasBlank ? BLANK_BESIDE_QUOTE : 'a quoted text does not end where it should')
    return others
  }

  for await (const line of lines) {
    take(line)
    characters += line.text?.length ?? 0
    if (complete.length >= AT_ONCE.rows || characters >= AT_ONCE.characters) {
      yield* parsed(complete)
      complete = []
      characters = 0
    }
  }
  while (open.length > 0) for (const line of giveUp()) take(line)
  yield* parsed(complete)
}

/** How a row stands after one more line: in quotes, a quote ends the value if a comma or the line's end follows. */
function endOf(line: string, isQuoted: boolean): 'complete' | 'unfinished' | 'broken' {
  let at = 0
  for (let isOpen = isQuoted || line[0] === '"'; ; isOpen = line[at] === '"') {
    if (isOpen) {
      at = line.indexOf('"', isQuoted && at === 0 ? 0 : at + 1)
      while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2)
      if (at < 0) return 'unfinished'
      at += 1
      if (at < line.length && !/^(,|\r?\n$)/.test(line.slice(at, at + 3))) return 'broken'
    }
    at = line.indexOf(',', at)
    if (at < 0) return 'complete'
    at += 1
  }
}

function parsed(complete: { line: number; text: string }[]): Row[] {
  const options = { relax_column_count: true, relax_quotes: true, record_delimiter: ['\r\n', '\n'] }
  const all = parse(complete.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join(''), options)
  if (all.length !== complete.length) throw new Error('The rows of the file cannot be told apart')
  return complete.map(({ line }, index) => ({ line, values: all[index] ?? [] }))
}

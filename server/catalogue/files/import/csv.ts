import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import type { Line } from './lines.ts'

export interface Row {
  /** The physical line on which the row begins. */
  line: number
  values: string[]
}

interface TextLine {
  number: number
  text: string
}

export type OnProblem = (line: number, reason: string) => void

export const BLANK_BESIDE_QUOTE = 'there are blanks between quotes and commas: write "a","b"'

/** A tab if the first line has more tabs than commas. */
type Separator = ',' | '\t'

const AT_ONCE = { lines: 200, characters: 256 * 1024 }
const MAX_ROW_LENGTH = 1024 * 1024
const MAX_LINES = 2000

/**
 * The rows of a CSV or TSV file with the line on which each begins. Unreadable rows are reported and left out. After a
 * quote that is never closed, reading continues on the next line instead of taking the rest of the file as one value.
 */
export async function* rowsOf(lines: AsyncIterable<Line>, onProblem: OnProblem): AsyncGenerator<Row> {
  let complete: { line: number; text: string }[] = []
  /** The lines of an incomplete row: a quoted value is still open at the end of each. */
  let open: TextLine[] = []
  let length = 0
  let separator: Separator | undefined

  function takeLine({ number, text, fault }: Line): void {
    if (text === null) {
      while (open.length > 0) giveUp()
      onProblem(number, fault ?? 'the line cannot be read')
      return
    }
    const line = { number, text }
    const end = open.length > 0 ? endOf(text, { isQuoted: true, separator }) : 'broken'
    if (end === 'broken') {
      while (open.length > 0) giveUp()
      begin(line)
      return
    }
    open.push(line)
    length += text.length
    if (end === 'complete') close()
    while (isTooLong()) giveUp()
  }

  /** Starts a row with this line. */
  function begin(line: TextLine): void {
    const { number, text } = line
    if (text.trim() === '') return
    separator ??= separatorOf(text)
    const end = endOf(text, { separator })
    if (end === 'complete') complete.push({ line: number, text })
    else if (end === 'broken') onProblem(number, describeQuote(text))
    else {
      open.push(line)
      length += text.length
    }
  }

  const isTooLong = () => length > MAX_ROW_LENGTH || open.length > MAX_LINES

  function close(): void {
    complete.push({ line: open[0]?.number ?? 0, text: open.map(each => each.text).join('') })
    open = []
    length = 0
  }

  /**
   * Drops the first line of the incomplete row. The row then starts with the next line that opens a quote without
   * closing it; the lines after that one do not close it either, so they need not be checked again.
   */
  function giveUp(): void {
    const first = dropLine()
    onProblem(first.number, describeQuote(first.text))
    while (open[0] && endOf(open[0].text, { separator }) !== 'unfinished') begin(dropLine())
  }

  function dropLine(): TextLine {
    const line = open.shift()!
    length -= line.text.length
    return line
  }

  let lineCount = 0
  let characters = 0
  for await (const line of lines) {
    takeLine(line)
    lineCount += 1
    characters += line.text?.length ?? 0
    if (lineCount < AT_ONCE.lines && characters < AT_ONCE.characters) continue
    yield* parsed(complete, separator)
    complete = []
    lineCount = 0
    characters = 0
    // Lets requests run, because the import does not pause otherwise until it stores a product.
    await setImmediate()
  }
  while (open.length > 0) giveUp()
  yield* parsed(complete, separator)
}

function separatorOf(line: string): Separator {
  return line.split('\t').length > line.split(',').length ? '\t' : ','
}

function describeQuote(line: string): string {
  return /"[ \t]+(,|\r?\n?$)/.test(line) ? BLANK_BESIDE_QUOTE : 'a quoted text does not end where it should'
}

interface LineStart {
  /** The line begins within a quoted value. */
  isQuoted?: boolean
  separator: Separator | undefined
}

/**
 * The state of a row after one more line. A quote ends a quoted value only before a separator or the end of the line.
 */
function endOf(line: string, { isQuoted = false, separator = ',' }: LineStart): 'complete' | 'unfinished' | 'broken' {
  let at = 0
  for (let isOpen = isQuoted || line[0] === '"'; ; isOpen = line[at] === '"') {
    if (isOpen) {
      at = line.indexOf('"', isQuoted && at === 0 ? 0 : at + 1)
      while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2)
      if (at < 0) return 'unfinished'
      at += 1
      if (at < line.length && line[at] !== separator && !/^\r?\n$/.test(line.slice(at, at + 3))) return 'broken'
    }
    at = line.indexOf(separator, at)
    if (at < 0) return 'complete'
    at += 1
  }
}

function parsed(complete: { line: number; text: string }[], delimiter: Separator = ','): Row[] {
  const options = { delimiter, relax_column_count: true, relax_quotes: true, record_delimiter: ['\r\n', '\n'] }
  const all = parse(complete.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join(''), options)
  if (all.length !== complete.length) throw new Error('The rows of the file cannot be told apart')
  return complete.map(({ line }, index) => ({ line, values: all[index] ?? [] }))
}

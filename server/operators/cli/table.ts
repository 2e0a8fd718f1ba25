import { singleLine } from '#server/platform/single-line.ts'
import type { Terminal } from './app-context.ts'
import { MAX_LINES } from './values.ts'

/** Formats rows as lines with aligned columns, without trailing spaces. Notes are indented below their row. */
function alignRows(rows: string[][], notes: string[][]): string {
  const cells = rows.map(row => row.map(singleLine))
  const widthOf = (column: number) => Math.max(...cells.map(row => (row[column] ?? '').length))
  const widths = (cells[0] ?? []).map((_, column) => widthOf(column))
  const lineOf = (row: string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return cells
    .flatMap((row, at) => [lineOf(row).trimEnd(), ...(notes[at] ?? []).map(note => `    ${singleLine(note)}`)])
    .map(line => `${line}\n`)
    .join('')
}

/** Prints a list, and a hint if it may continue after `limit`. `notes` are the lines below each row. */
export async function printList(
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  rows: string[][],
  { limit, none, notes = [] }: { limit: number; none: string; notes?: string[][] },
): Promise<number> {
  await out(rows.length > 0 ? alignRows(rows, notes) : `${none}\n`)
  return hintAtMore({ err }, rows.length, limit)
}

/**
 * Prints a hint if a list of `count` lines may continue after `limit`; returns exit code 0. `lastAt` is the time of the
 * last line of a list that has the option `--before`.
 */
export async function hintAtMore(
  { err }: Pick<Terminal, 'err'>,
  count: number,
  limit: number,
  lastAt?: Date,
): Promise<number> {
  if (count === limit) await err(`Only the first ${limit} are listed${waysToMore(limit, lastAt)}\n`)
  return 0
}

function waysToMore(limit: number, lastAt: Date | undefined): string {
  if (limit < MAX_LINES) return ': --limit N lists more'
  // The database's times are more exact: the next millisecond repeats the last line rather than skip others.
  return lastAt ? `: --before ${new Date(lastAt.getTime() + 1).toISOString()} lists older ones` : ''
}

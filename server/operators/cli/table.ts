import { singleLine } from '#server/platform/single-line.ts'
import type { Terminal } from './app-context.ts'

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

/** Prints a hint if a list of `count` lines may continue after `limit`; returns exit code 0. */
export async function hintAtMore({ err }: Pick<Terminal, 'err'>, count: number, limit: number): Promise<number> {
  if (count === limit) await err(`Only the first ${limit} are listed: --limit N lists more\n`)
  return 0
}

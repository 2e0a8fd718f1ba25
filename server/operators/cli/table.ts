import { singleLine } from '../../platform/single-line.ts'
import type { Terminal } from './app-context.ts'

/** Formats rows as lines with aligned columns, without trailing spaces. */
function alignRows(rows: string[][]): string {
  const cells = rows.map(row => row.map(singleLine))
  const widthOf = (column: number) => Math.max(...cells.map(row => (row[column] ?? '').length))
  const widths = (cells[0] ?? []).map((_, column) => widthOf(column))
  return cells
    .map(
      row =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** Prints a list, and a hint if it may continue after `limit`. */
export async function printList(
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  rows: string[][],
  { limit, none }: { limit: number; none: string },
): Promise<number> {
  await out(rows.length > 0 ? alignRows(rows) : `${none}\n`)
  if (rows.length === limit) await err(`Only the first ${limit} are listed: --limit N lists more\n`)
  return 0
}

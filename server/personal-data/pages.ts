import { and, asc, gt, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

export const PAGE_ROWS = 100

/** A query that has no condition, order and limit yet. */
interface Query<Row> {
  where(isMatch: SQL | undefined): { orderBy(order: SQL): { limit(count: number): PromiseLike<Row[]> } }
}

/** The rows of a query that match, read page by page in the order of `id`. `select` begins the query of a page. */
export async function* inPages<Row extends { id: string }>(
  id: AnyPgColumn,
  isMatch: SQL,
  select: () => Query<Row>,
): AsyncGenerator<Row[]> {
  let after = ''
  for (;;) {
    const rows = await select()
      .where(and(isMatch, gt(id, after)))
      .orderBy(asc(id))
      .limit(PAGE_ROWS)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)!.id
  }
}

/** The text of a JSON array, one element at a time. */
export async function* jsonOf(pages: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const page of pages) {
    for (const element of page) {
      yield before + JSON.stringify(element, null, 2)
      before = ',\n'
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** A file's name in its folder of the archive. */
export function fileName({ id, originalName }: { id: string; originalName: string }): string {
  return `${id}-${originalName.replaceAll(/[/\\]/g, '_')}`
}

export const PAGE_ROWS = 100

/**
 * All rows of a query, read page by page: `readPage` returns up to `PAGE_ROWS` rows with ids after `after`, in order.
 */
export async function* inPages<Row extends { id: string }>(
  readPage: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after = ''
  for (;;) {
    const rows = await readPage(after)
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

import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MAX_STOCK } from '#contract/rules.ts'
import { handleImport } from '#server/operators/cli/import-handlers.ts'
import { importText, sheet, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { printFigure } from '#tests/support/faults/figures.ts'
import { watchThread } from '#tests/support/faults/watch-thread.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'
import { PATIENCE } from '#tests/support/patience.ts'

let provider: Provider
let db: Provider['db']

beforeAll(async () => {
  provider = await startProvider()
  db = provider.db
})
afterAll(() => provider.close())

describe('rows that cannot be imported', () => {
  const COLUMNS = 'Handle,Title,Vendor,Variant Price,Variant Inventory Qty,Published,Option1 Name,Option1 Value'

  test('are reported with their line number while the other rows are imported', async () => {
    const text = sheet(
      COLUMNS,
      'bad-a,A,Bad Rows,"1,299.00",1,true,,',
      'good-b,B,Bad Rows,5,1,true,,',
      'bad-c,"C',
      'of two lines",Bad Rows,free,1,true,,',
      '',
      'bad-d,D,Bad Rows,-5,1,true,,',
      'bad-e,E,Bad Rows,,1,true,,',
      'bad-f,F,Bad Rows,1000000,1,true,,',
      'bad-g,G,Bad Rows,5,many,true,,',
      'bad-h,H,Bad Rows,5,1,perhaps,,',
      'too,few',
      ',No handle,Bad Rows,5,1,true,,',
      `bad-i,${'I'.repeat(256)},Bad Rows,5,1,true,,`,
      'bad-j,J\0,Bad Rows,5,1,true,,',
      'bad-k,,Bad Rows,5,1,true,,',
      'bad-l,"L" x,Bad Rows,5,1,true,,',
      'good-m,M,Bad Rows,5,1,true,Size,S',
      'good-m,,,NaN,1,,,M',
      'good-m,,,7,1,,,L',
      'good-m,,,7,1,,,L',
      'bad-n,N,Bad Rows,5,9999999999,true,,',
      'bad-o,O,Bad Rows,5,-9999999999,true,,',
    )
    const { added, problems } = await importText(db, text)
    expect(added).toBe(2)
    expect(problems.toSorted((a, b) => parseInt(a.slice(5)) - parseInt(b.slice(5)))).toEqual([
      "line 2: Variant Price '1,299.00' is not an amount such as 1299.00",
      "line 4: Variant Price 'free' is not an amount such as 1299.00",
      "line 7: Variant Price '-5' is not an amount such as 1299.00",
      'line 8: Variant Price is missing',
      "line 9: Variant Price '1000000' is more than 999999.99",
      "line 10: Variant Inventory Qty 'many' is not a whole number",
      "line 11: Published 'perhaps' is neither true nor false",
      'line 12: 2 columns where the header has 8',
      'line 13: Handle is missing',
      'line 14: Title is longer than 255 characters',
      'line 15: Title contains characters that cannot be stored',
      'line 16: Title of bad-k is missing',
      'line 17: a quoted text does not end where it should',
      "line 19: Variant Price 'NaN' is not an amount such as 1299.00",
      'line 21: the same L of good-m is in the file twice',
      `line 22: Variant Inventory Qty '9999999999' is more than ${MAX_STOCK}`,
      `line 23: Variant Inventory Qty '-9999999999' is less than -${MAX_STOCK}`,
    ])
    expect((await storedProduct(db, 'good-m')).variants.map(({ options }) => options[0]?.[1])).toEqual(['S', 'L'])
  })

  test('do not spoil the following rows when a quote is never closed', async () => {
    const text = sheet(
      'Handle,Title,Variant Price',
      'open-1,One,1',
      'open-2,"Two,2',
      'open-3,"Three",3',
      'open-4,"Four,4',
      'open-5,Five,5',
    )
    const { added, problems } = await importText(db, text)
    expect({ added, problems }).toEqual({
      added: 3,
      problems: [3, 5].map(line => `line ${line}: a quoted text does not end where it should`),
    })
  })

  test('include rows that are not UTF-8', async () => {
    const text = Buffer.from(sheet('Handle,Title,Variant Price', 'latin-1,Caf\u00e9,4', 'latin-2,Tea,3'), 'latin1')
    expect(await importText(db, text)).toMatchObject({ added: 1, problems: ['line 2: the text is not UTF-8'] })
  })

  test.each(['Image Src', 'Variant Image'])(
    'include pictures without an https address in %s; their product is imported',
    async column => {
      const text = sheet(`Handle,Title,Variant Price,${column}`, 'http-picture,P,4,http://pictures.example/p.jpg')
      expect(await importText(db, text, { shop: column })).toMatchObject({
        added: 1,
        problems: [`line 2: ${column} 'http://pictures.example/p.jpg' is not an https address`],
      })
    },
  )
})

describe('descriptions made to overload the HTML parser', () => {
  const fill = (piece: string) => piece.repeat(Math.floor(99_000 / piece.length))
  const tangled = `${'<b>'.repeat(14_000)}${'</i>'.repeat(14_000)}`
  const HOSTILE = [fill('<ul><li>'), fill('<b>'), fill('<table><tr><td>'), fill('<p><b></i>'), tangled]
  const RARE = [fill('<'), fill('&'), fill('<!--'), `${'<ul><li>'.repeat(4000)}x`]

  test.each(['csv', 'json'])(
    'do not block the thread for long, and those with too many tags are rejected (%s)',
    { timeout: 60_000 },
    async format => {
      const described = [...HOSTILE, ...RARE].map((text, at) => [`busy-${format}-${at}`, text] as const)
      const text =
        format === 'csv'
          ? sheet(
              'Handle,Title,Body (HTML),Variant Price',
              ...described.map(([handle, html]) => `${handle},T,${html},1`),
            )
          : JSON.stringify(
              described.map(([handle, description]) => {
                const variants = [{ options: [], price: 1, stock: 1 }]
                return { handle, shop: 'Busy', name: 'T', category: 'C', description, price: 1, variants }
              }),
              undefined,
              1,
            )
      const { result, blockedMs, turns } = await watchThread(() => importText(db, text))

      printFigure(
        `the thread beside descriptions made to keep a parser busy (${format})`,
        `blocked ${blockedMs.toFixed(0)} ms`,
        '1000 ms',
      )
      expect(turns).toBeGreaterThan(described.length)
      expect(result.added).toBe(RARE.length)
      expect(result.problems).toHaveLength(HOSTILE.length)
      for (const problem of result.problems) expect(problem).toContain('holds more than 10000 tags')
      const { description } = await storedProduct(db, `busy-${format}-8`)
      expect(description.match(/<(ul|li)>/g)?.length).toBeLessThanOrEqual(20)
    },
  )
})

describe('a file with very many broken lines', () => {
  const COLUMNS = 'Handle,Title,Variant Price'
  const linesOf = (text: string, count: number) => Array.from({ length: count }, () => text)

  test('does not block the thread for long when each line leaves a quote open', async () => {
    const text = sheet(COLUMNS, ...linesOf('a","b', 20_000))
    const { result, blockedMs, turns } = await watchThread(() => importText(db, text))

    printFigure('the thread beside lines that leave a quote open', `blocked ${blockedMs.toFixed(0)} ms`, '1000 ms')
    expect(turns).toBeGreaterThan(100)
    expect(result.problems).toHaveLength(20_000)
  })

  test.each([
    ['rows', sheet(COLUMNS, ...linesOf('a', 5000))],
    ['records', `[${linesOf('{"type":"shop"}', 5000).join()}]`],
  ])('lets other work run between its %s', async (_, text) => {
    let turn = 0
    let isOver = false
    const countTurns = (): void => {
      turn += 1
      if (!isOver) void setImmediate().then(countTurns)
    }
    const turns: number[] = []
    countTurns()
    await importText(db, text, { onProblem: () => void turns.push(turn) })
    isOver = true

    expect(turns).toHaveLength(5000)
    expect(new Set(turns).size).toBeGreaterThan(20)
  })

  test('is read only as fast as the operator’s terminal accepts the problems', async () => {
    let chunkCount = 0
    async function* read(): AsyncGenerator<Buffer> {
      yield Buffer.from(sheet(COLUMNS))
      for (; chunkCount < 100; chunkCount += 1) yield Buffer.from('a\n'.repeat(50))
    }
    let told = ''
    const reading = Promise.withResolvers<void>()
    const err = vi.fn<(text: string) => Promise<void>>(async text => {
      await reading.promise
      told += text
    })
    const terminal = { read: read(), out: async () => {}, err, isWatched: false, signal: new AbortController().signal }
    const order = { name: 'import', untrackedStock: 1, isDryRun: false, hasPictures: false } as const

    const ended = handleImport(order, provider, terminal)
    await vi.waitFor(() => expect(err).toHaveBeenCalled(), PATIENCE)
    // Only the slow terminal holds up the import.
    for (let turn = 0; turn < 1000; turn += 1) await setImmediate()
    expect(chunkCount).toBeLessThan(10)

    reading.resolve()
    expect(await ended).toBe(1)
    expect(chunkCount).toBe(100)
    expect(told.match(/^line/gm)).toHaveLength(5000)
  })

  test('is rejected when its header has too many columns or too long a column name', async () => {
    const wide = sheet(COLUMNS + ',x'.repeat(2000), 'a,b,1')
    await expect(importText(db, wide)).rejects.toThrow('line 1: the header has more than 2000 columns')
    const long = sheet(`${COLUMNS},${'('.repeat(256)}`, 'a,b,1')
    await expect(importText(db, long)).rejects.toThrow('line 1: the name of column 4 is longer than 255 characters')
  })
})

describe('a file from another program', () => {
  test('may start with a byte order mark, use Windows line endings and have line breaks in texts', async () => {
    const text = `\uFEFFHandle,Title,Body (HTML),Variant Price\r\nwin-1,"Win\r\ndows","<p>a\r\nb</p>",12.5\r\n\r\nwin-2,Two,,x\r\n`
    const { added, problems } = await importText(db, text)
    expect(added).toBe(1)
    expect(problems).toEqual(["line 6: Variant Price 'x' is not an amount such as 1299.00"])
    expect((await storedProduct(db, 'win-1')).finalCents).toBe(1250)
  })

  test('may use the column names of newer Shopify templates', async () => {
    const text = sheet(
      'Title,URL handle,Price,Compare-at price,Inventory quantity,Status',
      'New,new-names,9,12,4,Draft',
    )
    await importText(db, text)
    expect(await storedProduct(db, 'new-names')).toMatchObject({
      finalCents: 900,
      priceCents: 1200,
      stock: 4,
      isHidden: true,
    })
  })

  test('may have the rows of one product in different places', async () => {
    const columns = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty'
    const text = sheet(
      columns,
      'split,Split,Scattered,Size,S,5,1',
      'between,B,Scattered,,,5,1',
      'split,,,,M,6,2',
      'split,Split,Scattered,Size,L,7,3',
    )
    expect(await importText(db, text)).toMatchObject({ added: 2, problems: [] })
    expect(await storedProduct(db, 'split')).toMatchObject({ stock: 6, finalCents: 500 })
    expect(await importText(db, text)).toMatchObject({ unchanged: 2 })
  })

  test('may have the rows of one product further apart than the importer keeps in memory', async () => {
    const columns = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty'
    const filler = Array.from({ length: 20 }, (_, at) => `filler-${at},${'F'.repeat(500_000)},Far Apart,,,5,1`)
    const text = sheet(columns, 'far,Far,Far Apart,Size,S,5,1', ...filler, 'far,,,,M,6,2', 'far,,,,S,6,2')
    for (let round = 1; round <= 2; round += 1) {
      const { problems } = await importText(db, text)
      expect(problems).toHaveLength(filler.length)
      expect(await storedProduct(db, 'far')).toMatchObject({ name: 'Far', stock: 3, finalCents: 500 })
      expect((await storedProduct(db, 'far')).variants.map(({ options }) => options)).toEqual([
        [['Size', 'S']],
        [['Size', 'M']],
      ])
    }
  })

  test.each([
    ['', 'The file is empty'],
    [
      'a;b;c\n1;2;3\n',
      "The file lacks the columns Handle, Title, Variant Price of Shopify's product CSV; or Type, Name, Regular price of WooCommerce's product CSV; or id, title, price of Google Merchant's product feed (the columns must be separated by commas or tabs)",
    ],
    ['Handle,Title,Variant Price\rmug,Mug,5\r', 'The file has old Mac line endings (CR): save it as CSV UTF-8'],
    ['\uFEFFHandle,Title,Variant Price\rmug,Mug,5\r', 'The file has old Mac line endings (CR): save it as CSV UTF-8'],
    ['\uFFFE', 'The file lacks the columns Handle, Title, Variant Price'],
    ['[{"handle":"x"', 'line 1: the file ends before its list does'],
    ['[', 'line 1: the file ends before its list does'],
    ['[\r{"handle":"x"', 'line 1: the file ends before its list does'],
  ])('is rejected with the reason when it is not a catalogue: %j', async (text, reason) => {
    await expect(importText(db, text)).rejects.toThrow(reason)
  })

  test('is rejected when it is UTF-16', async () => {
    await expect(importText(db, Buffer.from('\uFEFFHandle', 'utf16le'))).rejects.toThrow(
      'The file is UTF-16: save it as UTF-8',
    )
  })
})

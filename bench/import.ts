import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Database } from '#server/db/types.ts'
import { openDatabase } from '#server/db/database.ts'
import { importCatalogue } from '#server/catalogue/files/import/import-catalogue.ts'

const MB = 1024 * 1024
const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price\n'
const BODY = `"<p>${'A sturdy thing for every day, made to be used. '.repeat(20)}</p>"`
const SAMPLE_MS = 50

/** Measures the speed and memory of importing a large file. `args`: the file's megabytes, then PostgreSQL's URL. */
export async function run([megabytes = '200', url]: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-bench-import-'))
  const database = await openDatabase(url ? { url } : { folder: join(folder, 'db') })
  // A first small import, so that memory that the database allocates only once is not counted.
  await read(database, [HEADER, 'first,First,,Shop,Kind,,,,1,1\n'])
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), SAMPLE_MS)
  const { rows, products, seconds } = await timeImport(database, Number(megabytes))
  clearInterval(watch)
  console.log(
    `${megabytes} MB: ${rows} rows of ${products} products in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s`,
  )
  console.log(`memory grew by ${Math.round((peak - before) / MB)} MB from ${Math.round(before / MB)} MB`)
  await database.close()
  await rm(folder, { recursive: true })
}

const SIZES = ['S', 'M', 'L']

/** Imports a generated file of this size, whose products must not be in the database yet. */
export async function timeImport(database: Database, megabytes: number) {
  const began = performance.now()
  const { added } = await read(database, file(megabytes * MB))
  return { rows: added * SIZES.length, products: added, seconds: (performance.now() - began) / 1000 }
}

function read({ db }: Database, text: Iterable<string>) {
  return importCatalogue(db, {
    read: Readable.from(text),
    onWarning: reason => console.warn(reason),
    onProblem: (line, reason) => {
      throw new Error(`line ${line}: ${reason}`)
    },
  })
}

function* file(bytes: number): Generator<string> {
  yield HEADER
  for (let written = 0, at = 0; written < bytes; at += 1) {
    const [first, ...others] = SIZES.map(size => `Size,${size},5,19.99`)
    const facts = `Thing ${at},${BODY},Shop ${at % 50},Kind ${at % 20},"a, b",${first}`
    const rows = [facts, ...others.map(variant => `,,,,,${variant}`)]
    const text = rows.map(row => `thing-${at},${row}\n`).join('')
    written += text.length
    yield text
  }
}

import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { TAKEN_FORMATS } from '#server/catalogue/files/import/formats.ts'
import { importCatalogue } from '#server/catalogue/files/import/import-catalogue.ts'
import { UnreadableFileError } from '#server/catalogue/files/import/lines.ts'
import { fetchPictures, picturesIn } from '#server/catalogue/files/import/pictures.ts'
import { createPictureFetcher } from '#server/media/fetch.ts'
import { refreshStatistics } from '#server/db/statistics.ts'
import { InvalidInputError } from '#server/platform/errors.ts'
import { singleLine, singleLines } from '#server/platform/single-line.ts'
import { many } from './describe.ts'
import { describeImport } from './import-summary.ts'
import type { CommandOf } from './command.ts'
import type { AppContext, Terminal } from './app-context.ts'
import { createProgress } from './progress.ts'

/** An import that adds more products than this refreshes the statistics of the query planner. */
const WORTH_STATISTICS = 500

/** Imports the terminal's file into the shop, then its pictures. Returns exit code 1 if a line could not be used. */
export async function handleImport(
  command: CommandOf<'import'>,
  context: AppContext,
  terminal: Terminal,
): Promise<number> {
  const { db } = context.database
  const { signal } = terminal
  const { format, shop, rate, stock, untrackedStock, isDryRun, shipping } = command
  if (command.images) await checkFolder(command.images)
  const progress = createProgress(terminal)
  try {
    const imported = await importCatalogue(db, {
      read: Readable.from(readInPace(terminal.read, progress)),
      format,
      shop,
      rate,
      stock,
      untrackedStock,
      isDryRun,
      shippingRates: shipping,
      signal,
      hasPicture: hash => context.media.has(hash),
      onProgress: ({ bytes, products }) => progress.show(`${share(bytes, command.size)}${many(products, 'product')}`),
      onProblem: (line, reason) => progress.tell(`line ${line}: ${reason}`),
      onWarning: reason => progress.tell(`warning: ${reason}`),
    })
    progress.clear()
    await terminal.out(singleLines(describeImport(imported, command)))
    if (isDryRun) return imported.problems > 0 ? 1 : 0
    if (imported.added > WORTH_STATISTICS) await refreshStatistics(context.database)
    if (command.hasPictures)
      await importPictures(command, imported.shops, context, { signal, out: terminal.out, progress })
    return imported.problems > 0 ? 1 : 0
  } catch (error) {
    progress.clear()
    if (error instanceof UnreadableFileError)
      throw new InvalidInputError(`${singleLine(error.message)}\n${TAKEN_FORMATS}`)
    throw error
  } finally {
    await progress.end()
  }
}

/** Reads the file no faster than the terminal accepts the messages about it. */
async function* readInPace(file: AsyncIterable<Buffer>, { end }: ReturnType<typeof createProgress>) {
  for await (const chunk of file) {
    yield chunk
    await end()
  }
}

async function importPictures(
  command: CommandOf<'import'>,
  shops: string[],
  { database, media }: AppContext,
  { signal, out, progress }: Pick<Terminal, 'signal' | 'out'> & { progress: ReturnType<typeof createProgress> },
): Promise<void> {
  const { stored, missing } = await fetchPictures({
    db: database.db,
    media,
    shops,
    signal,
    fetch: command.images ? picturesIn(command.images) : createPictureFetcher(),
    onWarning: reason => progress.tell(`warning: ${reason}`),
    onProgress: done => progress.show(many(done, 'picture')),
  })
  progress.clear()
  if (stored + missing > 0) await out(`${many(stored, 'picture')} brought in, ${missing} could not be had\n`)
}

function share(bytes: number, size: number | undefined): string {
  return size ? `${Math.min(100, Math.floor((bytes / size) * 100))} %, ` : ''
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) throw new InvalidInputError(`${folder} is not a folder that the shop can read`)
}

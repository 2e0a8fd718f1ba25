import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The letters that a shop without a mail server has written, oldest first, their long lines joined. Those that it is
 * still writing have names with a leading dot.
 */
export async function writtenLetters({ dataDir }: { dataDir: string }): Promise<string[]> {
  const folder = join(dataDir, 'mail')
  const names = await readdir(folder).catch(() => [])
  const written = names.filter(name => !name.startsWith('.')).toSorted()
  const letters = await Promise.all(written.map(name => readFile(join(folder, name), 'utf8')))
  return letters.map(text => text.replaceAll(/=\r?\n/g, ''))
}

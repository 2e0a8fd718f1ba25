import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** A path without `..` that starts with no slash. */
  name: string
  content: Readable
  /** False for contents that are compressed already. */
  isCompressed: boolean
}

/**
 * A ZIP archive, written while it is read. Requests each entry once the previous one has been read. A failure, or
 * destroying the archive, ends the entries.
 */
export function zipOf(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile()
  const archive = zip.outputStream as Readable
  let current: Readable | undefined
  // Destroyed with the error, so that the reader does not take the archive for complete.
  zip.on('error', error => archive.destroy(error as Error))
  archive.on('error', () => undefined)
  archive.once('close', () => current?.destroy())
  writeEntries().catch((error: unknown) => archive.destroy(error as Error))
  return archive

  async function writeEntries(): Promise<void> {
    for await (const { name, content, isCompressed } of entries) {
      current = content
      if (archive.destroyed) content.destroy()
      else zip.addReadStream(content, name, { compress: isCompressed })
      await finished(content)
    }
    zip.end()
  }
}

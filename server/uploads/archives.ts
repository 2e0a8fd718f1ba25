import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl'
import { InvalidInputError } from '../platform/errors.ts'
import { sumBy } from '../platform/sum.ts'

const MAX_ENTRIES = 1000
const MEGABYTE = 1024 * 1024
const MAX_BYTES = 200 * MEGABYTE
const MAX_RATIO = 100
/** Archives up to this unpacked size may have any compression ratio. */
const HARMLESS_BYTES = MEGABYTE
const FILE_KIND = 0o170000
const LINK = 0o120000

/**
 * Reads the paths in a ZIP file from its directory, without unpacking it. Throws an `InvalidInputError` for an archive
 * that is damaged, contains links, would unpack to too many bytes or files, or would write outside its folder.
 */
export async function readArchive(path: string, name: string): Promise<string[]> {
  const options = { decodeStrings: false, autoClose: false }
  const archive = await openPromise(path, options).catch(() => fail(name, 'the archive is damaged'))
  try {
    if (archive.entryCount > MAX_ENTRIES) fail(name, `the archive holds more than ${MAX_ENTRIES} files`)
    const entries = await entriesOf(archive).catch(() => fail(name, 'the archive is damaged'))
    if (entries.some(isLink)) fail(name, 'the archive holds links')
    if (entries.some(isOutside)) fail(name, 'the archive contains paths outside its own folder')
    const bytes = sumBy(entries, entry => entry.uncompressedSize)
    if (bytes > MAX_BYTES) fail(name, `the archive unpacks to more than ${MAX_BYTES / MEGABYTE} MB`)
    if (bytes > Math.max(HARMLESS_BYTES, archive.fileSize * MAX_RATIO))
      fail(name, 'the archive has a suspiciously high compression ratio')
    return entries.map(pathOf)
  } finally {
    archive.close()
  }
}

function entriesOf(archive: ZipFile): Promise<Entry[]> {
  return Array.fromAsync(archive.eachEntry())
}

function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & FILE_KIND) === LINK
}

/** Check both names of an entry: some programs use the second one, others do not. */
function isOutside(entry: Entry): boolean {
  const names = [pathOf(entry), entry.fileNameRaw.toString('latin1').replaceAll('\\', '/')]
  return names.some(name => validateFileName(name) !== null)
}

function pathOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
}

function fail(name: string, reason: string): never {
  throw new InvalidInputError(`${name}: ${reason}`)
}

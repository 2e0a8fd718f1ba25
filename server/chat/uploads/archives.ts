import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl'
import { Refusal } from '../../http/errors.ts'

const MOST_ENTRIES = 1000
const MEGABYTE = 1024 * 1024
const MOST_BYTES = 200 * MEGABYTE
const MOST_RATIO = 100
/** So little may be packed as tightly as it likes. */
const HARMLESS_BYTES = MEGABYTE
const FILE_KIND = 0o170000
const LINK = 0o120000

/**
 * The paths in a ZIP file by its directory; nothing is unpacked. Refuses (422) one that is damaged, would fill a disk,
 * or would write outside the folder in which it is unpacked.
 */
export async function readArchive(path: string, name: string): Promise<string[]> {
  const options = { decodeStrings: false, autoClose: false }
  const archive = await openPromise(path, options).catch(() => refuse(name, 'the archive is damaged'))
  try {
    if (archive.entryCount > MOST_ENTRIES) refuse(name, `the archive holds more than ${MOST_ENTRIES} files`)
    const entries = await entriesOf(archive).catch(() => refuse(name, 'the archive is damaged'))
    if (entries.some(isLink)) refuse(name, 'the archive holds links')
    if (entries.some(isOutside)) refuse(name, 'the archive holds files that lie outside it')
    const bytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    if (bytes > MOST_BYTES) refuse(name, `the archive unpacks to more than ${MOST_BYTES / MEGABYTE} MB`)
    if (bytes > Math.max(HARMLESS_BYTES, archive.fileSize * MOST_RATIO))
      refuse(name, 'the archive is packed too tightly')
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

/** Some programs read the second name that an entry may have, others do not. */
function isOutside(entry: Entry): boolean {
  const names = [pathOf(entry), entry.fileNameRaw.toString('latin1').replaceAll('\\', '/')]
  return names.some(name => validateFileName(name) !== null)
}

function pathOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
}

function refuse(name: string, reason: string): never {
  throw new Refusal(422, `${name}: ${reason}`)
}

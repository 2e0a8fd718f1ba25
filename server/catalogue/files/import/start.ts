import { UnreadableFileError } from './lines.ts'

/** Bytes that suffice to recognise the kind of file. */
const LOOKED_AT = 1000
/** Share of NUL bytes above which a file is not text; a text may contain a stray one. */
const BINARY = 0.02
const NEW_LINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const ZIP_MARK = 'PK\u0003\u0004'
const GZIP_MARK = '\u001f\u008b'
const OLD_OFFICE_MARK = '\u00d0\u00cf\u0011\u00e0'
/** Names of files at the beginning of the archives that Excel and LibreOffice write. */
const OFFICE_FILES = /\[Content_Types\]\.xml|_rels\/|xl\/|application\/vnd\.oasis/

export type Kind = 'json' | 'xml' | 'table'

/**
 * Detects the kind of a file by its first line, and returns its chunks without the byte order mark. Throws
 * `UnreadableFileError` if the file is not UTF-8 text.
 */
export async function openText(file: AsyncGenerator<Buffer>): Promise<{ kind: Kind; chunks: AsyncIterable<Buffer> }> {
  let start = Buffer.alloc(0)
  while (!hasLine(start)) {
    const next = await file.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  const bytes = start.subarray(0, 3).equals(UTF8_MARK) ? start.subarray(3) : start
  async function* chunks(): AsyncGenerator<Buffer> {
    if (bytes.length > 0) yield bytes
    yield* file
  }
  return { kind: kindOf(bytes), chunks: chunks() }
}

function hasLine(start: Buffer): boolean {
  return start.length >= LOOKED_AT || start.toString('latin1').trimStart().includes('\n')
}

function kindOf(bytes: Buffer): Kind {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new UnreadableFileError('The file is UTF-16: save it as UTF-8')
  }
  const start = bytes.subarray(0, LOOKED_AT)
  const problem = binaryProblemOf(start)
  if (problem) throw new UnreadableFileError(problem)
  const opening = start.toString('latin1').trimStart()
  if (/^[[{]/.test(opening)) return 'json'
  if (/^<(!doctype html|html|head|body)|^<\?xml.*?\?>\s*<(!doctype html|html)/is.test(opening)) {
    throw new UnreadableFileError(
      'The file is a web page, not a catalogue: perhaps a sign-in page was saved in place of the export',
    )
  }
  if (/^<[?!\w]/.test(opening)) return 'xml'
  if (!bytes.includes(NEW_LINE) && bytes.subarray(0, -1).includes(CARRIAGE_RETURN)) {
    throw new UnreadableFileError('The file has old Mac line endings (CR): save it as CSV UTF-8')
  }
  return 'table'
}

function binaryProblemOf(start: Buffer): string | null {
  const text = start.toString('latin1')
  const isArchive = text.startsWith(ZIP_MARK)
  if (text.startsWith(OLD_OFFICE_MARK) || (isArchive && OFFICE_FILES.test(text)))
    return 'The file is a workbook, such as Excel’s .xlsx: open it in Excel or LibreOffice and save the sheet as CSV UTF-8'
  if (isArchive || text.startsWith(GZIP_MARK)) return 'The file is an archive: unpack it and import the file in it'
  const isText = start.filter(byte => byte === 0).length <= start.length * BINARY
  return isText ? null : 'The file is not a text file'
}

import { fileTypeFromFile } from 'file-type'
import type { Attachment } from '#contract/chat.ts'
import { InvalidInputError, type ServiceError } from '../platform/errors.ts'
import { readArchive } from './archives.ts'
import { beginsWith, holds, isPlainText } from './bytes.ts'
import { extensionOf } from './names.ts'

type Look = (file: { path: string; name: string }) => Promise<boolean>

export interface Kind {
  type: Attachment['type']
  /** The type with which the file is stored and served. */
  mimeType: string
  /**
   * Whether the content matches the extension; throws a `ServiceError` for a file that matches, but must not be sent.
   */
  isRight: Look
}

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06]
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
/** In compound files, the names of parts are in UTF-16. */
const WORD_PART = Buffer.from('WordDocument', 'utf16le')
const MACRO_PART = Buffer.from('_VBA_PROJECT', 'utf16le')

const found =
  (...mimeTypes: string[]): Look =>
  async ({ path }) =>
    mimeTypes.includes((await fileTypeFromFile(path))?.mime ?? '')

const jpeg: Kind = { type: 'image', mimeType: 'image/jpeg', isRight: found('image/jpeg') }

const KINDS = new Map<string, Kind>([
  ['jpg', jpeg],
  ['jpeg', jpeg],
  ['png', { type: 'image', mimeType: 'image/png', isRight: found('image/png', 'image/apng') }],
  ['webp', { type: 'image', mimeType: 'image/webp', isRight: found('image/webp') }],
  ['gif', { type: 'image', mimeType: 'image/gif', isRight: found('image/gif') }],
  ['mp4', { type: 'video', mimeType: 'video/mp4', isRight: found('video/mp4', 'video/x-m4v') }],
  ['webm', { type: 'video', mimeType: 'video/webm', isRight: found('video/webm') }],
  ['mov', { type: 'video', mimeType: 'video/quicktime', isRight: found('video/quicktime') }],
  ['pdf', { type: 'other', mimeType: 'application/pdf', isRight: found('application/pdf') }],
  ['doc', { type: 'other', mimeType: 'application/msword', isRight: isWord }],
  ['docx', { type: 'other', mimeType: DOCX, isRight: isNewWord }],
  ['txt', { type: 'other', mimeType: 'text/plain', isRight: ({ path }) => isPlainText(path) }],
  ['zip', { type: 'other', mimeType: 'application/zip', isRight: isZip }],
  ['rar', { type: 'other', mimeType: 'application/vnd.rar', isRight: found('application/x-rar-compressed') }],
])

/** The kind of a file by its name's extension; throws an `InvalidInputError` for kinds that may not be sent. */
export function kindOf(name: string): Kind {
  const kind = KINDS.get(extensionOf(name))
  if (!kind) throw new InvalidInputError(`${name || 'A file without a name'}: files of this kind cannot be sent`)
  return kind
}

/**
 * Returns the kind of a file. Throws an `InvalidInputError` if the content does not match the extension or could harm
 * people who open it.
 */
export async function checkKind(file: { path: string; name: string }): Promise<Kind> {
  const kind = kindOf(file.name)
  if (!(await kind.isRight(file)))
    throw new InvalidInputError(`${file.name}: the content is not that of a .${extensionOf(file.name)} file`)
  return kind
}

async function isWord({ path, name }: { path: string; name: string }): Promise<boolean> {
  if (!(await beginsWith(path, COMPOUND)) || !(await holds(path, WORD_PART))) return false
  if (await holds(path, MACRO_PART)) throw withMacros(name)
  return true
}

async function isNewWord({ path, name }: { path: string; name: string }): Promise<boolean> {
  if (!(await beginsWith(path, ZIP))) return false
  const entries = (await readArchive(path, name)).map(entry => entry.toLowerCase())
  if (entries.some(entry => entry.endsWith('vbaproject.bin'))) throw withMacros(name)
  return entries.includes('[content_types].xml') && entries.includes('word/document.xml')
}

async function isZip({ path, name }: { path: string; name: string }): Promise<boolean> {
  if (!(await beginsWith(path, ZIP)) && !(await beginsWith(path, EMPTY_ZIP))) return false
  await readArchive(path, name)
  return true
}

function withMacros(name: string): ServiceError {
  return new InvalidInputError(`${name}: documents with macros cannot be sent`)
}

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import createParser, { type Busboy } from 'busboy'
import { MAX_MESSAGE_LENGTH, MAX_FILE_BYTES, MAX_FILES, MAX_UPLOAD_BYTES } from '#contract/chat.ts'
import { type ErrorCode, InvalidInputError, MalformedError, ServiceError } from '../platform/errors.ts'
import { kindOf } from './kinds.ts'
import { cleanName } from './names.ts'

/** A received file, unchanged; readable by the owner only. */
export interface Draft {
  path: string
  name: string
  bytes: number
}

export interface Received {
  /** The form's other fields. */
  fields: Record<string, string>
  drafts: Draft[]
}

interface Options {
  /** Folder for the drafts, of this form alone. */
  folder: string
  /** Called before each file is written; throws to reject it. */
  onFile: () => Promise<void>
  hasPicturesOnly: boolean
}

type Form = Pick<Request, 'body' | 'headers'>

const FIELD = 'files'
const MEGABYTE = 1024 * 1024
/** Allowance for the form's fields, names and boundaries. */
const FORM_BYTES = 64 * 1024
const LIMITS = {
  files: MAX_FILES,
  // busboy stops at the limit, not above it: a file of exactly `MAX_FILE_BYTES` must pass.
  fileSize: MAX_FILE_BYTES + 1,
  fields: 10,
  fieldSize: MAX_MESSAGE_LENGTH * 4,
  parts: MAX_FILES + 10,
}

/**
 * Streams a form with files to disk; fields and files may come in any sequence. Throws a `ServiceError` at the first
 * problem and reads no further; the caller removes what was written.
 */
export async function receive(form: Form, { folder, onFile, hasPicturesOnly }: Options): Promise<Received> {
  const stop = new AbortController()
  const parser = openParser(form)
  const fields = new Map<string, string>()
  const drafts: Draft[] = []
  const writing: Promise<void>[] = []
  const abort = (code: ErrorCode, reason: string) => stop.abort(new ServiceError(code, reason))

  parser.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) abort('TOO_LARGE', `${name} is too long`)
    if (fields.has(name)) abort('MALFORMED', `${name} must be a single text`)
    fields.set(name, value)
  })
  parser.on('file', (field, file, { filename }) => {
    // Errors are reported by `write` or by the parser.
    file.on('error', () => {})
    const name = cleanName(filename ?? '')
    file.on('limit', () => abort('TOO_LARGE', `${name}: the file is larger than ${MAX_FILE_BYTES / MEGABYTE} MB`))
    const draft = { path: join(folder, String(drafts.length)), name, bytes: 0 }
    drafts.push(draft)
    const written = onFile().then(() => writeDraft(file, { field, draft, hasPicturesOnly }))
    writing.push(written.catch((error: unknown) => stop.abort(error)))
  })
  parser.on('filesLimit', () => abort('TOO_LARGE', `At most ${MAX_FILES} files can be sent at once`))
  for (const limit of ['fieldsLimit', 'partsLimit'] as const)
    parser.on(limit, () => abort('TOO_LARGE', 'Too many fields'))
  parser.on('error', () => abort('MALFORMED', 'The form is malformed'))

  try {
    await feed(form, parser, stop.signal)
    await Promise.all(writing)
    stop.signal.throwIfAborted()
    return { fields: Object.fromEntries(fields), drafts }
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    parser.destroy()
    await Promise.all(writing)
  }
}

function openParser({ headers }: Form): Busboy {
  if (Number(headers.get('content-length')) > MAX_UPLOAD_BYTES + FORM_BYTES) throw tooLarge()
  try {
    const type = headers.get('content-type') ?? ''
    if (!/^multipart\/form-data\s*;/i.test(type)) throw new Error('no form')
    return createParser({ headers: { 'content-type': type }, limits: LIMITS, defParamCharset: 'utf8' })
  } catch {
    // busboy throws only for a missing boundary.
    throw new ServiceError('UNSUPPORTED_TYPE', 'The files must be sent as multipart/form-data')
  }
}

/** Feeds the body to the parser until it ends; rejects when `signal` is aborted. */
async function feed({ body }: Form, parser: Busboy, signal: AbortSignal): Promise<void> {
  if (!body) throw new MalformedError('The form is malformed')
  const reader = body.getReader()
  // The HTTP layer drains the rest of the body. Releasing the lock rejects a pending read; a race with the signal would
  // keep every chunk in memory.
  const release = () => reader.releaseLock()
  signal.addEventListener('abort', release)
  const readChunk = () => reader.read().catch(() => Promise.reject(new MalformedError('The upload was interrupted')))
  try {
    let bytes = 0
    for (let next = await readChunk(); !next.done; next = await readChunk()) {
      bytes += next.value.length
      if (bytes > MAX_UPLOAD_BYTES + FORM_BYTES) throw tooLarge()
      if (!parser.write(next.value)) await once(parser, 'drain', { signal })
    }
    parser.end()
    await once(parser, 'close', { signal })
  } finally {
    release()
  }
}

async function writeDraft(
  file: Readable,
  { field, draft, hasPicturesOnly }: { field: string; draft: Draft; hasPicturesOnly: boolean },
): Promise<void> {
  const { name, path } = draft
  if (field !== FIELD) throw new MalformedError(`Files must be sent in the field ${FIELD}`)
  if (kindOf(name).type !== 'image' && hasPicturesOnly) throw new InvalidInputError(`${name}: please choose pictures`)
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await pipeline(file, target)
  draft.bytes = target.bytesWritten
  if (draft.bytes === 0) throw new InvalidInputError(`${name}: the file is empty`)
}

function tooLarge(): ServiceError {
  return new ServiceError('TOO_LARGE', `All files together must not be larger than ${MAX_UPLOAD_BYTES / MEGABYTE} MB`)
}

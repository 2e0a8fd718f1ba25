import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Attachment } from '#contract/chat.ts'
import type { Files } from './file-store.ts'
import { checkKind } from './kinds.ts'
import { redraw } from './pictures.ts'
import type { Draft } from './receive.ts'

/** A stored file; `size` in bytes. Pictures have a width, a height and the hash of the file as it was sent. */
export interface StoredFile {
  key: string
  type: Attachment['type']
  mimeType: string
  originalName: string
  size: number
  width?: number
  height?: number
  sentHash?: string
}

interface Sent {
  /** The sender's network. */
  network: string
  maxPx: number | undefined
}

/** A key for a new file. */
export function newKey(): string {
  const id = randomUUID()
  return `${id.slice(0, 2)}/${id}`
}

/**
 * Stores uploaded files, pictures after re-encoding: all of them, or none if one is rejected (an `InvalidInputError`)
 * or cannot be stored. Pictures with a side longer than `maxPx` are made smaller. Moves stored drafts away; the
 * caller removes the rest.
 */
export async function storeFiles(drafts: Draft[], { place, remove }: Files, sent: Sent): Promise<StoredFile[]> {
  const checked = []
  for (const draft of drafts) checked.push(await checkDraft(draft, sent))
  const stored: StoredFile[] = []
  try {
    for (const { path, ...file } of checked) {
      const key = newKey()
      await place(path, key, file.mimeType)
      stored.push({ key, ...file })
    }
    return stored
  } catch (error) {
    // A sweep removes later what cannot be removed here.
    await Promise.allSettled(stored.map(({ key }) => remove(key)))
    throw error
  }
}

async function checkDraft(draft: Draft, sent: Sent): Promise<Omit<StoredFile, 'key'> & { path: string }> {
  const { path, name: originalName, bytes } = draft
  const { type, mimeType } = await checkKind(draft)
  if (type !== 'image') return { path, type, mimeType, originalName, size: bytes }
  const drawn = `${path}.drawn`
  return {
    path: drawn,
    type,
    mimeType,
    originalName,
    sentHash: await hashOf(path),
    ...(await redraw(originalName, mimeType, { from: path, to: drawn, ...sent })),
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { absent, measureFolder, namesIn, sizeOf, writeWhole } from './files.ts'

/** A file on this machine's disk, and its size. */
export type FileOnDisk = { path: string; bytes: number }

/** A picture in a listing. */
export interface ListedPicture {
  hash: string
  /** False if a crash left only renditions. */
  hasOriginal: boolean
  /** Where it is, its size in bytes with all renditions, and its last change; null if it was removed meanwhile. */
  measure(): Promise<{ path: string; bytes: number; changedAt: Date } | null>
}

/** Where the files of pictures are: each has an original and renditions such as '640.webp'. */
export interface PictureStorage {
  /** The file; null if it is not stored. */
  find(hash: string, name: string): Promise<FileOnDisk | null>
  /** The content of a file; null if it is not stored. */
  read(hash: string, name: string): Promise<Buffer | null>
  /** Whether the original is stored. */
  has(hash: string): Promise<boolean>
  /** The whole file or nothing, durable when the promise resolves. */
  write(hash: string, name: string, bytes: Buffer): Promise<void>
  /** Pictures whose hash has this beginning. */
  list(beginning: string): AsyncIterable<ListedPicture>
}

export const ORIGINAL = 'original'
export const HASH = /^[0-9a-f]{64}$/

/** A picture's folder, below that of all pictures: millions of names in one folder would be slow. */
export function folderOf(hash: string): string {
  return join(hash.slice(0, 2), hash.slice(2))
}

/** Pictures in a folder, which several processes may share. */
export function openFolderStorage(folder: string): PictureStorage {
  const placeOf = (hash: string, name = '') => join(folder, folderOf(hash), name)

  async function has(hash: string): Promise<boolean> {
    return (await sizeOf(placeOf(hash, ORIGINAL))) !== null
  }

  return {
    has,

    async find(hash, name) {
      const path = placeOf(hash, name)
      const bytes = await sizeOf(path)
      return bytes === null ? null : { path, bytes }
    },

    read: (hash, name) => readFile(placeOf(hash, name)).catch(absent),

    write: (hash, name, bytes) => writeWhole(folder, placeOf(hash, name), bytes),

    async *list(beginning) {
      for (const start of await namesIn(folder)) {
        if (start.length !== 2 || !start.startsWith(beginning.slice(0, 2))) continue
        for (const rest of await namesIn(join(folder, start))) {
          const hash = start + rest
          if (!HASH.test(hash) || !hash.startsWith(beginning)) continue
          yield { hash, hasOriginal: await has(hash), measure: () => measureFolder(placeOf(hash)) }
        }
      }
    },
  }
}

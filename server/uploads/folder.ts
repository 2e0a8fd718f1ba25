import { FSDriver } from 'flydrive/drivers/fs'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { absent, namesIn } from '../media/files.ts'
import { type ByteRange, FOLDER, type ListedFile, type StorageDriver } from './storage-driver.ts'

/** Inside the folder itself, so that a finished file only has to be renamed. */
const DRAFTS = 'drafts'

/** flydrive's own driver writes files in place, and lets all users read them that the umask allows. */
class DurableDriver extends FSDriver {
  readonly folder: string

  constructor(folder: string) {
    super({ location: folder, visibility: 'private' })
    this.folder = folder
  }

  override async putStream(key: string, contents: Readable): Promise<void> {
    const path = join(this.folder, key)
    const draft = join(this.folder, DRAFTS, randomUUID())
    for (const folder of [dirname(draft), dirname(path)]) await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await pipeline(contents, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
}

/** Files below `folder`, readable by the owner only, and flushed to disk before they are visible. */
export function openFolder(folder: string): StorageDriver {
  return {
    driver: new DurableDriver(folder),
    async read(key: string, part: ByteRange | null): Promise<Readable | null> {
      const file = await open(join(folder, key)).catch(absent)
      return file?.createReadStream({ ...part }) ?? null
    },
    async *list(): AsyncGenerator<ListedFile> {
      for (const first of await namesIn(folder)) {
        if (!FOLDER.test(first)) continue
        for (const name of await namesIn(join(folder, first))) {
          const found = await stat(join(folder, first, name)).catch(absent)
          if (found?.isFile()) yield { key: `${first}/${name}`, cameAt: found.mtime }
        }
      }
    },
  }
}

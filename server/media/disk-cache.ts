import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sumBy } from '../platform/sum.ts'
import { absent, namesIn, sizeOf, writeWhole } from './files.ts'
import type { FileOnDisk } from './storage.ts'

/**
 * A folder with copies of files that are elsewhere. Removes the least recently used ones when they take more than
 * `maxBytes`. Only one process may use the folder.
 */
export function openDiskCache({ folder, maxBytes }: { folder: string; maxBytes: number }) {
  /** By path, least recently used first. */
  let sizes = new Map<string, number>()
  let total = 0

  function forget(path: string): void {
    total -= sizes.get(path) ?? 0
    sizes.delete(path)
  }

  function noteUse(path: string, bytes: number): void {
    forget(path)
    sizes.set(path, bytes)
    total += bytes
  }

  async function evict(): Promise<void> {
    for (const path of sizes.keys()) {
      if (total <= maxBytes) return
      forget(path)
      await rm(path, { force: true })
    }
  }

  /** Counts the files of earlier runs, which were used before all others. */
  async function countEarlier(): Promise<void> {
    const earlier: { path: string; bytes: number; usedAt: number }[] = []
    for (const start of await namesIn(folder)) {
      if (start.length !== 2) continue
      for (const name of await readdir(join(folder, start))) {
        const path = join(folder, start, name)
        const found = await stat(path).catch(absent)
        if (found) earlier.push({ path, bytes: found.size, usedAt: found.atimeMs })
      }
    }
    const counted = earlier.filter(({ path }) => !sizes.has(path)).toSorted((one, other) => one.usedAt - other.usedAt)
    sizes = new Map([...counted.map(({ path, bytes }) => [path, bytes] as const), ...sizes])
    total += sumBy(counted, ({ bytes }) => bytes)
    await evict()
  }

  // One folder for many files, so that no empty folders are left.
  const pathOf = (hash: string, name: string) => join(folder, hash.slice(0, 2), `${hash.slice(2)}-${name}`)

  return {
    /** Resolves when the files of earlier runs are counted. */
    counted: countEarlier(),

    async find(hash: string, name: string): Promise<FileOnDisk | null> {
      const path = pathOf(hash, name)
      const bytes = await sizeOf(path)
      if (bytes === null) {
        forget(path)
        return null
      }
      noteUse(path, bytes)
      return { path, bytes }
    },

    async write(hash: string, name: string, bytes: Buffer): Promise<FileOnDisk> {
      const path = pathOf(hash, name)
      await writeWhole(folder, path, bytes)
      noteUse(path, bytes.length)
      await evict()
      return { path, bytes: bytes.length }
    },
  }
}

import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { S3Config } from '../platform/s3-config.ts'
import { sumBy } from '../platform/sum.ts'
import type { Bucket } from './bucket.ts'
import { absent, namesIn } from './files.ts'
import { folderOf, openFolderStorage, ORIGINAL } from './storage.ts'

interface Options {
  folder: string
  s3: S3Config
  /** Whether each picture is removed from the folder once the bucket has it. */
  isRemoving: boolean
  /** Stops between two files; calling again continues. */
  signal: AbortSignal
  onProgress: (pictureCount: number) => void
}

interface Moved {
  pictureCount: number
  /** Files that the bucket did not have before. */
  copiedCount: number
  copiedBytes: number
  /** Folders of pictures whose original is missing, or is not what its name says. They are left as they are. */
  damaged: string[]
}

/**
 * Copies all pictures of a folder into a bucket, and compares the sizes there. Can run while the shop is open, several
 * times and in several processes at once: it skips what the bucket has.
 */
export async function movePictures({ folder, s3, isRemoving, signal, onProgress }: Options): Promise<Moved> {
  const { openBucket } = await import('./bucket.ts')
  const bucket = openBucket(s3)
  const moved: Moved = { pictureCount: 0, copiedCount: 0, copiedBytes: 0, damaged: [] }
  try {
    for await (const { hash } of openFolderStorage(folder).list('')) {
      const place = join(folder, folderOf(hash))
      const copied = await copyPicture(bucket, hash, place, signal)
      if (copied) {
        moved.copiedCount += copied.count
        moved.copiedBytes += copied.bytes
        if (isRemoving) await rm(place, { recursive: true, force: true })
      } else moved.damaged.push(place)
      moved.pictureCount += 1
      onProgress(moved.pictureCount)
    }
    return moved
  } finally {
    bucket.close()
  }
}

/** Copies the files of a picture that the bucket lacks. Null if its original is missing or damaged. */
async function copyPicture(
  bucket: Bucket,
  hash: string,
  place: string,
  signal: AbortSignal,
): Promise<{ count: number; bytes: number } | null> {
  const names = await namesIn(place)
  const before = await sizesIn(bucket, hash)
  if (!names.includes(ORIGINAL) && !before.has(ORIGINAL)) return null
  // The original comes last: the bucket has a picture as soon as it has its original.
  const missing = names.filter(name => !before.has(name)).toSorted((one, other) => rank(one) - rank(other))
  const copied = new Map<string, number>()
  for (const name of missing) {
    signal.throwIfAborted()
    const bytes = await readFile(join(place, name)).catch(absent)
    // Another process that moves pictures has removed it, and so has copied it.
    if (!bytes) continue
    if (name === ORIGINAL && createHash('sha256').update(bytes).digest('hex') !== hash) return null
    await bucket.put(hash, name, bytes)
    copied.set(name, bytes.length)
  }
  const after = copied.size > 0 ? await sizesIn(bucket, hash) : before
  for (const [name, bytes] of copied) {
    if (after.get(name) !== bytes)
      throw new Error(`${bucket.addressOf(hash)}${name} differs in size from what was sent`)
  }
  return { count: copied.size, bytes: sumBy(copied.values(), bytes => bytes) }
}

async function sizesIn(bucket: Bucket, hash: string): Promise<Map<string, number>> {
  const files = await Array.fromAsync(bucket.list(hash))
  return new Map(files.map(({ name, bytes }) => [name, bytes]))
}

function rank(name: string): number {
  return name === ORIGINAL ? 1 : 0
}

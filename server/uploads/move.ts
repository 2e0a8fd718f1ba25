import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sizeOf } from '../media/files.ts'
import type { S3Config } from '../platform/s3-config.ts'
import { openBucketFiles, openFolderFiles } from './file-store.ts'

interface Options {
  folder: string
  s3: S3Config
  /** Whether each file is removed from the folder once the bucket has it. */
  isRemoving: boolean
  /** Stops between two files; calling again continues. */
  signal: AbortSignal
  onProgress: (fileCount: number) => void
}

interface Moved {
  fileCount: number
  /** Files that the bucket did not have before. */
  copiedCount: number
  copiedBytes: number
}

/**
 * Copies the files that customers sent from a folder into a bucket, and compares the sizes there. Can run while the
 * shop is open, and again after an interruption: it skips what the bucket has.
 */
export async function moveFiles({ folder, s3, isRemoving, signal, onProgress }: Options): Promise<Moved> {
  const bucket = await openBucketFiles(s3)
  const moved: Moved = { fileCount: 0, copiedCount: 0, copiedBytes: 0 }
  for await (const { key } of openFolderFiles(folder).list()) {
    signal.throwIfAborted()
    const path = join(folder, key)
    const bytes = await sizeOf(path)
    // Removed meanwhile, with its message.
    if (bytes === null) continue
    if ((await bucket.sizeOf(key)) !== bytes) {
      await bucket.copy(path, key)
      if ((await bucket.sizeOf(key)) !== bytes)
        throw new Error(`s3://${s3.bucket}/${key} differs in size from what was sent`)
      moved.copiedCount += 1
      moved.copiedBytes += bytes
    }
    if (isRemoving) await rm(path, { force: true })
    moved.fileCount += 1
    onProgress(moved.fileCount)
  }
  return moved
}

import { Disk, DriveFile } from 'flydrive'
import type { S3Config } from '../platform/s3-config.ts'
import { openFolder } from './folder.ts'
import type { StorageDriver } from './storage-driver.ts'

/** Files are in folders named after the first two characters of their id. */
const FOLDER = /^[0-9a-f]{2}$/

export type Files = ReturnType<typeof filesIn>

/** Opens the data folder, or the bucket if one is configured. */
export async function openFiles({ folder, s3 }: { folder: string; s3: S3Config | null }) {
  if (!s3) return filesIn(openFolder(folder))
  // Imported here, because it takes half a second that only shops with a bucket need.
  const { openBucket } = await import('./bucket.ts')
  return filesIn(openBucket(s3))
}

function filesIn({ driver, read }: StorageDriver) {
  const disk = new Disk(driver)

  async function* listAll(prefix: string, { recursive }: { recursive: boolean }) {
    let paginationToken: string | undefined
    do {
      const page = await disk.listAll(prefix, { recursive, ...(paginationToken && { paginationToken }) })
      yield* page.objects
      paginationToken = page.paginationToken
    } while (paginationToken)
  }

  return {
    read,

    /** Moves a draft to `key`: complete and durable when the promise resolves; no part of it if it rejects. */
    place: (draft: string, key: string, contentType: string): Promise<void> =>
      disk.moveFromFs(draft, key, { contentType }),

    remove: (key: string): Promise<void> => disk.delete(key),

    /** Lists all files with the time of their upload. Skips everything else in the bucket, such as pictures. */
    async *list(): AsyncGenerator<{ key: string; cameAt: Date }> {
      for await (const folder of listAll('/', { recursive: false })) {
        if (!FOLDER.test(folder.name)) continue
        for await (const file of listAll(`${folder.name}/`, { recursive: true })) {
          if (file instanceof DriveFile) yield { key: file.key, cameAt: (await file.getMetaData()).lastModified }
        }
      }
    },
  }
}

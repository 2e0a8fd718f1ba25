import { Disk, DriveFile } from 'flydrive'
import type { S3Config } from './config.ts'
import { openFolder } from './folder.ts'
import type { Place } from './place.ts'

export type Files = ReturnType<typeof filesIn>

/** Opens the data folder, or the bucket if one is configured. */
export async function openFiles({ folder, s3 }: { folder: string; s3: S3Config | null }) {
  if (!s3) return filesIn(openFolder(folder))
  // Imported here, because it takes half a second that only shops with a bucket need.
  const { openBucket } = await import('./bucket.ts')
  return filesIn(openBucket(s3))
}

function filesIn({ driver, read }: Place) {
  const disk = new Disk(driver)
  return {
    read,

    /** Moves a draft to `key`: complete and durable when the promise resolves; no part of it if it rejects. */
    place: (draft: string, key: string, contentType: string): Promise<void> =>
      disk.moveFromFs(draft, key, { contentType }),

    remove: (key: string): Promise<void> => disk.delete(key),

    /** Lists all files with the time of their upload. */
    async *list(): AsyncGenerator<{ key: string; cameAt: Date }> {
      let paginationToken: string | undefined
      do {
        const page = await disk.listAll('/', { recursive: true, ...(paginationToken && { paginationToken }) })
        for (const file of page.objects) {
          if (file instanceof DriveFile) yield { key: file.key, cameAt: (await file.getMetaData()).lastModified }
        }
        paginationToken = page.paginationToken
      } while (paginationToken)
    },
  }
}

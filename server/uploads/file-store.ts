import { Disk, DriveFile } from 'flydrive'
import type { S3Config } from '../platform/s3-config.ts'
import { runAll } from '../platform/run-all.ts'
import { openFolder } from './folder.ts'
import type { StorageDriver } from './storage-driver.ts'

/** Files are in folders named after the first two characters of their id. */
const FOLDER = /^[0-9a-f]{2}$/

type StoredFiles = ReturnType<typeof filesIn>
export type Files = Pick<StoredFiles, 'read' | 'place' | 'remove' | 'list'>

/** Opens the data folder or, if one is configured, the bucket: then files that are in the folder are still read. */
export async function openFiles({ folder, s3 }: { folder: string; s3: S3Config | null }): Promise<Files> {
  const local = openFolderFiles(folder)
  return s3 ? inEither(local, await openBucketFiles(s3)) : local
}

export function openFolderFiles(folder: string): StoredFiles {
  return filesIn(openFolder(folder))
}

export async function openBucketFiles(s3: S3Config): Promise<StoredFiles> {
  // Imported here, because it takes half a second that only shops with a bucket need.
  const { openBucket } = await import('./bucket.ts')
  return filesIn(openBucket(s3))
}

/** Stores new files in the bucket. The folder is read first: a file leaves it only once the bucket has it. */
function inEither(folder: Files, bucket: Files): Files {
  return {
    read: async (key, part) => (await folder.read(key, part)) ?? bucket.read(key, part),
    place: bucket.place,
    remove: key => runAll([() => folder.remove(key), () => bucket.remove(key)]),
    async *list() {
      yield* folder.list()
      yield* bucket.list()
    },
  }
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

    /** Copies a file of the disk to `key`. Its row has its type, with which it is served. */
    copy: (path: string, key: string): Promise<void> =>
      disk.copyFromFs(path, key, { contentType: 'application/octet-stream' }),

    /** The size of a file in bytes; null if there is none. */
    async sizeOf(key: string): Promise<number | null> {
      return (await disk.exists(key)) ? (await disk.getMetaData(key)).contentLength : null
    },

    /** Lists all files with the time of their upload. Skips everything else in the bucket, such as pictures. */
    async *list(): AsyncGenerator<{ key: string; cameAt: Date }> {
      for await (const folder of listAll('/', { recursive: false })) {
        if (!FOLDER.test(folder.name)) continue
        for await (const file of listAll(`${folder.name}/`, { recursive: true })) {
          if (!(file instanceof DriveFile)) continue
          // It may have been removed since it was listed.
          const found = await file.getMetaData().catch(async (error: unknown) => {
            if (await file.exists()) throw error
          })
          if (found) yield { key: file.key, cameAt: found.lastModified }
        }
      }
    },
  }
}

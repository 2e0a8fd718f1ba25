import { Disk } from 'flydrive'
import type { S3Config } from '../platform/s3-config.ts'
import { runAll } from '../platform/run-all.ts'
import { openFolder } from './folder.ts'
import type { StorageDriver } from './storage-driver.ts'

/** Names the database whose files the bucket has. */
const OWNER_KEY = 'piazza-owner'

type StoredFiles = ReturnType<typeof filesIn>
type BucketFiles = Awaited<ReturnType<typeof openBucketFiles>>

export interface Files extends Pick<StoredFiles, 'read' | 'place' | 'remove'> {
  folder: StoredFiles
  bucket: BucketFiles | null
}

/** Opens the data folder or, if one is configured, the bucket: then files that are in the folder are still read. */
export async function openFiles({ folder: path, s3 }: { folder: string; s3: S3Config | null }): Promise<Files> {
  const folder = openFolderFiles(path)
  const bucket = s3 && (await openBucketFiles(s3))
  const { read, place, remove } = bucket ? inEither(folder, bucket) : folder
  return { read, place, remove, folder, bucket }
}

export function openFolderFiles(folder: string): StoredFiles {
  return filesIn(openFolder(folder))
}

export async function openBucketFiles(s3: S3Config) {
  // Imported here, because it takes half a second that only shops with a bucket need.
  const { openBucket } = await import('./bucket.ts')
  const bucket = openBucket(s3)
  const disk = new Disk(bucket.driver)
  return {
    ...filesIn(bucket),

    /** The id of the database to which the bucket belongs; null if none has claimed it. */
    owner: async (): Promise<string | null> => ((await disk.exists(OWNER_KEY)) ? disk.get(OWNER_KEY) : null),

    /** Makes the bucket belong to a database. */
    claim: (databaseId: string): Promise<void> => disk.put(OWNER_KEY, databaseId, { contentType: 'text/plain' }),
  }
}

/** Stores new files in the bucket. The folder is read first: a file leaves it only once the bucket has it. */
function inEither(folder: StoredFiles, bucket: StoredFiles): Pick<StoredFiles, 'read' | 'place' | 'remove'> {
  return {
    read: async (key, part) => (await folder.read(key, part)) ?? bucket.read(key, part),
    place: bucket.place,
    remove: key => runAll([() => folder.remove(key), () => bucket.remove(key)]),
  }
}

function filesIn({ driver, read, list }: StorageDriver) {
  const disk = new Disk(driver)
  return {
    read,
    list,

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
  }
}

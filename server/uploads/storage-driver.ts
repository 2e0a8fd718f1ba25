import type { DriverContract } from 'flydrive/types'
import type { Readable } from 'node:stream'

/** A range of a file's bytes, both ends included. */
export interface ByteRange {
  start: number
  end: number
}

/** A stored file, with the time of its upload. */
export interface ListedFile {
  key: string
  cameAt: Date
}

/** A flydrive driver, with what it lacks: partial reads, and a list with times. */
export interface StorageDriver {
  driver: DriverContract
  /** A file's bytes, all or a part; null if there is no such file. */
  read(key: string, part: ByteRange | null): Promise<Readable | null>
  /** Lists all files. Skips everything else that is stored there, such as drafts and pictures. */
  list(): AsyncGenerator<ListedFile>
}

/** Files are in folders named after the first two characters of their id. */
export const FOLDER = /^[0-9a-f]{2}$/

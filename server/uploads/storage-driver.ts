import type { DriverContract } from 'flydrive/types'
import type { Readable } from 'node:stream'

/** A range of a file's bytes, both ends included. */
export interface ByteRange {
  start: number
  end: number
}

/** A flydrive driver, with the partial reads that it lacks. */
export interface StorageDriver {
  driver: DriverContract
  /** A file's bytes, all or a part; null if there is no such file. */
  read(key: string, part: ByteRange | null): Promise<Readable | null>
}

import type { DriverContract } from 'flydrive/types'
import type { Readable } from 'node:stream'

/** Bytes of a file, both ends included. */
export interface Part {
  start: number
  end: number
}

/** A flydrive driver, and what it lacks. */
export interface Place {
  driver: DriverContract
  /** A file's bytes, all or a part; null for one that is not there. */
  read(key: string, part: Part | null): Promise<Readable | null>
}

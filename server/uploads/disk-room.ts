import { statfs } from 'node:fs/promises'
import { UnavailableError } from '../platform/errors.ts'

export interface DiskRoom {
  /**
   * Reserves `bytes` on the disk of `folder` until the returned function is called. Throws an `UnavailableError` if
   * less than `reserve` would stay free, counting earlier reservations.
   */
  take(folder: string, bytes: number): Promise<() => void>
}

interface Options {
  /** Bytes to keep free for orders, logs and the database. */
  reserve: number
}

export const NO_ROOM = 'There is no room for files right now'

/** Reserves disk space for uploads. */
export function openDiskRoom({ reserve }: Options): DiskRoom {
  let taken = 0
  return {
    async take(folder, bytes) {
      const free = await freeBytes(folder)
      // No await below: simultaneous uploads must not reserve the same bytes.
      if (free - taken - bytes < reserve) throw new UnavailableError(NO_ROOM)
      taken += bytes
      let isTaken = true
      return () => {
        if (isTaken) taken -= bytes
        isTaken = false
      }
    },
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

import { statfs } from 'node:fs/promises'
import { Refusal } from '../../http/errors.ts'

export interface DiskRoom {
  /**
   * Sets `bytes` of the disk of `folder` aside until the returned function is called. Throws a `Refusal` (503) when less
   * than the reserve would be left, counting what is set aside already.
   */
  take(folder: string, bytes: number): Promise<() => void>
}

interface Options {
  /** Bytes that stay free for orders, logs and the database. */
  reserve: number
  /** Bytes that are free on the disk of a folder. */
  readFree?: (folder: string) => Promise<number>
}

export const NO_ROOM = 'There is no room for files right now'

/** The room that uploads may use on the disk. */
export function openDiskRoom({ reserve, readFree = freeBytes }: Options): DiskRoom {
  let taken = 0
  return {
    async take(folder, bytes) {
      const free = await readFree(folder)
      // No await from here on: uploads at the same moment must not both get the last of it.
      if (free - taken - bytes < reserve) throw new Refusal(503, NO_ROOM)
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

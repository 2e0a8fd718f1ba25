import { appendFileSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

/** To open, the embedded database needs 64 to 256 kB, and after some crashes another log file of 16 MB. */
const RESERVE_BYTES = 17 * 1024 * 1024
const STEP = Buffer.alloc(1024 * 1024)
const LAST_STEP = 4096

const pathIn = (folder: string) => join(folder, 'reserve')

/** Frees the space that `fillReserve` reserved; false if there was none. */
export function freeReserve(folder: string): boolean {
  const hadSpace = (statSync(pathIn(folder), { throwIfNoEntry: false })?.size ?? 0) > 0
  if (hadSpace) truncateSync(pathIn(folder))
  return hadSpace
}

export function isAlmostFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < RESERVE_BYTES
}

/** Reserves disk space for the next start, so that a shop can start on a full disk; less if there is not enough. */
export function fillReserve(folder: string): void {
  const path = pathIn(folder)
  try {
    for (let step = STEP.length; step >= LAST_STEP;) {
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (size >= RESERVE_BYTES) return
      if (!hasAppended(path, STEP.subarray(0, Math.min(step, RESERVE_BYTES - size)))) step /= 16
    }
  } catch {
    // The shop can open without a reserve.
  }
}

function hasAppended(path: string, bytes: Buffer): boolean {
  try {
    appendFileSync(path, bytes, { mode: 0o600 })
    return true
  } catch (error) {
    if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

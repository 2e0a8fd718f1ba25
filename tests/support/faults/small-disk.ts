import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** Uses up all free space. */
  fill(): void
  /** Deletes the file that `fill` made. */
  free(): void
  remove(): void
}

const STEPS = [1024 * 1024, 4096, 1]

/** Mounts a disk of this size; null if this account may not mount disks. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'piazza-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', folder]
  if (spawnSync('mount', options, { stdio: 'ignore' }).status !== 0) {
    rmdirSync(folder)
    return null
  }
  const ballast = join(folder, 'ballast')
  const remove = () => {
    spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'w')
      for (const bytes of STEPS) while (fits(file, bytes));
      closeSync(file)
    },
    free: () => rmSync(ballast),
    remove() {
      process.removeListener('exit', remove)
      remove()
    },
  }
}

function fits(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes
  } catch {
    // Not enough space left for this many bytes.
    return false
  }
}

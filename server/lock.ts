import { createHash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeDataFolder, withReason } from './data-folder.ts'

export interface Lock {
  /** Gives the folder back; a second call does nothing. */
  release: () => void
}

interface Holder {
  pid: number
  started: string | null
  raw: string
}

const TAKEOVER_PAUSE_MS = 10

/**
 * Makes this process the only one in `folder`, which is created with mode 0700 if it is missing.
 * Throws an Error that names `pid N` when a living process holds it; the lock of a dead one is taken over.
 */
export async function acquireLock(folder: string): Promise<Lock> {
  makeDataFolder(folder)
  const path = join(folder, 'lock')
  const mine = JSON.stringify({ pid: process.pid, started: startTime(process.pid), id: randomUUID() })
  const file = `${path}.${randomUUID()}.new`
  try {
    withReason(folder, () => writeFileSync(file, mine, { mode: 0o600, flush: true }))
    const holder = await take(path, file)
    if (holder) throw new Error(refusal(folder, holder))
  } finally {
    rmSync(file, { force: true })
  }

  function release(): void {
    process.off('exit', release)
    if (read(path)?.raw === mine) rmSync(path, { force: true })
  }
  process.on('exit', release)
  return { release }
}

/**
 * Links `file` to `path`, which is atomic, and answers null, or the living holder in the way.
 * A dead holder's lock is replaced only by whoever holds a second lock, named after the first one's content:
 * a racer that read the dead one earlier cannot remove what has come in its place.
 */
async function take(path: string, file: string): Promise<Holder | null> {
  for (;;) {
    if (links(file, path)) return null
    const holder = read(path)
    if (!holder) continue
    if (lives(holder)) return holder
    const claim = `${path}.${createHash('sha256').update(holder.raw).digest('hex').slice(0, 12)}`
    if (await take(claim, file)) {
      await pause(TAKEOVER_PAUSE_MS)
      continue
    }
    if (read(path)?.raw === holder.raw) {
      renameSync(claim, path)
      return null
    }
    rmSync(claim, { force: true })
  }
}

function links(file: string, path: string): boolean {
  try {
    linkSync(file, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function read(path: string): Holder | null {
  let raw: string
  try {
    raw = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  try {
    const { pid, started } = JSON.parse(raw) as Holder
    return { pid, started, raw }
  } catch {
    // A power loss can leave an empty file: nobody's lock.
    return { pid: 0, started: null, raw }
  }
}

function lives({ pid, started }: Holder): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
  }
  const now = startTime(pid)
  return started === null || now === null || now === started
}

/** In the kernel's ticks; null where /proc does not tell, 'dead' for a process that only waits to be reaped. */
function startTime(pid: number): string | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // Not Linux, or not running any more.
    return null
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : (fields[19] ?? null)
}

function refusal(folder: string, { pid }: Holder): string {
  return `${folder} is in use by another Piazza process (pid ${pid}). Stop that one first (kill ${pid}), or start this one with another DATA_DIR.`
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

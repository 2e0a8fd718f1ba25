import { createHash } from 'node:crypto'
import { closeSync, fstatSync, futimesSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isListening, socketPath } from './operators-socket.ts'
import { makeDataFolder, withReason } from './data-folder.ts'
import { freeReserve } from './disk-reserve.ts'
import {
  codeOf,
  createLockFile,
  describeThisProcess,
  type Holder,
  isLocal,
  isRunning,
  type LockFile,
  readLockFile,
} from './lock-file.ts'

export interface Lock {
  /** Releases the folder; a second call does nothing. */
  release: () => void
}

const HEARTBEAT_MS = 2000
/** A lock of another machine, container or boot is taken over if its heartbeat is unchanged for 30 checks: 15 s. */
const CHECKS = 30
const CHECK_MS = 500
/** A process that could not renew its lock for this long exits, before others may take the lock over. */
const UNSURE_MS = 10_000
const TAKEOVER_PAUSE_MS = 10
/** Errors that keep every other process from writing a lock too. */
const NOT_WRITABLE = ['ENOSPC', 'EDQUOT', 'EROFS']

/**
 * Makes this process the only one in `folder`, which is created with mode 0700 if it is missing. Throws an Error that
 * names `pid N` when another process uses it. The lock of a dead process on this machine is taken over at once; one
 * from another container, machine or boot after 15 s without a heartbeat. A process that loses its lock exits with 1.
 * `task` describes this process in the error messages of others.
 */
export async function acquireLock(folder: string, task = 'the shop'): Promise<Lock> {
  makeDataFolder(folder)
  const path = join(folder, 'lock')
  const me = describeThisProcess(folder, task)
  // Works across containers, and even when the shop behind the socket is suspended.
  if (await isListening(socketPath(folder))) throw new Error(inUse(folder, readLockFile(path)?.holder, me))
  const text = JSON.stringify(me)
  const holder = await takeLock(path, { folder, me, text })
  if (holder) throw new Error(inUse(folder, holder, me))
  return holdLock(path, { folder, text })
}

interface Taking {
  folder: string
  me: Holder
  text: string
}

/**
 * Creates the lock at `path` and returns null, or returns the running process that holds it. To replace a dead
 * process's lock, a process must first take a second lock, named after the hash of the first one's content. So a slower
 * process that has read the dead lock too cannot remove the new one.
 */
async function takeLock(path: string, taking: Taking): Promise<Holder | null> {
  const { me, text } = taking
  for (;;) {
    const found = readLockFile(path)
    if (!found) {
      if (createLock(path, taking)) return null
      continue
    }
    if (found.text === text) return null
    const state = await examineLock(path, found, me)
    if (state === 'alive') return found.holder
    if (state === 'replaced') continue
    const claim = `${path}.${createHash('sha256').update(found.text).digest('hex').slice(0, 12)}`
    if (await takeLock(claim, taking)) {
      await sleep(TAKEOVER_PAUSE_MS)
      continue
    }
    if (isUnchanged(found, readLockFile(path))) moveClaim(claim, path)
    else removeLock(claim, text)
  }
}

function createLock(path: string, { folder, text }: Taking): boolean {
  return withReason(folder, () => {
    try {
      return createLockFile(path, text)
    } catch (error) {
      if (codeOf(error) !== 'ENOSPC' || !freeReserve(folder)) throw error
      return createLockFile(path, text)
    }
  })
}

async function examineLock(path: string, found: LockFile, me: Holder): Promise<'alive' | 'dead' | 'replaced'> {
  const { holder, text } = found
  if (!holder) return 'dead'
  if (isLocal(holder, me)) return isRunning(holder) ? 'alive' : 'dead'
  console.error(`${path} belongs to ${describe(holder, me)}: waiting for a sign of life`)
  // Counts checks instead of measuring time: time in which this process was suspended says nothing about the owner.
  for (let check = 0; check < CHECKS; check += 1) {
    await sleep(CHECK_MS)
    const now = readLockFile(path)
    if (now?.text !== text) return 'replaced'
    if (!isUnchanged(found, now)) return 'alive'
  }
  return 'dead'
}

function isUnchanged(before: LockFile, now: LockFile | null): boolean {
  return now?.text === before.text && now.heartbeat === before.heartbeat
}

function moveClaim(claim: string, path: string): void {
  try {
    renameSync(claim, path)
  } catch (error) {
    // Another process took the claim over while this one was suspended.
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function removeLock(path: string, text: string): void {
  if (readLockFile(path)?.text === text) rmSync(path, { force: true })
}

/** Renews the lock until it is released, and exits if another process has taken it. */
function holdLock(path: string, { folder, text }: Pick<Taking, 'folder' | 'text'>): Lock {
  // Stays open, so that the lock can be checked and renewed without a free descriptor, and its inode is not reused.
  const file = openSync(path, 'r')
  let renewedAt = performance.now()

  const timer = setInterval(() => {
    try {
      if (!isOurs(path, file, text)) endProcess(`The lock of ${folder} is no longer ours: ${foundAt(path)}`)
      // Needs no space on the disk, which may be full.
      const now = new Date()
      futimesSync(file, now, now)
      renewedAt = performance.now()
    } catch (error) {
      const isUnsure = performance.now() - renewedAt > UNSURE_MS && !NOT_WRITABLE.includes(String(codeOf(error)))
      if (isUnsure) endProcess(`The lock of ${folder} could not be renewed for 10 s (${(error as Error).message})`)
    }
  }, HEARTBEAT_MS).unref()

  let isReleased = false
  function release(): void {
    if (isReleased) return
    isReleased = true
    process.off('exit', release)
    clearInterval(timer)
    if (isOurs(path, file, text)) rmSync(path, { force: true })
    closeSync(file)
  }
  process.on('exit', release)
  return { release }
}

/** Whether `path` is still the file that we opened, with the content that we wrote. */
function isOurs(path: string, file: number, text: string): boolean {
  const [there, opened] = [statSync(path, { bigint: true, throwIfNoEntry: false }), fstatSync(file, { bigint: true })]
  if (there?.ino !== opened.ino || there.dev !== opened.dev) return false
  const content = Buffer.alloc(text.length * 4)
  return content.toString('utf8', 0, readSync(file, content, 0, content.length, 0)) === text
}

function endProcess(reason: string): never {
  console.error(`${reason}. This process ends now, before it writes more.`)
  process.exit(1)
}

function foundAt(path: string): string {
  const found = readLockFile(path)
  if (!found) return 'somebody removed it'
  return found.holder ? `pid ${found.holder.pid} on ${found.holder.host} holds it` : 'somebody wrote over it'
}

function inUse(folder: string, holder: Holder | null | undefined, me: Holder): string {
  if (!holder)
    return `${folder} is in use by another Piazza process, which listens on ${socketPath(folder)}. Stop it first.`
  const hint = isLocal(holder, me) ? `Stop it first (kill ${holder.pid})` : 'Stop it there first'
  return `${folder} is in use by another Piazza process (${describe(holder, me)}). ${hint}, or choose another DATA_DIR.`
}

function describe(holder: Holder, me: Holder): string {
  const { pid, host, task } = holder
  const where = isLocal(holder, me) ? '' : ` on host ${host}, in another container or on another machine`
  return `pid ${pid}${where}, ${task}`
}

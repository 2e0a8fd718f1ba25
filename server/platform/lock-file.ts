import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'

/** The process that holds a lock. Its pid is meaningless in another PID namespace, after a reboot or in a copy. */
export interface Holder {
  pid: number
  /** Start time in the kernel's ticks; null if /proc does not have it. */
  started: string | null
  host: string
  boot: string | null
  namespace: string | null
  /** Device and inode of the locked folder. */
  folder: string
  task: string
  id: string
}

export interface LockFile {
  text: string
  /** Changes with each heartbeat. Another machine's clock may have set it: compare it for changes only. */
  heartbeat: number
  /** Null if the file is not a lock, such as an empty file after a power loss. */
  holder: Holder | null
}

export function describeThisProcess(folder: string, task: string): Holder {
  const { dev, ino } = statSync(folder, { bigint: true })
  return {
    pid: process.pid,
    started: startTime('self'),
    host: hostname(),
    boot: readSystemId(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: readSystemId(() => readlinkSync('/proc/self/ns/pid')),
    folder: `${dev}:${ino}`,
    task,
    id: randomUUID(),
  }
}

/** Null outside Linux, where the host name has to do. On Linux without /proc, a random id that matches no other. */
function readSystemId(read: () => string): string | null {
  try {
    return read()
  } catch {
    return process.platform === 'linux' ? randomUUID() : null
  }
}

/** Creates the file and its whole content atomically; false if it exists. */
export function createLockFile(path: string, text: string): boolean {
  const draft = `${path}.${randomUUID()}.new`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

export function readLockFile(path: string): LockFile | null {
  let file: number
  try {
    // Opened each time: network file systems ask their server when a file is opened, not when it is read.
    file = openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  try {
    const text = readFileSync(file, 'utf8')
    return { text, heartbeat: fstatSync(file).mtimeMs, holder: parse(text) }
  } finally {
    closeSync(file)
  }
}

function parse(text: string): Holder | null {
  try {
    // Other versions of Piazza write fewer fields.
    const holder = { host: 'unknown', task: 'another version', ...(JSON.parse(text) as Partial<Holder>) } as Holder
    return Number.isInteger(holder.pid) && holder.pid > 0 ? holder : null
  } catch {
    return null
  }
}

/** Whether the holder runs on this machine, boot and PID namespace, so that its pid can be looked up. */
export function isLocal(holder: Holder, me: Holder): boolean {
  const places = ['host', 'boot', 'namespace', 'folder'] as const
  return places.every(place => holder[place] === me[place])
}

/** Whether a local holder still runs. Compares start times, because another process may have its pid by now. */
export function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
  }
  const now = hasOwnProc() ? startTime(pid) : null
  return started === null || now === null || now === started
}

/** Whether /proc shows the pids of our PID namespace: a process can enter a namespace without remounting /proc. */
function hasOwnProc(): boolean {
  try {
    return readlinkSync('/proc/self') === String(process.pid)
  } catch {
    return false
  }
}

/** In the kernel's ticks; null if /proc does not have it, 'dead' for a zombie. */
function startTime(pid: number | 'self'): string | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // Not Linux, or the process has ended.
    return null
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : (fields[19] ?? null)
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

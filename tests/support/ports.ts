import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { randomInt } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Below the ports that Linux gives to outgoing connections, which could take one before its server listens. */
const FIRST = 12_000
const LAST = 32_000
/** One file per claimed port, with the process that claimed it. A later try deletes those of ended processes. */
const CLAIMS = join(tmpdir(), `piazza-ports-${userInfo().username}`)
const TRIES = 500
const WAIT_MS = 20

/** Returns a free port of 127.0.0.1, which no other test gets while this process runs. */
export async function freePort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true })
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (claim(port) && (await isFree(port))) return port
  }
}

/**
 * Listens on a port of `freePort`, where another server may just have closed. Tries again for ten seconds while the
 * port is in use: a child process that another thread starts has a copy of the closed server's socket until it runs its
 * program.
 */
export async function listenOn(port: number, server: Server): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    server.listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES) throw error
    }
    await setTimeout(WAIT_MS)
  }
}

/** Returns false if another test has claimed the port. */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port))
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!isRunning(ownerOf(file))) rmSync(file, { force: true })
    return false
  }
}

/** The process that claimed a port; 0, which counts as running, if it is not written yet. */
function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    // Another process has just deleted it.
    return 0
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

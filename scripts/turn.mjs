import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from './run.mjs'

const PAUSE_MS = 300
/** Clearing and starting take milliseconds: a process that takes longer than this was killed. */
const CLEARING_MS = 10_000

/**
 * Runs `work` in one process at a time for each name and project folder; waits for other processes. Plain JavaScript
 * instead of `server/platform/lock.ts`, because it runs before `npm ci`, maybe by a Node that reads no TypeScript.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTurn(name, work) {
  const project = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)
  const file = join(tmpdir(), `piazza-${name}-${project}.pid`)
  let isSaid = false
  while (!takeTurn(file)) {
    const pid = owner(file)
    if (isLeft(pid)) clear(file)
    else if (pid && !isSaid) {
      console.log(`Waiting for another process (pid ${pid}) to finish its ${name} …`)
      isSaid = true
    }
    await sleep(PAUSE_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function takeTurn(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the file of a dead process. Only one process at a time does so, so that none removes a new file by mistake.
 * @param {string} file
 */
function clear(file) {
  const claim = `${file}.clearing`
  try {
    mkdirSync(claim)
  } catch {
    // Another process is clearing, or died while clearing.
    const since = statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > CLEARING_MS) rmSync(claim, { recursive: true, force: true })
    return
  }
  try {
    if (isLeft(owner(file))) rmSync(file, { force: true })
  } finally {
    rmdirSync(claim)
  }
}

/**
 * The pid in the file. Undefined if there is no file, or if a process has only just created it.
 * @param {string} file
 */
function owner(file) {
  try {
    const pid = readFileSync(file, 'utf8')
    // The file exists before its content is written.
    if (pid === '' && Date.now() - statSync(file).mtimeMs < CLEARING_MS) return undefined
    return Number(pid)
  } catch {
    // The process has just finished and removed it.
    return undefined
  }
}

/** @param {number | undefined} pid */
function isLeft(pid) {
  if (pid === undefined) return false
  try {
    return !(pid > 0 && process.kill(pid, 0))
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM')
  }
}

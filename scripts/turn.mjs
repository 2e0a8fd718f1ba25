import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from './run.mjs'

const PAUSE_MS = 300

/**
 * Keeps two processes from installing or building the same folder at once: the second waits for the first.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTurn(name, work) {
  const project = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)
  const file = join(tmpdir(), `piazza-${name}-${project}.pid`)
  for (let isFirst = true; !take(file); isFirst = false) {
    const pid = owner(file)
    if (!isAlive(pid)) rmSync(file, { force: true })
    else if (isFirst) console.log(`Waiting for another process (pid ${pid}) to finish its ${name} …`)
    await pause(PAUSE_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} file */
function owner(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    // It has just finished.
    return 0
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

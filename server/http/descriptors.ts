import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import type { Logger } from 'pino'

/** Descriptors kept for the database, modules loaded later and outgoing connections. */
const RESERVED = 100
const MIN_CONNECTIONS = 10

/**
 * How many of the `wanted` connections the limit of open files allows: each may need a second descriptor for the file
 * that it downloads. Logs a warning when it allows fewer.
 */
export function connectionLimit(wanted: number, log: Pick<Logger, 'warn'>): number {
  const descriptors = descriptorLimit()
  const affordable = Math.max(Math.floor((descriptors - RESERVED) / 2), MIN_CONNECTIONS)
  if (affordable >= wanted) return wanted
  log.warn({ descriptors, connections: affordable }, 'the limit of open files allows fewer connections than configured')
  return affordable
}

/** Infinity where /proc does not exist or has no limit. */
function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}

/** Whether the process, or the system, has run out of file descriptors. */
export async function hasNoDescriptors(): Promise<boolean> {
  try {
    await (await open(devNull)).close()
    return false
  } catch {
    return true
  }
}

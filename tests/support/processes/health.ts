import type { ChildProcess } from 'node:child_process'
import { getHealth } from '#contract/health.ts'

const TIMEOUT_MS = 5000

/** Whether the shop at `url` responds and its database accepts writes; false while it is not listening. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api${getHealth.path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}

/** Whether a process has exited or was ended by a signal, which leaves `exitCode` null. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

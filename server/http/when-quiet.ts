import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Two checks that are further apart mean that the process was suspended in between. */
const AT_ONCE_MS = 0.3
const PAUSE_MS = 2
/** After this long on a machine that is too busy for that, it is enough that nothing arrived between two checks. */
const PATIENT_MS = 3000
const MAX_MS = 7000

/**
 * Runs `close` once everything that has arrived is accepted and read; `arrived` returns how much that is so far. The
 * kernel resets connections that are closed with an unread request, and those that are not yet accepted when the server
 * stops listening. A proxy may repeat such a request only if it is safe (GET).
 */
export async function whenQuiet(arrived: () => number, close: () => void): Promise<void> {
  const beganAt = performance.now()
  for (;;) {
    // Node reads the sockets once before each immediate, and accepts one connection each time.
    await setImmediate()
    const [before, startedAt] = [arrived(), performance.now()]
    await setImmediate()
    const now = performance.now()
    const isQuiet = arrived() === before
    const isSuspended = now - startedAt >= AT_ONCE_MS
    if ((isQuiet && (!isSuspended || now > beganAt + PATIENT_MS)) || now > beganAt + MAX_MS) return close()
    // The system is more likely to suspend a process that never rests: more could arrive before `close`.
    if (isQuiet) await sleep(PAUSE_MS)
  }
}

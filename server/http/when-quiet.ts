const QUIET_MS = 0.3
const LONGEST_MS = 500

/**
 * Runs `close` as soon as everything that has arrived is read. The kernel resets connections that are closed with an
 * unread request, and those that are not yet accepted when the server stops listening. A proxy may repeat such a
 * request only if it is safe (GET).
 */
export function whenQuiet(close: () => void): void {
  const startedAt = performance.now()
  let lastAt = startedAt
  // Immediates run after each poll of the sockets: two in quick succession mean that there was nothing to read.
  const check = (): void => {
    const now = performance.now()
    const isQuiet = now - lastAt < QUIET_MS && lastAt !== startedAt
    if (isQuiet || now - startedAt > LONGEST_MS) return close()
    lastAt = now
    setImmediate(check)
  }
  setImmediate(check)
}

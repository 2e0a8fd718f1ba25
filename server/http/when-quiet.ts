const QUIET_MS = 0.3
const LONGEST_MS = 500

/**
 * Runs `close` right after everything that had arrived was read. The kernel resets a connection that is closed with an
 * unread request, and one that waits to be accepted when the server stops listening; a proxy cannot repeat such a request
 * unless it is safe.
 */
export function whenQuiet(close: () => void): void {
  const startedAt = performance.now()
  let lastAt = startedAt
  // An immediate runs after each look at the sockets: two in quick succession mean that there was nothing to do.
  const look = (): void => {
    const now = performance.now()
    const isQuiet = now - lastAt < QUIET_MS && lastAt !== startedAt
    if (isQuiet || now - startedAt > LONGEST_MS) return close()
    lastAt = now
    setImmediate(look)
  }
  setImmediate(look)
}

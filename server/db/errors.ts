import { inspect } from 'node:util'

/** What PGlite's file system throws. */
interface FileFault {
  errno?: number
}

/** WASI's number. */
const NO_SPACE = 51
const DISK_FULL = 'There is no space left on the disk'

/** PostgreSQL's SQLSTATE of a failed statement, wherever drizzle wrapped it. */
function sqlState(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}

/** Class 22: the value itself is what the database refuses. */
export function isBadInput(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') ?? false
}

/** Classes 22 and 23: a row that the database does not take, as it is or beside the others. */
export function isBadRow(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '')
}

/** Why something failed, for an operator: of a statement what the database says, not the values that it was about. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return (error as FileFault)?.errno === NO_SPACE ? DISK_FULL : inspect(error)
  if (error.message.startsWith('Failed query:') && error.cause) return reasonOf(error.cause)
  // None of a host's addresses answered.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error.message
}

/** A row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  return sqlState(error) === '23505'
}

/** Two transactions stood in each other's way; this one was undone and may be tried again at once. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '')
}

/** Out of connections, space, time or luck: the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return ['08', '40', '53', '55', '57', '58'].includes(state.slice(0, 2))
  for (let at = error; at instanceof Error; at = at.cause) {
    if (/ECONNREFUSED|ECONNRESET|EPIPE/.test((at as { code?: string }).code ?? '')) return true
    if (/Connection terminated|connection timeout|was restarted|timeout exceeded|not queryable/i.test(at.message))
      return true
  }
  return false
}

import { inspect } from 'node:util'

/** The object (not an Error) that PGlite's file system throws. */
interface FileFault {
  errno?: number
}

/** WASI's ENOSPC. */
const NO_SPACE = 51
const DISK_FULL = 'There is no space left on the disk'

/** Always with a digit, unlike codes such as EPIPE. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** The SQLSTATE of a failed statement, even if drizzle has wrapped the error. */
function sqlState(error: unknown): string | undefined {
  const codes = causesOf(error).map(cause => (cause as { code?: unknown }).code)
  return codes.find(code => typeof code === 'string' && SQL_STATE.test(code)) as string | undefined
}

/** Class 22: the database rejects a value. */
export function isBadInput(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') ?? false
}

/** Classes 22 and 23: the database rejects a row because of a value or a constraint. */
export function isBadRow(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '')
}

/** The reason of an error, for operators: for a failed statement, the database's message without the values. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return (error as FileFault)?.errno === NO_SPACE ? DISK_FULL : inspect(error)
  if (error.message.startsWith('Failed query:') && error.cause) return reasonOf(error.cause)
  // Thrown when none of a host's addresses can be reached.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error.message
}

/** A row with this key already exists. With `constraint`, only if this constraint is violated. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false
  return !constraint || causesOf(error).some(cause => (cause as { constraint?: unknown }).constraint === constraint)
}

/**
 * Two transactions conflicted: a serialization failure, a deadlock, or a row that refers to one that the other
 * transaction has deleted (23503). This transaction was rolled back and can be retried at once.
 */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(sqlState(error) ?? '')
}

/** No connection became free in time. */
export class DatabaseBusyError extends Error {
  constructor() {
    super('The database is busy')
    this.name = 'DatabaseBusyError'
  }
}

/** No connection became free in time: thrown by `takeConnection` or by the pool. */
export function isBusy(error: unknown): boolean {
  return causesOf(error).some(
    cause => cause instanceof DatabaseBusyError || cause.message === 'timeout exceeded when trying to connect',
  )
}

/** The server became read-only, as after a failover: another server may accept writes by now. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006'
}

/** The statement's outcome is unknown (its response timed out), or the connection's server is read-only. */
export function isInDoubt(error: unknown): boolean {
  return isReadOnly(error) || causesOf(error).some(({ message }) => message === 'Query read timeout')
}

/**
 * SQLSTATE classes of temporary errors: connections, conflicts, resources, server state, operators' actions, system.
 */
const TRANSIENT_CLASSES = ['08', '28', '3D', '40', '53', '55', '57', '58']
/** The server is read-only; or it ended a transaction that was idle for too long. */
const TRANSIENT_STATES = ['25006', '25P03']
const TRANSIENT_CODES = /^(ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EMFILE|ENFILE|ENOSPC|EDQUOT)$/
/** Errors of `pg` and native libraries that have no code. */
const TRANSIENT_MESSAGES =
  /Connection terminated|connection timeout|timeout expired|timeout exceeded|read timeout|was restarted|not queryable|too many open files/i

/** A temporary failure, such as no connection, no disk space or a timeout: the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return TRANSIENT_CLASSES.includes(state.slice(0, 2)) || TRANSIENT_STATES.includes(state)
  return causesOf(error).some(cause => {
    const { code = '', syscall = '' } = cause as NodeJS.ErrnoException
    return (
      cause instanceof DatabaseBusyError ||
      ['connect', 'getaddrinfo'].includes(syscall) ||
      TRANSIENT_CODES.test(code) ||
      TRANSIENT_MESSAGES.test(cause.message)
    )
  })
}

/** An error and its chain of causes, outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let at = error; at instanceof Error; at = at.cause) causes.push(at)
  return causes
}

import { inspect } from 'node:util'

/** What PGlite's file system throws. */
interface FileFault {
  errno?: number
}

/** WASI's number. */
const NO_SPACE = 51
const DISK_FULL = 'There is no space left on the disk'

/** With a digit: EPIPE is none. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** PostgreSQL's SQLSTATE of a failed statement, wherever drizzle wrapped it. */
function sqlState(error: unknown): string | undefined {
  const codes = causesOf(error).map(cause => (cause as { code?: unknown }).code)
  return codes.find(code => typeof code === 'string' && SQL_STATE.test(code)) as string | undefined
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

/**
 * Two transactions stood in each other's way: a serialization failure, a deadlock, or a row that refers to one that the
 * other has removed (23503). This one was undone and may be tried again at once.
 */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(sqlState(error) ?? '')
}

/** No connection was free in time: others use all of them. */
export class DatabaseBusyError extends Error {
  constructor() {
    super('The database is busy')
    this.name = 'DatabaseBusyError'
  }
}

/** No connection was free in time, as this process or the pool says. */
export function isBusy(error: unknown): boolean {
  return causesOf(error).some(
    cause => cause instanceof DatabaseBusyError || cause.message === 'timeout exceeded when trying to connect',
  )
}

/** The server became read-only, as after a failover: another one may take writes by now. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006'
}

/** Nobody knows what has become of the statement, or its connection leads to a server that cannot be written to. */
export function isInDoubt(error: unknown): boolean {
  return isReadOnly(error) || causesOf(error).some(({ message }) => message === 'Query read timeout')
}

/** Classes of SQLSTATE: connections, conflicts, resources, state of the server, operators' actions, input and output. */
const PASSING_CLASSES = ['08', '28', '3D', '40', '53', '55', '57', '58']
/** The server is read-only; it ended a transaction that did nothing for too long. */
const PASSING_STATES = ['25006', '25P03']
const PASSING_CODES = /^(ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EMFILE|ENFILE|ENOSPC|EDQUOT)$/
/** What `pg` and native libraries throw without a code. */
const PASSING_MESSAGES =
  /Connection terminated|connection timeout|timeout expired|timeout exceeded|read timeout|was restarted|not queryable|too many open files/i

/** Out of connections, space, time or luck: the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return PASSING_CLASSES.includes(state.slice(0, 2)) || PASSING_STATES.includes(state)
  return causesOf(error).some(cause => {
    const { code = '', syscall = '' } = cause as NodeJS.ErrnoException
    return (
      cause instanceof DatabaseBusyError ||
      ['connect', 'getaddrinfo'].includes(syscall) ||
      PASSING_CODES.test(code) ||
      PASSING_MESSAGES.test(cause.message)
    )
  })
}

/** An error, and what caused it, from the outside in. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let at = error; at instanceof Error; at = at.cause) causes.push(at)
  return causes
}

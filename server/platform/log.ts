import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'

/** The part of a failed statement's message that holds its values: password hashes, addresses, payment secrets. */
const VALUES = /\nparams:[^]*/

/** Paths that end in a secret: a payment attempt's client secret. */
const SECRET = /^(\/api\/payment\/attempts\/).+/
const MAX_PATH_LENGTH = 500

/** Lines that wait until they can be written; further ones are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024

/** A logger on standard error that never writes the values of a failed statement, nor the secrets in a `path`. */
export function openLog(options: LoggerOptions, to: DestinationStream = openStandardError()): Logger {
  return pino({ ...options, serializers: { err: withoutValues, path: withoutSecrets } }, to)
}

/**
 * Standard error that neither stops nor ends the process if its file is on a full disk or nobody reads its pipe. Lines
 * that it could not take follow with a later one.
 */
function openStandardError(): DestinationStream {
  // Opening `process.stderr` also makes a pipe non-blocking. Without a listener, a failed write would end the process.
  process.stderr.on('error', ignore)
  // Synchronous: otherwise pino, at the end of the process, tries again for ever to write what is left.
  const to = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES, retryEAGAIN: () => false })
  to.on('error', ignore)
  return to
}

// There is no other place to report it.
function ignore(): void {}

/** The path of a URL without its query, which may hold tokens, signatures and search terms. */
function withoutSecrets(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/\?.*/s, '').replace(SECRET, '$1…').slice(0, MAX_PATH_LENGTH) : url
}

function withoutValues(error: Error): unknown {
  return error instanceof Error ? strip(stdSerializers.errWithCause(error)) : error
}

function strip(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(VALUES, '')
  if (Array.isArray(value)) return value.map(strip)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (name === 'params' ? [] : [[name, strip(inner)]])),
  )
}

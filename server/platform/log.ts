import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'

/** The part of a failed statement's message that holds its values: password hashes, addresses, payment secrets. */
const VALUES = /\nparams:[^]*/

/** A logger on standard error that never writes the values of a failed statement. */
export function openLog(options: LoggerOptions, to: DestinationStream = pino.destination(2)): Logger {
  return pino({ ...options, serializers: { err: withoutValues } }, to)
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

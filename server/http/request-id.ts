import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import type { Env } from './env.ts'

const HEADER = 'x-request-id'
/** As Hono's middleware does, rejects what would make log lines long or hard to read. */
const VALID = /^[\w=-]{1,255}$/

/** The id in the log lines of a request: the proxy's, or a new one, which is stored in the headers. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[HEADER]
  if (typeof given === 'string' && VALID.test(given)) return given
  const id = randomUUID()
  headers[HEADER] = id
  return id
}

/**
 * Sets `c.var.requestId` and the response's `X-Request-Id`. Hono itself reads the headers as they were sent, and would
 * not find an id that `requestIdOf` has stored in them.
 */
export function identifyRequests(): MiddlewareHandler<Env> {
  return requestId({
    generator({ env }: { env?: Env['Bindings'] }) {
      return requestIdOf(env?.incoming?.headers ?? {})
    },
  })
}

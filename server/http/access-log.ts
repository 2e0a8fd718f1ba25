import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { requestIdOf } from './request-id.ts'

interface AccessLog {
  request(request: IncomingMessage, response: ServerResponse): void
  /** Logs a WebSocket when it closes. */
  upgrade(request: IncomingMessage, socket: Duplex): void
}

const SWITCHING_PROTOCOLS = 101

/** Logs one line per request when its response closes; null if the log level excludes `info`. */
export function openAccessLog(log: Logger): AccessLog | null {
  if (!log.isLevelEnabled('info')) return null

  function logAtClose(request: IncomingMessage, closing: ServerResponse | Duplex, statusOf: () => object): void {
    const { method, url = '', headers, socket } = request
    const requestId = requestIdOf(headers)
    const startedAt = performance.now()
    const bytesBefore = socket.bytesWritten
    closing.once('close', () => {
      const ms = Math.round(performance.now() - startedAt)
      const bytes = socket.bytesWritten - bytesBefore
      log.info({ requestId, method, path: url, ...statusOf(), ms, bytes }, 'request')
    })
  }

  return {
    request: (request, response) =>
      logAtClose(request, response, () => ({
        status: response.statusCode,
        ...(!response.writableFinished && { isAborted: true }),
      })),
    upgrade: (request, socket) => logAtClose(request, socket, () => ({ status: SWITCHING_PROTOCOLS })),
  }
}

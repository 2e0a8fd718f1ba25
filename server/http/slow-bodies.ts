import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'

interface Options {
  /** How long a body may take to arrive. */
  ms: number
  /** Paths whose bodies are subject only to the server's own, longer timeout. */
  isLarge: (path: string) => boolean
}

/**
 * Destroys the connection of a client that sends its body too slowly. Node's own timeout is the same for all requests,
 * and must allow the minutes that uploads from a phone take.
 */
export function cutSlowBodies(request: IncomingMessage, { ms, isLarge }: Options): void {
  if (!hasBody(request) || isLarge(request.url ?? '')) return
  const timer = setTimeout(() => request.complete || request.destroy(), ms).unref()
  request.once('close', () => clearTimeout(timer))
}

/** Limits how many requests a client may have open whose bodies have not arrived. */
export function limitUnfinishedBodies(maxPerClient: number) {
  const byClient = new Map<string, Set<IncomingMessage>>()

  return {
    /** Counts the request until `open`, its response, closes. Returns false when the client has too many. */
    add(client: string, request: IncomingMessage, open: Pick<EventEmitter, 'once'>): boolean {
      if (!hasBody(request)) return true
      const own = byClient.get(client) ?? new Set()
      if ([...own].filter(({ complete }) => !complete).length >= maxPerClient) return false
      byClient.set(client, own.add(request))
      open.once('close', () => {
        own.delete(request)
        if (own.size === 0) byClient.delete(client)
      })
      return true
    },
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

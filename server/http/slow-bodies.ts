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
  const { headers, url = '' } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (!hasBody || isLarge(url)) return
  const timer = setTimeout(() => request.complete || request.destroy(), ms).unref()
  request.once('close', () => clearTimeout(timer))
}

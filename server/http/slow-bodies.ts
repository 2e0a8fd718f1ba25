import type { IncomingMessage } from 'node:http'

interface Options {
  /** How long a body may take to come in. */
  ms: number
  /** Whose body has as long as the server gives any request. */
  isLarge: (path: string) => boolean
}

/**
 * Ends the connections of those who send a request's body by drops. Node has one time for all requests, and files from a
 * phone need minutes.
 */
export function cutSlowBodies(request: IncomingMessage, { ms, isLarge }: Options): void {
  const { headers, url = '' } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (!hasBody || isLarge(url)) return
  const timer = setTimeout(() => request.complete || request.destroy(), ms).unref()
  request.once('close', () => clearTimeout(timer))
}

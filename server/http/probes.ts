import type { IncomingMessage, ServerResponse } from 'node:http'

export type Probes = ReturnType<typeof openProbes>

const LIVE = '/api/health/live'
const READY = '/api/health/ready'
const RETRY_SECONDS = '1'

/**
 * Responds to a load balancer's probes. A process is alive while it responds at all, and ready until it is about to
 * end. Neither depends on the database: stored pages are served without it.
 */
export function openProbes() {
  let isReady = true

  function sendStatus(res: ServerResponse, status: 200 | 503, text: string): true {
    const body = JSON.stringify({ status: text })
    res.writeHead(status, {
      'content-type': 'application/json',
      'content-length': body.length,
      'cache-control': 'no-store',
      ...(status === 503 && { 'retry-after': RETRY_SECONDS }),
    })
    res.end(body)
    return true
  }

  return {
    /** Responds to a probe; returns false for any other request. */
    handle({ method, url }: IncomingMessage, res: ServerResponse): boolean {
      if (method !== 'GET' && method !== 'HEAD') return false
      if (url === LIVE) return sendStatus(res, 200, 'alive')
      if (url !== READY) return false
      return isReady ? sendStatus(res, 200, 'ready') : sendStatus(res, 503, 'closing')
    },
    /** Reports the process as not ready from now on. */
    close(): void {
      isReady = false
    },
  }
}

import { text } from 'node:stream/consumers'
import { listen } from './http.ts'

interface CannedCall {
  /** Such as `GET /v1/refunds`. */
  route: string
  query: Record<string, string>
  headers: Record<string, unknown>
  body: string
}

/** An HTTP API that gives prepared responses, and records its calls. */
export async function startCannedApi() {
  const calls: CannedCall[] = []
  const answers = new Map<string, { status: number; body: unknown }[]>()
  const { url, close } = await listen((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://canned')
    const route = `${req.method} ${pathname}`
    const prepared = answers.get(route) ?? []
    // The last one is for all further calls.
    const { status, body } = (prepared.length > 1 ? prepared.shift() : prepared[0]) ?? { status: 404, body: {} }
    void text(req).then(sent => {
      calls.push({ route, query: Object.fromEntries(searchParams), headers: req.headers, body: sent })
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  return {
    url,
    calls,
    /** Prepares the next responses of a route; the last one is repeated. */
    answer(route: string, ...bodies: unknown[]) {
      answers.set(
        route,
        bodies.map(body => ({ status: 200, body })),
      )
    },
    /** Makes a route respond with this status. */
    fail(route: string, status: number, body: unknown) {
      answers.set(route, [{ status, body }])
    },
    /** Forgets responses and calls. */
    reset() {
      answers.clear()
      calls.length = 0
    },
    close,
  }
}

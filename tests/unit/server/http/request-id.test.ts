import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Env } from '#server/http/env.ts'
import { identifyRequests, requestIdOf } from '#server/http/request-id.ts'

const app = new Hono<Env>()
app.use(identifyRequests())
app.get('/', c => c.text(c.get('requestId')))

/** Requests the app as the server does after its access log has asked for the id. */
async function requestWith(given?: string) {
  const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given }
  const incoming = { socket: {}, headers: { ...headers } }
  const logged = requestIdOf(incoming.headers)
  const response = await app.request('/', { headers }, { incoming })
  return { logged, handled: await response.text(), returned: response.headers.get('x-request-id') }
}

test.for(['from-nginx', 'two words', '', undefined])(
  'a request has one id in all log lines and its response: %s',
  async given => {
    const { logged, handled, returned } = await requestWith(given)

    expect([handled, returned]).toEqual([logged, logged])
    expect(logged).toMatch(given === 'from-nginx' ? /^from-nginx$/ : /^[\da-f-]{36}$/)
  },
)

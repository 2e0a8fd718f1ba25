import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import { removeCartLine } from '#contract/cart.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const provider = await startProvider()
const server = await listen(getRequestListener(provider.fetch, { overrideGlobalObjects: false }))
afterAll(async () => {
  await server.close()
  await provider.close()
})

/** Sends a body in chunks, without a content length. */
async function sendInPieces(path: string, pieces: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>()
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const sending = request(`${server.url}/api${path}`, { method: 'POST', headers }, answer => {
    void text(answer).then(body => resolve({ status: answer.statusCode, body }), reject)
  })
  sending.on('error', reject)
  for (const piece of pieces) sending.write(piece)
  sending.end()
  return promise
}

test('removing a cart line needs no request body', async () => {
  const { token } = await provider.customer()
  const answer = await fetch(`${server.url}/api${removeCartLine.path.replace(':id', 'nothing')}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })

  expect([answer.status, await answer.json()]).toEqual([404, { error: 'This is not in your cart' }])
})

test('a request body may arrive in chunks', async () => {
  const answer = await sendInPieces('/customer/customer-login', [
    '{"email":"nobody@shop.example",',
    '"password":"Wrong-1234"}',
  ])

  expect(answer.status).toBe(422)
  expect(answer.body).toContain('Wrong email or password')
})

test('a webhook body may arrive in chunks', async () => {
  const answer = await sendInPieces('/payment/webhook/sandbox', ['{"event":', '"paid"}'])

  // Read, but without a signature.
  expect(answer.status).toBe(401)
})

test.each([
  ['/customer/customer-login', 20],
  ['/payment/webhook/sandbox', 80],
])('a chunked body that grows too large is rejected with 413: %s', async (path, count) => {
  const answer = await sendInPieces(
    path,
    Array.from({ length: count }, () => 'x'.repeat(4096)),
  )

  expect(answer).toEqual({ status: 413, body: '{"error":"The body is too large"}' })
})

test('a webhook of a payment provider that the shop does not use is rejected before its body is read', async () => {
  let isRead = false
  const pull = (body: ReadableStreamDefaultController) => {
    isRead = true
    body.close()
  }
  const body = new ReadableStream({ pull }, { highWaterMark: 0 })
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit

  const answer = await provider.fetch(new Request('http://provider.test/api/payment/webhook/nobody', init))

  expect([answer.status, isRead]).toEqual([404, false])
})

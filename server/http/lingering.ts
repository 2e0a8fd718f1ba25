import { Readable } from 'node:stream'
import type { MiddlewareHandler } from 'hono'
import { MAX_UPLOAD_BYTES } from '#contract/chat.ts'

const MAX_MS = 10_000

/**
 * For calls with large bodies: sends an error at once, then reads and discards the rest of the body. Browsers send the
 * whole body before they read the response; if the connection closed before that, they would show no response at all.
 */
export const lingering: MiddlewareHandler = async (c, next) => {
  await next()
  const { body } = c.req.raw
  if (c.res.ok || !body) return
  const answer = new Uint8Array(await c.res.arrayBuffer())
  // Hono copies all headers of the previous response except this one.
  const type = c.res.headers.get('content-type') ?? 'application/json'
  const headers = { 'content-type': type, 'content-length': String(answer.length), connection: 'close' }
  const answering = Readable.toWeb(Readable.from(sendThenDrain(answer, body))) as ReadableStream
  c.res = new Response(answering, { status: c.res.status, headers })
}

async function* sendThenDrain(answer: Uint8Array, body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield answer
  const reader = body.getReader()
  const timer = setTimeout(() => reader.releaseLock(), MAX_MS).unref()
  // Reading fails when the client has disconnected.
  const readChunk = () => reader.read().catch(() => ({ done: true }) as const)
  let bytes = 0
  for (let next = await readChunk(); !next.done && bytes < MAX_UPLOAD_BYTES; next = await readChunk())
    bytes += next.value.length
  clearTimeout(timer)
}

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A client that takes this much in time is not cut off (`connections.ts`). */
const CHUNK_BYTES = 64 * 1024

/** Ends a response with `body`, a large one in chunks: of a single write nobody can see how much the client has taken. */
export function sendBody(response: ServerResponse, body: Buffer): void {
  if (body.length <= CHUNK_BYTES) {
    response.end(body)
    return
  }
  // The client has gone: the response is closed already.
  pipeline(Readable.from(chunksOf(body), { objectMode: false }), response).catch(() => undefined)
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES)
}

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A client must read one chunk within `stuckMs` (`connections.ts`), or it is disconnected. */
const CHUNK_BYTES = 64 * 1024

/** Ends a response with `body`, in chunks if it is large: a single write does not show the client's progress. */
export function sendBody(response: ServerResponse, body: Buffer): void {
  if (body.length <= CHUNK_BYTES) {
    response.end(body)
    return
  }
  // Fails when the client has disconnected; the response is closed then.
  pipeline(Readable.from(chunksOf(body), { objectMode: false }), response).catch(() => undefined)
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES)
}

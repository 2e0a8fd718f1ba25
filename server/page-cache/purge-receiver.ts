import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { parseJson } from '../platform/parse-json.ts'
import { isSigned, SIGNATURE_HEADER, TIMESTAMP_HEADER, TOLERANCE_SECONDS } from '../http/signature.ts'
import { NOTHING_HERE } from '../platform/errors.ts'

interface Options {
  /** If undefined, the endpoint responds with 404. */
  secret: string | undefined
  purge: (tag: string | null) => void
}

/** Longer than a signature is valid, even if our clock is behind the sender's. */
const REMEMBERED_MS = 2 * TOLERANCE_SECONDS * 1000
const MAX_BODY_BYTES = 256 * 1024
/** A repeated message has the same `id`; the same tags may come in different messages. */
const Body = z.object({ id: z.uuid(), tags: z.array(z.string().max(2000)).max(10_000).nullable() })

/**
 * Handles `POST /internal/purge`, by which a provider in another process says what has changed. Repeated messages have
 * no effect.
 */
export function createPurgeReceiver({ secret, purge }: Options) {
  /** Time at which each message was received, oldest first. */
  const received = new Map<string, number>()

  function isRepeated(id: string): boolean {
    const now = performance.now()
    for (const [old, receivedAt] of received) {
      if (now - receivedAt < REMEMBERED_MS) break
      received.delete(old)
    }
    if (received.has(id)) return true
    received.set(id, now)
    return false
  }

  return async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [status, error] = await handlePurge(req)
    res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    res.end(JSON.stringify(error ? { error } : {}))
  }

  /** Carries out a valid purge; returns the status and error of the response. */
  async function handlePurge(req: IncomingMessage): Promise<[status: number, error?: string]> {
    if (!secret) return [404, NOTHING_HERE]
    if (req.method !== 'POST') return [405, 'Method not allowed']
    const length = Number(req.headers['content-length'])
    if (!(length <= MAX_BODY_BYTES)) return [413, 'The body is too large']
    const body = await text(req).catch(() => '')
    const [timestamp, signature] = [TIMESTAMP_HEADER, SIGNATURE_HEADER].map(name => String(req.headers[name] ?? ''))
    if (!isSigned(secret, timestamp ?? '', signature ?? '', body)) return [401, 'The signature is wrong or too old']
    const read = Body.safeParse(parseJson(body))
    if (!read.success) return [400, 'The body must be {"id": UUID, "tags": […]}; null tags mean everything']
    if (isRepeated(read.data.id)) return [200]
    if (read.data.tags === null) purge(null)
    else read.data.tags.forEach(purge)
    return [200]
  }
}

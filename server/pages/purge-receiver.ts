import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { NOTHING_HERE } from '../errors.ts'
import { parseJson } from '../parse-json.ts'
import { isSigned, SIGNATURE_HEADER, TIMESTAMP_HEADER } from './signature.ts'

interface Options {
  /** Without one, the address does not exist. */
  secret: string | undefined
  purge: (tag: string | null) => void
}

const MAX_BODY_BYTES = 256 * 1024
const Body = z.object({ tags: z.array(z.string().max(2000)).max(10_000).nullable() })

/** `POST /internal/purge`: a provider elsewhere says what has changed. */
export function createPurgeReceiver({ secret, purge }: Options) {
  return async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [status, error] = await refusal(req)
    res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    res.end(JSON.stringify(error ? { error } : {}))
  }

  async function refusal(req: IncomingMessage): Promise<[status: number, error?: string]> {
    if (!secret) return [404, NOTHING_HERE]
    if (req.method !== 'POST') return [405, 'Method not allowed']
    const length = Number(req.headers['content-length'])
    if (!(length <= MAX_BODY_BYTES)) return [413, 'The body is too large']
    const body = await text(req).catch(() => '')
    const [timestamp, signature] = [TIMESTAMP_HEADER, SIGNATURE_HEADER].map(name => String(req.headers[name] ?? ''))
    if (!isSigned(secret, timestamp ?? '', signature ?? '', body)) return [401, 'The signature is wrong or too old']
    const read = Body.safeParse(parseJson(body))
    if (!read.success) return [400, 'The body must be {"tags": […]} or {"tags": null}']
    if (read.data.tags === null) purge(null)
    else read.data.tags.forEach(purge)
    return [200]
  }
}

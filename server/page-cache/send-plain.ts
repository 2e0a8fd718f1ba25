import type { ServerResponse } from 'node:http'
import type { RawHeaders } from '../http/headers.ts'
import type { TooManyRequestsError } from '../platform/errors.ts'
import { HTML } from './page.ts'
import { plainPage } from './plain-page.ts'

const PLAIN = 'text/plain; charset=utf-8'
const BUSY_SECONDS = 2
const BUSY = plainPage({ title: 'The market is very busy', text: 'Please try again in a moment.' })

/** Sends what is not a rendered page: redirects and rejections. Adds `headers` to each. */
export function createPlainSender(headers: RawHeaders) {
  function send(res: ServerResponse, status: number, type: string, text: string, more: RawHeaders): void {
    const own: RawHeaders = [
      ['content-type', type],
      ['content-length', String(Buffer.byteLength(text))],
      ['cache-control', 'no-store'],
    ]
    res.writeHead(status, [...headers, ...own, ...more].flat())
    res.end(text)
  }

  return {
    sendText(res: ServerResponse, status: number, text: string, ...more: RawHeaders): void {
      send(res, status, PLAIN, text, more)
    },

    sendBusy(res: ServerResponse): void {
      send(res, 503, HTML, BUSY, [['retry-after', String(BUSY_SECONDS)]])
    },

    sendTooMany(res: ServerResponse, { message, retryAfterSeconds }: TooManyRequestsError): void {
      const page = plainPage({ title: 'Too many pages at once', text: `${message}.` })
      send(res, 429, HTML, page, [['retry-after', String(retryAfterSeconds)]])
    },
  }
}

import type { CdnService } from './config.ts'

interface Service {
  /** How many keys one request may have. */
  maxKeys: number
  request(url: string, key: string, keys: string[]): Request
  /** Why a response with status 200 is a failure. */
  reasonOf?(body: unknown): string | null
}

const JSON_TYPE = { 'content-type': 'application/json' }

export const SERVICES: Record<CdnService, Service> = {
  /** deploy/varnish.vcl, with the module xkey. Varnish's headers have at most 8 kB. */
  varnish: {
    maxKeys: 500,
    request: (url, key, keys) =>
      new Request(url, { method: 'PURGE', headers: { authorization: `Bearer ${key}`, xkey: keys.join(' ') } }),
  },
  /** https://www.fastly.com/documentation/reference/api/purging/ (the address ends with /service/ID). */
  fastly: {
    maxKeys: 256,
    request: (url, key, keys) =>
      new Request(`${url}/purge`, {
        method: 'POST',
        headers: { 'fastly-key': key, accept: 'application/json', ...JSON_TYPE },
        body: JSON.stringify({ surrogate_keys: keys }),
      }),
  },
  /** https://developers.cloudflare.com/api/resources/cache/methods/purge/ (the address ends with /zones/ID). */
  cloudflare: {
    // https://developers.cloudflare.com/cache/how-to/purge-cache/#availability-and-limits (Free: 5 requests a minute)
    maxKeys: 100,
    request: (url, key, keys) =>
      new Request(`${url}/purge_cache`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...JSON_TYPE },
        body: JSON.stringify({ tags: keys }),
      }),
    reasonOf: body => ((body as { success?: unknown } | null)?.success === true ? null : JSON.stringify(body)),
  },
}

import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP } from 'node:net'
import pLimit from 'p-limit'
import { checkedLookup, type IsAllowed, isPublic, type Resolve, resolveAll } from './address.ts'

type Options = {
  resolve?: Resolve
  isAllowed?: IsAllowed
  ca?: string
  timeoutMs?: number
}

const AT_A_TIME = 4
const REDIRECTS = 3
const FAILURES = 3
const TIMEOUT_MS = 5_000
const MAX_MB = 15
const MAX_BYTES = MAX_MB * 1024 * 1024

/** Statuses that concern the host: it wants a login, or answers too slowly or too often. */
const STATUSES_OF_HOST = [401, 407, 408, 429]

/** Only this picture cannot be fetched: its host responds, and may have others. */
class PictureError extends Error {}

/**
 * Fetches pictures from sellers' URLs, four at a time: only https and public addresses, also after redirects. Rejects
 * with an `Error` whose message is the reason. Gives up on a host after three failures in a row. A refused
 * or oversized picture, or a response that is no picture, is not a failure of the host: it resets the count. Does not
 * check that the bytes are a picture: `store` does.
 */
export function createPictureFetcher(options: Options = {}): (url: string) => Promise<Buffer> {
  const { resolve = resolveAll, isAllowed = isPublic, ca, timeoutMs = TIMEOUT_MS } = options
  const failures = new Map<string, number>()
  const limit = pLimit(AT_A_TIME)
  const lookup = checkedLookup(resolve, isAllowed)
  // Not the global agent: environment variables may make it use a proxy, which would connect without the check.
  const agent = new Agent({ keepAlive: false, lookup, ...(ca && { ca }) })

  async function follow(address: string): Promise<Buffer> {
    const signal = AbortSignal.timeout(timeoutMs)
    let url = parseAddress(address)
    for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
      const answer = await visitUnlessGivenUp(url, signal)
      if (Buffer.isBuffer(answer)) return answer
      url = answer
    }
    throw new Error(`more than ${REDIRECTS} redirects`)
  }

  async function visitUnlessGivenUp(url: URL, signal: AbortSignal): Promise<Buffer | URL> {
    const { host } = url
    if ((failures.get(host) ?? 0) >= FAILURES) throw new Error(`${host} was given up after ${FAILURES} failures`)
    try {
      const answer = await visit(url, signal)
      failures.delete(host)
      return answer
    } catch (error) {
      if (error instanceof PictureError) failures.delete(host)
      else countFailure(host)
      if (signal.aborted) throw new Error(`${host} did not respond within ${timeoutMs / 1000} s`, { cause: error })
      throw readable(host, error)
    }
  }

  async function visit(url: URL, signal: AbortSignal): Promise<Buffer | URL> {
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(hostname) && !isAllowed(hostname)) throw new Error('not a public address')
    const response = await requestPicture(url, agent, signal)
    try {
      return await readPicture(url, response)
    } finally {
      response.destroy()
    }
  }

  function countFailure(host: string): void {
    failures.set(host, (failures.get(host) ?? 0) + 1)
  }

  return url => limit(() => follow(url))
}

function parseAddress(address: string, base?: URL): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null
  if (!url) throw new PictureError('not an address')
  if (url.protocol !== 'https:') throw new PictureError('only https addresses are fetched')
  if (url.username || url.password) throw new PictureError('an address with a password is not fetched')
  return url
}

function requestPicture(url: URL, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Piazza' }
  return new Promise((resolve, reject) => {
    request(url, { agent, headers, signal }).on('response', resolve).on('error', reject).end()
  })
}

async function readPicture(url: URL, response: IncomingMessage): Promise<Buffer | URL> {
  const { statusCode: status = 0, headers } = response
  if (status >= 300 && status < 400 && headers.location) return parseAddress(headers.location, url)
  if (status !== 200) {
    const isRefused = status >= 400 && status < 500 && !STATUSES_OF_HOST.includes(status)
    throw new (isRefused ? PictureError : Error)(`${url.host} responded with ${status}`)
  }
  if (!headers['content-type']?.startsWith('image/')) throw new PictureError('the answer is not a picture')
  const tooLarge = new PictureError(`larger than ${MAX_MB} MB`)
  if (Number(headers['content-length']) > MAX_BYTES) throw tooLarge
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BYTES) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function readable(host: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new Error(`${host} is not known`, { cause: error })
  if (code) return new Error(`${host} cannot be reached (${code})`, { cause: error })
  return error instanceof Error ? error : new Error(message)
}

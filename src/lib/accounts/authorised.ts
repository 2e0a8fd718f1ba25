import type { Session } from '#contract/auth.ts'
import { ApiError, createApi, type Fetch, refusal } from '../api.ts'
import { decodeCustomer } from './storage.ts'

/** Where this browser keeps its session; all tabs see the same. */
interface Tokens {
  read(): string | null
  save(session: Session): void
  clear(): void
}

/** Runs `work` while no other tab of the shop runs its own under the same lock. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>

interface Options {
  fetch: Fetch
  /** Where the API is. */
  origin: string
  tokens: Tokens
  exclusively: Exclusively
}

/** What the provider says of a session that it does not take. */
interface Verdict {
  isExpired: boolean
  error: ApiError
}

const SIGNED_OUT = 409
const TOO_MANY = 429

/**
 * A `fetch` that speaks for whoever is signed in: sends the bearer, refreshes an expired one and tries the request once
 * more, and forgets a session that the provider does not know any more. Any number of requests and tabs that find the
 * token expired wait for one refresh. A session that the provider does not take, and a refresh that fails, throw their
 * `ApiError`; only a refusal signs anybody out.
 */
export function authorised({ fetch, origin, tokens, exclusively }: Options): (request: Request) => Promise<Response> {
  const plain = createApi({ fetch: async request => (await repeatable(request))(fetch, tokens.read()), origin })
  let renewal: Promise<void> | null = null

  async function renew(expired: string): Promise<void> {
    // Another request or tab may have got a new one in the meantime, or signed out.
    if (tokens.read() === expired) tokens.save(await plain.refreshToken({}))
  }

  /**
   * The session of `token` has ended; one that was begun since has not. The page is left at this, and may never get to
   * what it has yet to wait for: the caller must hear of the error with nothing in between.
   */
  function end(token: string | null, error: unknown): never {
    if (tokens.read() === token) tokens.clear()
    throw error
  }

  async function renewed(token: string): Promise<string | null> {
    renewal ??= exclusively(() => renew(token)).finally(() => (renewal = null))
    try {
      await renewal
    } catch (error) {
      if (isRefusal(error)) end(token, error)
      throw error
    }
    const now = tokens.read()
    return now && isSameCustomer(token, now) ? now : null
  }

  return async request => {
    const token = tokens.read()
    const send = await repeatable(request)
    const answer = await send(fetch, token)
    const refused = await readRefusal(answer)
    if (!refused) return answer
    if (!refused.isExpired) return end(token, refused.error)
    const next = token && (await renewed(token))
    if (!next) throw refused.error

    const second = await send(fetch, next)
    const last = await readRefusal(second)
    if (!last) return second
    if (last.isExpired) throw last.error
    return end(next, last.error)
  }
}

/** A lock that all tabs share; where the browser has none (plain http), tabs refresh side by side. */
export const exclusivelyInBrowser: Exclusively = work =>
  // The types promise what only secure pages have.
  (navigator.locks as LockManager | undefined)?.request('piazza-refresh', work) ?? work()

/** Sends a request as often as it is called; the body is kept, as a browser would stream that of a clone. */
async function repeatable(request: Request) {
  const { url, method, headers, signal } = request
  const bytes = method === 'GET' ? null : await request.arrayBuffer()
  const body = bytes?.byteLength ? bytes : null
  return (fetch: Fetch, token: string | null) => {
    const sent = new Request(url, { method, headers, signal, body, credentials: 'include' })
    if (token) sent.headers.set('authorization', `Bearer ${token}`)
    return fetch(sent)
  }
}

/** Null for an answer that is not about the session. */
async function readRefusal(answer: Response): Promise<Verdict | null> {
  if (answer.status !== SIGNED_OUT) return null
  const said = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown; error?: unknown; message?: unknown } | null
  const texts = [said?.error, said?.message]
  const isExpired = said?.code === 'TOKEN_EXPIRED' || texts.includes('Token expired, please login again')
  const isEnded = said?.code === 'NO_TOKEN' || said?.code === 'INVALID_TOKEN' || texts.includes('Please login first')
  return isExpired || isEnded ? { isExpired, error: refusal(answer.status, said) } : null
}

/** A provider that is busy or away has not said no. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== TOO_MANY
}

/** What one customer asked for is not sent in the name of another who has signed in since. */
function isSameCustomer(token: string, other: string): boolean {
  return decodeCustomer(token)?.id === decodeCustomer(other)?.id
}

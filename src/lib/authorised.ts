import type { Session } from '#contract/auth.ts'
import { ApiError, createApi, type Fetch } from './api.ts'
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

type Verdict = 'expired' | 'ended' | null

const SIGNED_OUT = 409
const TOO_MANY = 429

/**
 * A `fetch` that speaks for whoever is signed in: sends the bearer, refreshes an expired one and tries the request once
 * more, and forgets a session that the provider does not know any more. Any number of requests and tabs that find the
 * token expired wait for one refresh. A refresh that fails throws its `ApiError`; only a refusal signs anybody out.
 */
export function authorised({ fetch, origin, tokens, exclusively }: Options): (request: Request) => Promise<Response> {
  const plain = createApi({ fetch: async request => (await repeatable(request))(fetch, tokens.read()), origin })
  let renewal: Promise<void> | null = null

  async function renew(expired: string): Promise<void> {
    // Another request or tab may have got a new one in the meantime, or signed out.
    if (tokens.read() !== expired) return
    try {
      tokens.save(await plain.refreshToken({}))
    } catch (error) {
      if (isRefusal(error)) forget(expired)
      throw error
    }
  }

  /** The session of `token` has ended; one that was begun since has not. */
  function forget(token: string | null): void {
    if (tokens.read() === token) tokens.clear()
  }

  return async request => {
    const token = tokens.read()
    const send = await repeatable(request)
    const answer = await send(fetch, token)
    const verdict = await verdictOf(answer)
    if (verdict === 'ended') forget(token)
    if (verdict !== 'expired' || !token) return answer

    renewal ??= exclusively(() => renew(token)).finally(() => (renewal = null))
    await renewal
    const renewed = tokens.read()
    if (!renewed || !isSameCustomer(token, renewed)) return answer
    const second = await send(fetch, renewed)
    if ((await verdictOf(second)) === 'ended') forget(renewed)
    return second
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

async function verdictOf(answer: Response): Promise<Verdict> {
  if (answer.status !== SIGNED_OUT) return null
  const said = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown; error?: unknown; message?: unknown } | null
  const texts = [said?.error, said?.message]
  if (said?.code === 'TOKEN_EXPIRED' || texts.includes('Token expired, please login again')) return 'expired'
  const isEnded = said?.code === 'NO_TOKEN' || said?.code === 'INVALID_TOKEN' || texts.includes('Please login first')
  return isEnded ? 'ended' : null
}

/** A provider that is busy or away has not said no. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== TOO_MANY
}

/** What one customer asked for is not sent in the name of another who has signed in since. */
function isSameCustomer(token: string, other: string): boolean {
  return decodeCustomer(token)?.id === decodeCustomer(other)?.id
}

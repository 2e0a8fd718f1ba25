import { refreshToken, type Session } from '#contract/session.ts'
import { ApiError, createCalls, type Fetch, toApiError } from '../api.ts'
import { decodeCustomer } from './storage.ts'

/** The session's tokens in this browser, shared by all tabs. */
interface Tokens {
  read(): string | null
  save(session: Session): void
  clear(): void
}

/** Runs `work` while no other tab holds the same lock. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>

interface Options {
  fetch: Fetch
  /** Origin of the API. */
  origin: string
  tokens: Tokens
  exclusively: Exclusively
}

/** How the provider rejected a session. */
interface RejectedBearer {
  isExpired: boolean
  error: ApiError
}

const SIGNED_OUT = 409
const TOO_MANY = 429

/**
 * A `fetch` with the signed-in customer's session. It sends the bearer token, refreshes an expired one and repeats the
 * request once. Concurrent requests and tabs share one refresh. Throws `ApiError` when the provider rejects the session
 * or the refresh fails; only a rejection deletes the stored session.
 */
export function authorised({ fetch, origin, tokens, exclusively }: Options): (request: Request) => Promise<Response> {
  const plain = createCalls({ refreshToken }, { fetch: request => sendWith(request, tokens.read()), origin })
  let renewal: Promise<void> | null = null

  function sendWith(request: Request, token: string | null): Response | Promise<Response> {
    if (token) request.headers.set('authorization', `Bearer ${token}`)
    return fetch(request)
  }

  async function renew(expired: string): Promise<void> {
    // Another request or tab may have refreshed the token or signed out in the meantime.
    if (tokens.read() === expired) tokens.save(await plain.refreshToken({}))
  }

  /**
   * Deletes the ended session of `token`, unless a newer one has replaced it. This makes the page navigate away, so the
   * caller must receive the error synchronously: anything awaited after it may never run.
   */
  function endSession(token: string | null, error: unknown): never {
    if (tokens.read() === token) tokens.clear()
    throw error
  }

  async function renewed(token: string): Promise<string | null> {
    renewal ??= repeatLost(() => exclusively(() => renew(token))).finally(() => (renewal = null))
    try {
      await renewal
    } catch (error) {
      if (isRejection(error)) endSession(token, error)
      throw error
    }
    const now = tokens.read()
    return now && isSameCustomer(token, now) ? now : null
  }

  return async request => {
    const token = tokens.read()
    // Nothing may be awaited before the request is sent: the customer may be leaving the page.
    const repeated = request.clone()
    const answer = await sendWith(request, token)
    const rejection = await readRejection(answer)
    if (!rejection) return answer
    if (!rejection.isExpired) return endSession(token, rejection.error)
    const next = token && (await renewed(token))
    if (!next) throw rejection.error

    const second = await sendWith(repeated, next)
    const last = await readRejection(second)
    if (!last) return second
    if (last.isExpired) throw last.error
    return endSession(next, last.error)
  }
}

/**
 * Repeats a refresh that gets no response, for seven seconds. The provider may have exchanged the token: it accepts the
 * old one for ten seconds more, and then takes it for a stolen one and ends the session.
 */
export async function repeatLost(refresh: () => Promise<void>, waitMs = 1000): Promise<void> {
  try {
    await refresh()
  } catch (error) {
    if (!(error as Partial<ApiError>).isSilent || waitMs > 4000) throw error
    await new Promise(resolve => setTimeout(resolve, waitMs))
    await repeatLost(refresh, 2 * waitMs)
  }
}

/** A lock shared by all tabs. Without the Web Locks API (plain http), tabs refresh in parallel. */
export const exclusivelyInBrowser: Exclusively = work =>
  // The types claim that it always exists, but only secure contexts have it.
  (navigator.locks as LockManager | undefined)?.request('piazza-refresh', work) ?? work()

/** Returns null if the response is not about the session. */
async function readRejection(answer: Response): Promise<RejectedBearer | null> {
  if (answer.status !== SIGNED_OUT) return null
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown; error?: unknown; message?: unknown } | null
  const texts = [body?.error, body?.message]
  const isExpired = body?.code === 'TOKEN_EXPIRED' || texts.includes('Token expired, please login again')
  const isEnded = body?.code === 'NO_TOKEN' || body?.code === 'INVALID_TOKEN' || texts.includes('Please login first')
  return isExpired || isEnded ? { isExpired, error: toApiError(answer.status, body) } : null
}

/** Server errors and rate limits do not reject the session. */
function isRejection(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== TOO_MANY
}

/** A request of one customer must not be sent in the name of another who has signed in since. */
function isSameCustomer(token: string, other: string): boolean {
  return decodeCustomer(token)?.id === decodeCustomer(other)?.id
}

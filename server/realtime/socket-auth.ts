import { decodeJwt } from 'jose'
import type { SellerTokens } from '../accounts/seller-tokens.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { invalidToken } from '../accounts/tokens.ts'

/**
 * Who is at the other end of a socket, according to its token alone. Visitors have none: their `id` is the network
 * address.
 */
export type Peer =
  { side: 'customer'; id: string; sessionId: string } | { side: 'seller'; id: string } | { side: 'visitor'; id: string }

export interface SocketAuth {
  sessions: Pick<Sessions, 'identify' | 'onEnd'>
  sellerTokens: Pick<SellerTokens, 'identify' | 'onRevoke'>
}

/** Whether the client sent no token, as visitors do. */
export function isMissing(token: unknown): boolean {
  return token === undefined || token === null || token === ''
}

/** Checks a customer's or seller's token. Throws a `ServiceError` if it is missing, invalid or expired. */
export async function identify(
  { sessions, sellerTokens }: SocketAuth,
  given: unknown,
): Promise<Exclude<Peer, { side: 'visitor' }>> {
  if (typeof given !== 'string' && !isMissing(given)) throw invalidToken()
  const token = typeof given === 'string' ? given : ''
  if (isSellers(token)) return { side: 'seller', id: (await sellerTokens.identify(token)).id }
  const { id, sessionId } = await sessions.identify(token === '' ? undefined : `Bearer ${token}`)
  return { side: 'customer', id, sessionId }
}

/** Reads the token's audience before any check; only the check for that audience can then accept it. */
function isSellers(token: string): boolean {
  try {
    return decodeJwt(token).aud === 'seller'
  } catch {
    // Not a JWT: the customers' check rejects it.
    return false
  }
}

/** Whether a token that was valid has expired since. False for visitors, who have none. */
export function hasExpired(token: unknown): boolean {
  return typeof token === 'string' && token !== '' && decodeJwt(token).exp! * 1000 <= Date.now()
}

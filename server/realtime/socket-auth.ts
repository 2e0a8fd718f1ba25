import { decodeJwt } from 'jose'
import type { SellerTokens } from '../accounts/seller-tokens.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { invalidToken } from '../accounts/tokens.ts'

/**
 * Who is at the other end of a socket, by the token that it brought; what else it says of itself counts for nothing. A
 * visitor brought none: `id` is the address.
 */
export type Peer =
  { side: 'customer'; id: string; sessionId: string } | { side: 'seller'; id: string } | { side: 'visitor'; id: string }

export interface SocketAuth {
  sessions: Pick<Sessions, 'identify' | 'onEnd'>
  sellerTokens: Pick<SellerTokens, 'identify' | 'onRevoke'>
}

/** Whether a socket brings no token, as a visitor's. */
export function isMissing(token: unknown): boolean {
  return token === undefined || token === null || token === ''
}

/** Throws the 409 refusals. */
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

/** What a token says before it is checked; only one of the two checks can then accept it. */
function isSellers(token: string): boolean {
  try {
    return decodeJwt(token).aud === 'seller'
  } catch {
    // Not even a token: the customers' check says so.
    return false
  }
}

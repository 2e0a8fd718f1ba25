import type { JWTPayload } from 'jose'
import type { SignedIn } from '../platform/signed-in.ts'
import { ServiceError } from '../platform/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import { openJwt } from './jwt.ts'

/** Default lifetime of a token. */
const TOKEN_MINUTES = 10

const LOGIN_FIRST = 'Please login first'

/** The errors of a bearer. Clients act on their codes: only after TOKEN_EXPIRED do they refresh the token. */
export const noToken = () => new ServiceError('NO_TOKEN', LOGIN_FIRST)
export const invalidToken = () => new ServiceError('INVALID_TOKEN', LOGIN_FIRST)
export const tokenExpired = () => new ServiceError('TOKEN_EXPIRED', 'Token expired, please login again')

/** The claims of a genuine token; its session may have ended. */
interface TokenClaims extends SignedIn {
  /** The token's own id. */
  tokenId: string
  /** Milliseconds. */
  issuedAt: number
  isExpired: boolean
}

export interface Tokens {
  sign(customer: SignedIn, tokenId: string): Promise<string>
  /** Returns null if this shop has not signed it as a customer's token. */
  read(token: string): Promise<TokenClaims | null>
}

/** Customers' bearer tokens, each valid for `minutes`. */
export function openTokens(secrets: Secrets, now: () => number, minutes = TOKEN_MINUTES): Tokens {
  const jwt = openJwt({ secrets, purpose: 'access-token', audience: 'customer', lifetimeSeconds: minutes * 60, now })
  return {
    sign: ({ id, name, email, sessionId }, tokenId) => jwt.sign(id, tokenId, { id, name, email, sid: sessionId }),
    async read(token) {
      const found = await jwt.read(token)
      return found && claimsOf(found.claims, found.isExpired)
    },
  }
}

function claimsOf(payload: JWTPayload, isExpired: boolean): TokenClaims | null {
  const { sub, sid, jti, iat, name, email } = payload as JWTPayload & Record<'sid' | 'name' | 'email', unknown>
  const texts = [sub, sid, jti, name, email]
  if (iat === undefined || !texts.every(text => typeof text === 'string')) return null
  const [id, sessionId, tokenId, shownName, address] = texts as [string, string, string, string, string]
  return { id, name: shownName, email: address, sessionId, tokenId, issuedAt: iat * 1000, isExpired }
}

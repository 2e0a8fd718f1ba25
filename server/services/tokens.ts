import { createHash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { Refusal } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { SignedIn } from './sessions.ts'

const ALGORITHM = 'HS256'
const TYPE = 'at+jwt'
const ISSUER = 'piazza'
const AUDIENCE = 'customer'
/** How long one token speaks for its session. */
const TOKEN_SECONDS = 10 * 60

const LOGIN_FIRST = 'Please login first'

export const noToken = () => new Refusal(409, LOGIN_FIRST, 'NO_TOKEN')
export const invalidToken = () => new Refusal(409, LOGIN_FIRST, 'INVALID_TOKEN')
export const tokenExpired = () => new Refusal(409, 'Token expired, please login again', 'TOKEN_EXPIRED')

/** What a genuine token says; whether its session lives is another question. */
interface TokenClaims extends SignedIn {
  /** The token's own id. */
  tokenId: string
  /** Milliseconds. */
  issuedAt: number
  isExpired: boolean
}

export interface Tokens {
  sign(customer: SignedIn, tokenId: string): Promise<string>
  /** Null for what this shop has not signed, or not as a customer's token. */
  read(token: string): Promise<TokenClaims | null>
}

/** The bearer tokens of customers: JWTs whose algorithm, type, issuer and audience are fixed. */
export function openTokens(secrets: Secrets, now: () => number): Tokens {
  const keys = secrets.keysFor('access-token').map(key => ({ key, id: nameOf(key) }))
  const [current] = keys

  return {
    sign({ id, name, email, sessionId }, tokenId) {
      const seconds = Math.floor(now() / 1000)
      return new SignJWT({ id, name, email, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: current!.id })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setJti(tokenId)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + TOKEN_SECONDS)
        .sign(current!.key)
    },

    async read(token) {
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => (keys.find(({ id }) => id === kid) ?? current!).key, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['exp', 'iat'],
          currentDate: new Date(now()),
        })
        return claimsOf(payload, false)
      } catch (error) {
        // The expiry is looked at last: everything else about this token is right.
        if (error instanceof errors.JWTExpired) return claimsOf(error.payload, true)
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}

function nameOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8)
}

function claimsOf(payload: JWTPayload, isExpired: boolean): TokenClaims | null {
  const { sub, sid, jti, iat, name, email } = payload as JWTPayload & Record<'sid' | 'name' | 'email', unknown>
  const texts = [sub, sid, jti, name, email]
  if (iat === undefined || !texts.every(text => typeof text === 'string')) return null
  const [id, sessionId, tokenId, shownName, address] = texts as [string, string, string, string, string]
  return { id, name: shownName, email: address, sessionId, tokenId, issuedAt: iat * 1000, isExpired }
}

import { createHash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Secrets } from '../platform/secrets.ts'

const ALGORITHM = 'HS256'
const TYPE = 'at+jwt'
const ISSUER = 'piazza'
/** How much the clocks of several processes may differ. */
const SKEW_SECONDS = 60

interface Options {
  secrets: Secrets
  /** The purpose that the keys are derived for: each kind of token has its own keys. */
  purpose: string
  audience: string
  lifetimeSeconds: number
  now: () => number
}

export interface Jwt {
  sign(subject: string, tokenId: string, claims: Record<string, unknown>): Promise<string>
  /** Returns null if the token was not signed by this shop for this audience. */
  read(token: string): Promise<{ claims: JWTPayload; isExpired: boolean } | null>
}

/** Bearer tokens of one kind: JWTs whose algorithm, type, issuer and audience are fixed. */
export function openJwt({ secrets, purpose, audience, lifetimeSeconds, now }: Options): Jwt {
  function withExpiry(claims: JWTPayload) {
    const nowSeconds = Math.floor(now() / 1000)
    // Issued in the future (the clock was set back): treated as expired, so that the client refreshes it.
    return { claims, isExpired: claims.exp! <= nowSeconds || claims.iat! > nowSeconds + SKEW_SECONDS }
  }

  return {
    sign(subject, tokenId, claims) {
      const issuedAt = Math.floor(now() / 1000)
      const [key] = secrets.keysFor(purpose)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: nameOf(key) })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setSubject(subject)
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key)
    },

    async read(token) {
      const keys = secrets.keysFor(purpose)
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => keys.find(key => nameOf(key) === kid) ?? keys[0], {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: ISSUER,
          audience,
          requiredClaims: ['exp', 'iat'],
          currentDate: new Date(now()),
        })
        return withExpiry(payload)
      } catch (error) {
        // jose checks the expiry last, so the token is valid in all other respects.
        if (error instanceof errors.JWTExpired) return { claims: error.payload, isExpired: true }
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}

function nameOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8)
}

import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Database, Db, Tx } from '../db/types.ts'
import { readPrivateTag, tellPrivately } from '../db/private-tags.ts'
import { sessions, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import type { SignedIn } from '../http/env.ts'
import { isBadBearer } from '../http/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import { BlockedError, wrongLogin } from './customers.ts'
import { openSessionCache } from './session-cache.ts'
import { hashOf, isSealed, newRefreshToken, sessionNamedBy } from './refresh-tokens.ts'
import { openRotation, type Rotated } from './session-rotation.ts'
import { invalidToken, noToken, openTokens, tokenExpired } from './tokens.ts'

/** What the browser gets at sign-in: the bearer in the body, the refresh token in a cookie. */
interface Started {
  token: string
  refreshToken: string
  expiresAt: Date
}

interface StartOptions {
  /** The last bearer may be exchanged like a refresh token. */
  isFallback?: boolean
  /** What the password was checked against. */
  passwordHash?: string | undefined
}

export interface Sessions {
  /**
   * The customer of an `Authorization` header. Throws the 409 refusals. A session that ended is refused at once; one
   * that another process ended, as soon as the database tells, and after 5 s where it cannot.
   */
  identify(authorization: string | undefined): Promise<SignedIn>
  /** A new session. Throws the refusal of a wrong login when the customer's password is another one by now (422), `BlockedError` for one who may not sign in. */
  start(customer: Omit<SignedIn, 'sessionId'>, options?: StartOptions): Promise<Started>
  /** The session that a refresh token, or without one a bearer, was given out for; null for what is forged. */
  provenBy(refreshToken: string | undefined, authorization: string | undefined): Promise<string | null>
  /** Exchanges a refresh token. */
  rotate(refreshToken: string): Promise<Rotated>
  /** Exchanges the last bearer of a session in the cookie fallback; it may have expired, within a day. */
  rotateBearer(authorization: string | undefined): Promise<Rotated>
  /** Calls `listener` with the id of each session that ends, in any process; null when any of them may have ended. */
  onEnd(listener: (sessionId: string | null) => void): void
  /**
   * Ends the sessions that a bearer, even an expired one, and a refresh token prove. Returns the ids of their customers;
   * none for what is forged or has ended.
   */
  signOut(authorization: string | undefined, refreshToken: string | undefined): Promise<string[]>
  /** Ends one session. */
  revoke(sessionId: string): Promise<void>
  /** Ends every session of a customer; `tx` when that is part of something larger. */
  revokeAll(userId: string, tx?: Tx): Promise<void>
}

interface Options {
  db: Db
  /** Tells of the sessions that other processes end; without it, they are noticed within 5 s. */
  onChange?: Database['onChange']
  secrets: Secrets
  /** How long one bearer is good. */
  bearerMinutes?: number | undefined
  now?: () => number
}

const DAY_MS = 24 * 3600_000
const IDLE_MS = 14 * DAY_MS
const ABSOLUTE_MS = 60 * DAY_MS
const OLDEST_BEARER_MS = DAY_MS

/** The sign-ins of customers, each on one browser. */
export function openSessions({ db, onChange, secrets, bearerMinutes, now = Date.now }: Options): Sessions {
  const tokens = openTokens(secrets, now, bearerMinutes)
  const sessionCache = openSessionCache(db, now)
  onChange?.(tag => {
    const sessionId = readPrivateTag(tag, 'session')
    if (tag === null) sessionCache.forgetAll()
    else if (sessionId !== null) sessionCache.forget(sessionId)
  }).catch(() => undefined)
  const keys = secrets.keysFor('refresh-token')
  const rotation = openRotation({ db, keys, tokens, sessionCache, now, idleMs: IDLE_MS })

  async function end(condition: SQL, tx?: Tx): Promise<{ id: string; userId: string }[]> {
    const endAll = async (tx: Tx) => {
      const ended = await tx
        .update(sessions)
        .set({ revokedAt: new Date(now()) })
        .where(and(condition, isNull(sessions.revokedAt)))
        .returning({ id: sessions.id, userId: sessions.userId })
      await tellPrivately(
        tx,
        'session',
        ended.map(({ id }) => id),
      )
      return ended
    }
    const ended = await (tx ? endAll(tx) : transact(db, endAll))
    for (const { id } of ended) sessionCache.forget(id)
    return ended
  }

  /** The session that a bearer names; null for one that this shop has not signed. */
  async function sessionOf(authorization: string | undefined): Promise<string | null> {
    try {
      return (await tokens.read(bearerOf(authorization)))?.sessionId ?? null
    } catch (error) {
      if (isBadBearer(error)) return null
      throw error
    }
  }

  return {
    async identify(authorization) {
      const claims = await tokens.read(bearerOf(authorization))
      if (!claims) throw invalidToken()
      if (claims.isExpired) throw tokenExpired()
      const customer = await sessionCache.find(claims.sessionId)
      if (customer?.id !== claims.id) throw invalidToken()
      return customer
    },

    async start(customer, { isFallback = false, passwordHash } = {}) {
      const id = v7()
      const tokenId = randomUUID()
      const refreshToken = newRefreshToken(keys[0], id)
      const expiresAt = new Date(now() + IDLE_MS)
      const row = {
        id,
        userId: customer.id,
        refreshHash: hashOf(refreshToken),
        rotatedAt: new Date(now()),
        isFallback,
        fallbackTokenId: isFallback ? tokenId : null,
        expiresAt,
        absoluteAt: new Date(now() + ABSOLUTE_MS),
      }
      await db.transaction(async tx => {
        await refuseChanged(tx, customer.id, passwordHash)
        await tx.insert(sessions).values(row)
      })
      return { token: await tokens.sign({ ...customer, sessionId: id }, tokenId), refreshToken, expiresAt }
    },

    async provenBy(refreshToken, authorization) {
      if (refreshToken) return isSealed(keys, refreshToken) ? sessionNamedBy(refreshToken) : null
      return (await tokens.read(bearerOf(authorization)))?.sessionId ?? null
    },

    rotate: refreshToken => rotation.byCookie(refreshToken),

    async rotateBearer(authorization) {
      const claims = await tokens.read(bearerOf(authorization))
      if (!claims || now() - claims.issuedAt > OLDEST_BEARER_MS) return { outcome: 'refused' }
      return rotation.byBearer(claims.sessionId, claims.tokenId)
    },

    onEnd: sessionCache.onEnd,

    async signOut(authorization, refreshToken) {
      const isOurs = refreshToken !== undefined && isSealed(keys, refreshToken)
      const proven = [await sessionOf(authorization), isOurs ? sessionNamedBy(refreshToken) : null]
      const ids = proven.filter(id => id !== null)
      const ended = ids.length > 0 ? await end(inArray(sessions.id, ids)) : []
      return ended.map(({ userId }) => userId)
    },

    async revoke(sessionId) {
      await end(eq(sessions.id, sessionId))
    },

    async revokeAll(userId, tx) {
      await end(eq(sessions.userId, userId), tx)
    },
  }
}

/** A new password or a block waits until the session that is about to start is there for it to end. */
async function refuseChanged(tx: Tx, userId: string, passwordHash: string | undefined): Promise<void> {
  const [user] = await tx
    .select({ passwordHash: users.passwordHash, blockedAt: users.blockedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('share')
  if (!user || (passwordHash && user.passwordHash !== passwordHash)) throw wrongLogin()
  if (user.blockedAt) throw new BlockedError(userId)
}

function bearerOf(authorization: string | undefined): string {
  const given = authorization?.trim() ?? ''
  if (given === '' || /^bearer$/i.test(given)) throw noToken()
  const [, token] = /^bearer +([\w.-]+)$/i.exec(given) ?? []
  if (!token) throw invalidToken()
  return token
}

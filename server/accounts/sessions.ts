import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import { v7 } from 'uuid'
import { DAY_MS } from '#contract/rules.ts'
import type { Database, Db, Tx } from '../db/types.ts'
import { readProcessEvent, notifyProcesses } from '../db/process-events.ts'
import { sessions, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import { isBadBearer } from '../platform/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import { BlockedError, wrongLogin } from './customers.ts'
import { openSessionCache } from './session-cache.ts'
import { hashOf, isSealed, newRefreshToken, sessionNamedBy } from './refresh-tokens.ts'
import { openRotation, type Rotated } from './session-rotation.ts'
import { invalidToken, noToken, openTokens, tokenExpired } from './tokens.ts'

/** The tokens of a new session: the bearer is sent in the body, the refresh token in a cookie. */
interface Started {
  token: string
  refreshToken: string
  expiresAt: Date
}

export interface StartOptions {
  /** With the cookie fallback: the last bearer can be exchanged like a refresh token. */
  isFallback?: boolean
  /** The stored hash that the password was checked against. */
  passwordHash?: string | undefined
  /** The browser's User-Agent, as shortened by `shortUserAgent`. */
  userAgent?: string | null
  /** Recorded in the audit. */
  event?: 'login' | 'operator_login'
  origin?: RequestOrigin
}

export interface Sessions {
  /**
   * The customer of an `Authorization` header. Throws the errors of tokens.ts. Sessions ended by this process are
   * rejected at once, those ended by another process when the database reports it, or within 5 s if it cannot.
   */
  identify(authorization: string | undefined): Promise<SignedIn>
  /**
   * Starts a session; beyond `MAX_SESSIONS` it ends those that were used longest ago. Throws the error of a wrong login
   * if the password has been changed since it was checked, `BlockedError` for a blocked customer.
   */
  start(customer: Omit<SignedIn, 'sessionId'>, options?: StartOptions): Promise<Started>
  /**
   * The session for which the refresh token was issued or, without one, the bearer; null if it is forged. Throws if the
   * bearer is needed and missing or malformed.
   */
  provenBy(refreshToken: string | undefined, authorization: string | undefined): Promise<string | null>
  /** Exchanges a refresh token. */
  rotate(refreshToken: string, origin?: RequestOrigin): Promise<Rotated>
  /** Exchanges the last bearer of a session with the cookie fallback; it may be expired, but at most a day old. */
  rotateBearer(authorization: string | undefined, origin?: RequestOrigin): Promise<Rotated>
  /** Calls `listener` with the id of each session that ends, in any process; with null when any may have ended. */
  onEnd(listener: (sessionId: string | null) => void): void
  /**
   * Ends the sessions of a bearer, even an expired one, and of a refresh token; ignores tokens that are forged or whose
   * session has ended.
   */
  signOut(authorization: string | undefined, refreshToken: string | undefined, origin?: RequestOrigin): Promise<void>
  /** Ends one session of a customer, or all but one, at the customer's request. Returns how many ended. */
  endOwn(userId: string, which: { only: string } | { except: string }, origin: RequestOrigin): Promise<number>
  /** Ends one session. */
  revoke(sessionId: string): Promise<void>
  /** Ends every session of a customer but the one with the id `except`, within `tx` if given. */
  revokeAll(userId: string, options?: { tx?: Tx; except?: string }): Promise<void>
}

interface Options {
  db: Db
  /** Reports sessions that other processes end; without it, they are noticed within 5 s. */
  onChange?: Database['onChange']
  secrets: Secrets
  /** Lifetime of a bearer. */
  bearerMinutes?: number | undefined
  now?: () => number
}

/**
 * Sessions of one customer. A thief with the password could start tens of thousands within hours; ending them would take
 * longer than a statement may, so that no new password could be set.
 */
export const MAX_SESSIONS = 100
/** Of a customer who has many more, such as from before this limit, a login ends only some. */
const MAX_ENDED = 1000
const IDLE_MS = 14 * DAY_MS
const ABSOLUTE_MS = 60 * DAY_MS
const MAX_BEARER_AGE_MS = DAY_MS

/** The sign-ins of customers, each in one browser. */
export function openSessions({ db, onChange, secrets, bearerMinutes, now = Date.now }: Options): Sessions {
  const tokens = openTokens(secrets, now, bearerMinutes)
  const sessionCache = openSessionCache(db, now)
  onChange?.(tag => {
    const sessionId = readProcessEvent(tag, 'session')
    if (tag === null) sessionCache.forgetAll()
    else if (sessionId !== null) sessionCache.forget(sessionId)
  }).catch(() => undefined)
  const currentKeys = () => secrets.keysFor('refresh-token')
  const rotation = openRotation({ db, currentKeys, tokens, sessionCache, now, idleMs: IDLE_MS })

  async function endIn(tx: Tx, condition: SQL | undefined): Promise<{ id: string; userId: string }[]> {
    const ended = await tx
      .update(sessions)
      .set({ revokedAt: new Date(now()) })
      .where(and(condition, isNull(sessions.revokedAt)))
      .returning({ id: sessions.id, userId: sessions.userId })
    await notifyProcesses(
      tx,
      'session',
      ended.map(({ id }) => id),
    )
    return ended
  }

  async function revokeWhere(condition: SQL | undefined, tx?: Tx): Promise<void> {
    const ended = await (tx ? endIn(tx, condition) : transact(db, own => endIn(own, condition)))
    for (const { id } of ended) sessionCache.forget(id)
  }

  /** Ends the sessions of a customer beyond `MAX_SESSIONS`, but never `newest`. */
  function endSurplus(tx: Tx, userId: string, newest: string): Promise<{ id: string }[]> {
    const isOther = and(eq(sessions.userId, userId), ne(sessions.id, newest))
    const surplus = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(isOther, isNull(sessions.revokedAt), gt(sessions.expiresAt, new Date(now()))))
      .orderBy(desc(sessions.rotatedAt), desc(sessions.id))
      .offset(MAX_SESSIONS - 1)
      .limit(MAX_ENDED)
    // Skips sessions that a simultaneous login ends: waiting for them could be a deadlock.
    const free = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(inArray(sessions.id, surplus))
      .for('no key update', { skipLocked: true })
    return endIn(tx, inArray(sessions.id, free))
  }

  /** The session id in a bearer; null if this shop has not signed it. */
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

    async start(customer, { isFallback = false, passwordHash, userAgent, event, origin } = {}) {
      const id = v7()
      const tokenId = randomUUID()
      const refreshToken = newRefreshToken(currentKeys()[0], id)
      const expiresAt = new Date(now() + IDLE_MS)
      const row = {
        id,
        userId: customer.id,
        refreshHash: hashOf(refreshToken),
        rotatedAt: new Date(now()),
        isFallback,
        fallbackTokenId: isFallback ? tokenId : null,
        expiresAt,
        userAgent,
        absoluteAt: new Date(now() + ABSOLUTE_MS),
      }
      const ended = await transact(db, async tx => {
        await requireUnchanged(tx, customer.id, passwordHash)
        await tx.insert(sessions).values(row)
        const surplus = await endSurplus(tx, customer.id, id)
        if (event) await recordAudit(tx, { event, outcome: 'ok', actorId: customer.id, ...origin })
        return surplus
      })
      for (const each of ended) sessionCache.forget(each.id)
      return { token: await tokens.sign({ ...customer, sessionId: id }, tokenId), refreshToken, expiresAt }
    },

    async provenBy(refreshToken, authorization) {
      if (refreshToken) return isSealed(currentKeys(), refreshToken) ? sessionNamedBy(refreshToken) : null
      return (await tokens.read(bearerOf(authorization)))?.sessionId ?? null
    },

    rotate: rotation.byCookie,

    async rotateBearer(authorization, origin) {
      const claims = await tokens.read(bearerOf(authorization))
      if (!claims || now() - claims.issuedAt > MAX_BEARER_AGE_MS) return { outcome: 'refused' }
      return rotation.byBearer(claims.sessionId, claims.tokenId, origin)
    },

    onEnd: sessionCache.onEnd,

    async signOut(authorization, refreshToken, origin) {
      const isOurs = refreshToken !== undefined && isSealed(currentKeys(), refreshToken)
      const proven = [await sessionOf(authorization), isOurs ? sessionNamedBy(refreshToken) : null]
      const ids = proven.filter(id => id !== null)
      if (ids.length === 0) return
      const ended = await transact(db, async tx => {
        const rows = await endIn(tx, inArray(sessions.id, ids))
        for (const actorId of new Set(rows.map(({ userId }) => userId)))
          await recordAudit(tx, { event: 'logout', outcome: 'ok', actorId, ...origin })
        return rows
      })
      for (const { id } of ended) sessionCache.forget(id)
    },

    async endOwn(userId, which, origin) {
      const isChosen = 'only' in which ? eq(sessions.id, which.only) : ne(sessions.id, which.except)
      const ended = await transact(db, async tx => {
        const rows = await endIn(tx, and(eq(sessions.userId, userId), isChosen))
        const details = { count: rows.length }
        if (rows.length > 0)
          await recordAudit(tx, { event: 'sessions_ended', outcome: 'ok', actorId: userId, details, ...origin })
        return rows
      })
      for (const { id } of ended) sessionCache.forget(id)
      return ended.length
    },

    async revoke(sessionId) {
      await revokeWhere(eq(sessions.id, sessionId))
    },

    async revokeAll(userId, { tx, except } = {}) {
      const isOther = except === undefined ? undefined : ne(sessions.id, except)
      await revokeWhere(and(eq(sessions.userId, userId), isOther), tx)
    },
  }
}

/**
 * Throws if the password was changed or the customer blocked. The row is locked: a later change waits until the session
 * is stored, and then ends it.
 */
async function requireUnchanged(tx: Tx, userId: string, passwordHash: string | undefined): Promise<void> {
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

import { randomUUID } from 'node:crypto'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { v7 } from 'uuid'
import { DAY_MS } from '#contract/rules.ts'
import type { Database, Db, Tx } from '../db/types.ts'
import { readProcessEvent } from '../db/process-events.ts'
import { sessions, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import { isBadBearer } from '../platform/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import { BlockedError, wrongLogin } from './customers.ts'
import { openSessionCache, type SessionCache } from './session-cache.ts'
import { endSessions, endSurplus } from './session-ending.ts'
import { hashOf, isSealed, newRefreshToken, sessionNamedBy } from './refresh-tokens.ts'
import { openRotation, type Rotated } from './session-rotation.ts'
import { invalidToken, noToken, openTokens, tokenExpired, type Tokens } from './tokens.ts'

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

const IDLE_MS = 14 * DAY_MS
const ABSOLUTE_MS = 60 * DAY_MS
const MAX_BEARER_AGE_MS = DAY_MS

/** The sign-ins of customers, each in one browser. */
export function openSessions({ db, onChange, secrets, bearerMinutes, now = Date.now }: Options): Sessions {
  const tokens = openTokens(secrets, now, bearerMinutes)
  const sessionCache = openSessionCache(db, now)
  if (onChange) followOtherProcesses(onChange, sessionCache)
  const date = () => new Date(now())
  const currentKeys = () => secrets.keysFor('refresh-token')
  const rotation = openRotation({ db, currentKeys, tokens, sessionCache, now, idleMs: IDLE_MS })

  /** Runs `end` in a transaction. This process rejects at once the sessions that it returns. */
  async function endBy<Ended extends { id: string }[]>(end: (tx: Tx) => Promise<Ended>, tx?: Tx): Promise<Ended> {
    const ended = await (tx ? end(tx) : transact(db, end))
    for (const { id } of ended) sessionCache.forget(id)
    return ended
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
        rotatedAt: date(),
        isFallback,
        fallbackTokenId: isFallback ? tokenId : null,
        expiresAt,
        userAgent,
        absoluteAt: new Date(now() + ABSOLUTE_MS),
      }
      await endBy(async tx => {
        await requireUnchanged(tx, customer.id, passwordHash)
        await tx.insert(sessions).values(row)
        const surplus = await endSurplus(tx, row, date())
        if (event) await recordAudit(tx, { event, outcome: 'ok', actorId: customer.id, ...origin })
        return surplus
      })
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
      const byCookie = refreshToken && isSealed(currentKeys(), refreshToken) ? sessionNamedBy(refreshToken) : null
      const ids = [await sessionOf(tokens, authorization), byCookie].filter(id => id !== null)
      if (ids.length === 0) return
      await endBy(async tx => {
        const rows = await endSessions(tx, inArray(sessions.id, ids), date())
        for (const actorId of new Set(rows.map(({ userId }) => userId)))
          await recordAudit(tx, { event: 'logout', outcome: 'ok', actorId, ...origin })
        return rows
      })
    },

    async endOwn(userId, which, origin) {
      const isChosen = 'only' in which ? eq(sessions.id, which.only) : ne(sessions.id, which.except)
      const ended = await endBy(async tx => {
        const rows = await endSessions(tx, and(eq(sessions.userId, userId), isChosen), date())
        const details = { count: rows.length }
        if (rows.length > 0)
          await recordAudit(tx, { event: 'sessions_ended', outcome: 'ok', actorId: userId, details, ...origin })
        return rows
      })
      return ended.length
    },

    async revoke(sessionId) {
      await endBy(tx => endSessions(tx, eq(sessions.id, sessionId), date()))
    },

    async revokeAll(userId, { tx, except } = {}) {
      const isOther = except === undefined ? undefined : ne(sessions.id, except)
      await endBy(own => endSessions(own, and(eq(sessions.userId, userId), isOther), date()), tx)
    },
  }
}

/** Forgets the sessions that other processes have ended. */
function followOtherProcesses(onChange: Database['onChange'], sessionCache: SessionCache): void {
  onChange(tag => {
    const sessionId = readProcessEvent(tag, 'session')
    if (tag === null) sessionCache.forgetAll()
    else if (sessionId !== null) sessionCache.forget(sessionId)
  }).catch(() => undefined)
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

/** The session id in a bearer; null if this shop has not signed it. */
async function sessionOf(tokens: Tokens, authorization: string | undefined): Promise<string | null> {
  try {
    return (await tokens.read(bearerOf(authorization)))?.sessionId ?? null
  } catch (error) {
    if (isBadBearer(error)) return null
    throw error
  }
}

function bearerOf(authorization: string | undefined): string {
  const given = authorization?.trim() ?? ''
  if (given === '' || /^bearer$/i.test(given)) throw noToken()
  const [, token] = /^bearer +([\w.-]+)$/i.exec(given) ?? []
  if (!token) throw invalidToken()
  return token
}

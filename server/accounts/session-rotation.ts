import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { notifyProcesses } from '../db/process-events.ts'
import { sessions, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Keys } from '../platform/secrets.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import type { SessionCache } from './session-cache.ts'
import { hashOf, isSealed, nextRefreshToken, nextTokenId, sessionNamedBy } from './refresh-tokens.ts'
import type { Tokens } from './tokens.ts'

/** `reused`: an already exchanged token was sent again, so it may have been stolen; the session is ended. */
export type Rotated =
  | { outcome: 'rotated'; token: string; refreshToken: string | null; expiresAt: Date; isFallback: boolean }
  | { outcome: 'refused' }
  | { outcome: 'reused' }

interface Options {
  db: Db
  currentKeys: () => Keys
  tokens: Tokens
  sessionCache: SessionCache
  now: () => number
  /** Maximum time between two exchanges of a session. */
  idleMs: number
}

type Row = typeof sessions.$inferSelect

/** The tokens of one session, each derived from the previous one. */
interface Chain {
  /** The token that the client sent. */
  token: string
  isCurrent(token: string): boolean
  /** Whether `token` was ever issued for this session. If not, it was forged and must not end the session. */
  isOwn: boolean
  after(key: Uint8Array, count: number): string
  /** The changes to the row that make `token` the current one. */
  keep(token: string): Partial<Row>
}

type Exchanged =
  | { outcome: 'exchanged'; next: string; customer: SignedIn; expiresAt: Date }
  | { outcome: 'refused' }
  | { outcome: 'reused' }

/** Requests sent before an exchange may still arrive with the previous token. */
const GRACE_MS = 10_000

/** Exchanges a session's refresh token or bearer for the next tokens. */
export function openRotation({ db, currentKeys, tokens, sessionCache, now, idleMs }: Options) {
  /** Serialised per session by a row lock. In the grace period, the previous token gives the same successor. */
  async function exchange(
    sessionId: string,
    chainOf: (row: Row) => Chain | null,
    origin: RequestOrigin | undefined,
  ): Promise<Exchanged> {
    const exchanged = await transact(db, async (tx): Promise<Exchanged> => {
      const [found] = await tx
        .select({ row: sessions, name: users.name, email: users.email })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(eq(sessions.id, sessionId))
        .for('update', { of: sessions })
      const chain = found && isLive(found.row) ? chainOf(found.row) : null
      if (!found || !chain) return { outcome: 'refused' }
      const { row, name, email } = found
      const [next, change] = advance(row, chain)
      if (!next && !chain.isOwn) return { outcome: 'refused' }
      await tx.update(sessions).set(change).where(eq(sessions.id, sessionId))
      if (!next) {
        await notifyProcesses(tx, 'session', [sessionId])
        await recordAudit(tx, { event: 'refresh_reuse', outcome: 'refused', actorId: row.userId, ...origin })
        return { outcome: 'reused' }
      }
      const expiresAt = change.expiresAt ?? row.expiresAt
      return { outcome: 'exchanged', next, customer: { id: row.userId, name, email, sessionId }, expiresAt }
    })
    if (exchanged.outcome === 'reused') sessionCache.forget(sessionId)
    return exchanged
  }

  const isLive = ({ revokedAt, expiresAt }: Row) => !revokedAt && expiresAt.getTime() > now()

  /** The next token and the changes to the row. If the sent token is too old, no token: the session is revoked. */
  function advance(row: Row, chain: Chain): [next: string | undefined, change: Partial<Row>] {
    const rotatedAt = new Date(now())
    if (chain.isCurrent(chain.token)) {
      const rotationCount = row.rotationCount + 1
      const next = chain.after(currentKeys()[0], rotationCount)
      const expiresAt = new Date(Math.min(now() + idleMs, row.absoluteAt.getTime()))
      return [next, { ...chain.keep(next), rotatedAt, rotationCount, expiresAt }]
    }
    const isInGrace = now() - row.rotatedAt.getTime() <= GRACE_MS
    const current =
      isInGrace &&
      currentKeys()
        .map(key => chain.after(key, row.rotationCount))
        .find(chain.isCurrent)
    return current ? [current, { rotatedAt: row.rotatedAt }] : [undefined, { revokedAt: rotatedAt }]
  }

  return {
    async byCookie(refreshToken: string, origin?: RequestOrigin): Promise<Rotated> {
      const sessionId = sessionNamedBy(refreshToken)
      if (!sessionId) return { outcome: 'refused' }
      const exchanged = await exchange(sessionId, row => cookieChain(row, refreshToken, currentKeys()), origin)
      if (exchanged.outcome !== 'exchanged') return exchanged
      const { customer, next, expiresAt } = exchanged
      const token = await tokens.sign(customer, randomUUID())
      return { outcome: 'rotated', token, refreshToken: next, expiresAt, isFallback: false }
    },

    async byBearer(sessionId: string, tokenId: string, origin?: RequestOrigin): Promise<Rotated> {
      const exchanged = await exchange(sessionId, row => (row.isFallback ? bearerChain(row, tokenId) : null), origin)
      if (exchanged.outcome !== 'exchanged') return exchanged
      const { customer, next, expiresAt } = exchanged
      const token = await tokens.sign(customer, next)
      return { outcome: 'rotated', token, refreshToken: null, expiresAt, isFallback: true }
    },
  }
}

/** Also ends the fallback: a browser that sends the cookie does not need it. */
function cookieChain({ id, refreshHash, previousHash }: Row, token: string, keys: Uint8Array[]): Chain {
  return {
    token,
    isCurrent: candidate => hashOf(candidate) === refreshHash,
    // The previous token is recognised by its hash even if its key has been rotated out.
    isOwn: hashOf(token) === previousHash || isSealed(keys, token),
    after: (key, count) => nextRefreshToken(key, token, id, count),
    keep: next => ({
      refreshHash: hashOf(next),
      previousHash: refreshHash,
      isFallback: false,
      fallbackTokenId: null,
    }),
  }
}

/** Called only with bearers whose signature is valid. */
function bearerChain({ id, fallbackTokenId }: Row, token: string): Chain {
  return {
    token,
    isCurrent: candidate => candidate === fallbackTokenId,
    isOwn: true,
    after: (key, count) => nextTokenId(key, token, id, count),
    keep: next => ({ fallbackTokenId: next }),
  }
}

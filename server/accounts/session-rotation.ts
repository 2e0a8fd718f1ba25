import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
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
  { outcome: 'exchanged'; next: string; customer: SignedIn; expiresAt: Date } | Exclude<Rotated, { outcome: 'rotated' }>

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
      const customer = { id: row.userId, name, email, sessionId }
      if (chain.isCurrent(chain.token)) {
        const { next, expiresAt } = await issueNext(tx, row, chain)
        return { outcome: 'exchanged', next, customer, expiresAt }
      }
      const issued = issuedBefore(row, chain)
      if (issued) return { outcome: 'exchanged', next: issued, customer, expiresAt: row.expiresAt }
      if (!chain.isOwn) return { outcome: 'refused' }
      await revoke(tx, row, origin)
      return { outcome: 'reused' }
    })
    if (exchanged.outcome === 'reused') sessionCache.forget(sessionId)
    return exchanged
  }

  const isLive = ({ revokedAt, expiresAt }: Row) => !revokedAt && expiresAt.getTime() > now()

  async function issueNext(tx: Tx, row: Row, chain: Chain): Promise<{ next: string; expiresAt: Date }> {
    const rotationCount = row.rotationCount + 1
    const next = chain.after(currentKeys()[0], rotationCount)
    const expiresAt = new Date(Math.min(now() + idleMs, row.absoluteAt.getTime()))
    const change = { ...chain.keep(next), rotatedAt: new Date(now()), rotationCount, expiresAt }
    await tx.update(sessions).set(change).where(eq(sessions.id, row.id))
    return { next, expiresAt }
  }

  /** The token for which this one was last exchanged. Undefined after the grace period, and for other tokens. */
  function issuedBefore({ rotatedAt, rotationCount }: Row, chain: Chain): string | undefined {
    if (now() - rotatedAt.getTime() > GRACE_MS) return undefined
    return currentKeys()
      .map(key => chain.after(key, rotationCount))
      .find(chain.isCurrent)
  }

  async function revoke(tx: Tx, { id, userId }: Row, origin: RequestOrigin | undefined): Promise<void> {
    const revokedAt = new Date(now())
    await tx.update(sessions).set({ revokedAt }).where(eq(sessions.id, id))
    await notifyProcesses(tx, 'session', [id])
    await recordAudit(tx, { event: 'refresh_reuse', outcome: 'refused', actorId: userId, ...origin })
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

import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { CustomerSession } from '#contract/profile.ts'
import type { Db } from '../db/types.ts'
import { sessions } from '../db/schema.ts'
import { NotYoursError } from '../platform/errors.ts'
import type { RequestOrigin } from '../platform/audit.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { describeDevice } from './device.ts'
import { MAX_SESSIONS } from './session-ending.ts'
import type { Sessions } from './sessions.ts'

/** The customer's sessions: the current one first, then by last use. */
export async function listSessions(db: Db, { id: userId, sessionId }: SignedIn): Promise<CustomerSession[]> {
  const isLive = and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, new Date()))
  const rows = await db.select().from(sessions).where(isLive).orderBy(desc(sessions.rotatedAt)).limit(MAX_SESSIONS)
  return rows
    .map(({ id, userAgent, createdAt, rotatedAt }) => ({
      id,
      device: describeDevice(userAgent),
      startedAt: createdAt.toISOString(),
      lastUsedAt: rotatedAt.toISOString(),
      isCurrent: id === sessionId,
    }))
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

/** Ends one session of the customer. Throws `NotYoursError` if they never had it. */
export async function endSession(
  { db, sessions: owned }: { db: Db; sessions: Sessions },
  userId: string,
  sessionId: string,
  origin: RequestOrigin,
): Promise<void> {
  const endedCount = await owned.endOwn(userId, { only: sessionId }, origin)
  if (endedCount > 0) return
  const isOwn = and(eq(sessions.id, sessionId), eq(sessions.userId, userId))
  if ((await db.$count(sessions, isOwn)) === 0) throw new NotYoursError()
}

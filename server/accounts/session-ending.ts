import { and, desc, eq, gt, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import { notifyProcesses } from '../db/process-events.ts'
import { sessions } from '../db/schema.ts'
import type { Tx } from '../db/types.ts'

type SessionKey = { id: string; userId: string }

/**
 * Sessions of one customer. A thief with the password could start tens of thousands within hours; ending them would
 * take longer than a statement may, so that no new password could be set.
 */
export const MAX_SESSIONS = 100
/** The most sessions that one login ends, in case a customer has far more. */
const MAX_ENDED = 1000

/** Ends the sessions that match and have not ended yet, and tells the other processes. */
export async function endSessions(tx: Tx, condition: SQL | undefined, at: Date): Promise<SessionKey[]> {
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: at })
    .where(and(condition, isNull(sessions.revokedAt)))
    .returning({ id: sessions.id, userId: sessions.userId })
  await notifyProcesses(
    tx,
    'session',
    ended.map(({ id }) => id),
  )
  return ended
}

/** Ends the sessions of a customer beyond `MAX_SESSIONS`, but never `newest`. */
export function endSurplus(tx: Tx, newest: SessionKey, at: Date): Promise<SessionKey[]> {
  const isOther = and(eq(sessions.userId, newest.userId), ne(sessions.id, newest.id))
  const surplus = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isOther, isNull(sessions.revokedAt), gt(sessions.expiresAt, at)))
    .orderBy(desc(sessions.rotatedAt), desc(sessions.id))
    .offset(MAX_SESSIONS - 1)
    .limit(MAX_ENDED)
  // Skips sessions that a simultaneous login ends: waiting for them could be a deadlock.
  const free = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.id, surplus))
    .for('no key update', { skipLocked: true })
  return endSessions(tx, inArray(sessions.id, free), at)
}

import { sql } from 'drizzle-orm'
import { vi } from 'vitest'
import type { Db } from '#server/db/types.ts'
import type { Letter } from '#server/mail/mailer.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'
import { PATIENCE } from '../patience.ts'

/** Waits until no job is due or running, so that all queued mail is sent or dropped. Ignores jobs for later. */
export async function lettersSent(db: Db): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await db.execute<{ name: string }>(
      sql`select name from ${sql.identifier(JOBS_SCHEMA)}.job where state in ('retry', 'active')
        or (state = 'created' and start_after <= now())`,
    )
    if (rows.length > 0) throw new Error(`${rows.length} jobs wait: ${rows.map(({ name }) => name).join(', ')}`)
  }, PATIENCE)
}

/** The subject of a letter without the number of its order. */
export function subjectOf({ subject }: Letter): string {
  return subject.replace(/ \(PZ-\w{6}\)$/, '')
}

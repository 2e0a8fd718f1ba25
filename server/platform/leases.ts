import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'

export interface Lease {
  /**
   * Acquires or extends the lease for `seconds`, by the database's clock. `isBehind` is stored for the next holder.
   * Resolves with false while another process holds the lease, `kept` if this process already held it, and otherwise
   * with the `isBehind` that the last holder stored.
   */
  hold(isBehind: boolean): Promise<false | 'kept' | { wasBehind: boolean }>
  /** Ends the lease: the next process that calls `hold` acquires it. */
  release(isBehind: boolean): Promise<void>
}

/** A lease on work that only one process at a time may do. It expires `seconds` after its holder last extended it. */
export function openLease(db: Db, { name, seconds }: { name: string; seconds: number }): Lease {
  const holder = randomUUID()
  return {
    async hold(isBehind) {
      const { rows } = await db.execute<{ was_held: boolean; was_behind: boolean }>(sql`
        with before as (select holder, is_behind from leases where name = ${name})
        insert into leases as lease (name, holder, until, is_behind)
        values (${name}, ${holder}, now() + make_interval(secs => ${seconds}), ${isBehind})
        on conflict (name) do update
          set holder = excluded.holder, until = excluded.until, is_behind = excluded.is_behind
          where lease.holder = excluded.holder or lease.until < now()
        returning (select holder from before) is not distinct from ${holder} as was_held,
          coalesce((select is_behind from before), false) as was_behind`)
      const [row] = rows
      if (!row) return false
      return row.was_held ? 'kept' : { wasBehind: row.was_behind }
    },
    async release(isBehind) {
      await db.execute(sql`
        update leases set until = now() - interval '1 second', is_behind = ${isBehind}
        where name = ${name} and holder = ${holder}`)
    },
  }
}

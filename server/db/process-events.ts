import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from './types.ts'

/** Changes that the processes of a shop report to each other, and that affect no stored page. */
const KINDS = ['notification', 'return', 'session', 'seller-tokens', 'keys'] as const
type Kind = (typeof KINDS)[number]

/** Reports changes to every process once `tx` commits. `values` name what has changed, such as ids of sessions. */
export async function notifyProcesses(tx: Db | Tx, kind: Kind, values: string[]): Promise<void> {
  if (values.length === 0) return
  const tags = values.map(value => `${kind}:${value}`)
  await tx.execute(sql`select pg_notify('changed', tag) from unnest(${sql.param(tags)}::text[]) tag`)
}

/** Like `notifyProcesses`, as a column of a larger statement. */
export function notifyProcessesIn(kind: Kind, value: SQL): SQL {
  return sql`pg_notify('changed', ${`${kind}:`} || ${value})`
}

/** The value in an event of this kind, such as a session's id; null for all other tags. */
export function readProcessEvent(tag: string | null, kind: Kind): string | null {
  return tag?.startsWith(`${kind}:`) ? tag.slice(kind.length + 1) : null
}

export function isProcessEvent(tag: string | null): boolean {
  return KINDS.some(kind => readProcessEvent(tag, kind) !== null)
}

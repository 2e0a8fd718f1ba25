import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from './types.ts'

/** Kinds of changes that affect sessions, open windows or keys, but no stored page. */
const KINDS = ['notification', 'return', 'session', 'seller-tokens', 'keys'] as const
type Kind = (typeof KINDS)[number]

/** Notifies every process of a change once `tx` commits. */
export async function tellPrivately(tx: Db | Tx, kind: Kind, values: string[]): Promise<void> {
  if (values.length === 0) return
  const tags = values.map(value => `${kind}:${value}`)
  await tx.execute(sql`select pg_notify('changed', tag) from unnest(${sql.param(tags)}::text[]) tag`)
}

/** The call that notifies every process of a change once its transaction commits, as part of a larger statement. */
export function notifyPrivately(kind: Kind, value: SQL): SQL {
  return sql`pg_notify('changed', ${`${kind}:`} || ${value})`
}

/** The value in a tag of this kind, such as a session's id; null for other tags. */
export function readPrivateTag(tag: string | null, kind: Kind): string | null {
  return tag?.startsWith(`${kind}:`) ? tag.slice(kind.length + 1) : null
}

export function isPrivateTag(tag: string | null): boolean {
  return KINDS.some(kind => readPrivateTag(tag, kind) !== null)
}

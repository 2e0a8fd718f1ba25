import { sql } from 'drizzle-orm'
import type { Db, Tx } from './types.ts'

/** What a change is about when it concerns one person's windows and sessions, and no stored page. */
const KINDS = ['notification', 'session', 'seller-tokens'] as const
type Kind = (typeof KINDS)[number]

/** Tells every process of a change once `tx` commits. */
export async function tellPrivately(tx: Db | Tx, kind: Kind, values: string[]): Promise<void> {
  if (values.length === 0) return
  const tags = values.map(value => `${kind}:${value}`)
  await tx.execute(sql`select pg_notify('changed', tag) from unnest(${sql.param(tags)}::text[]) tag`)
}

/** What a change of this kind is about; null for another change. */
export function readPrivateTag(tag: string | null, kind: Kind): string | null {
  return tag?.startsWith(`${kind}:`) ? tag.slice(kind.length + 1) : null
}

export function isPrivateTag(tag: string | null): boolean {
  return KINDS.some(kind => readPrivateTag(tag, kind) !== null)
}

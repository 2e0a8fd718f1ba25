import type { Pool, PoolClient } from 'pg'
import manifest from '../../package.json' with { type: 'json' }

/** This version of Piazza, such as `v1.2.3`. */
export const RELEASE = `v${manifest.version}`
/** The release before this one (CHANGELOG.md): processes of both may use one database at the same time. */
export const PREVIOUS_RELEASE = 'v0.1.0'

interface Recorded {
  release: string
  previous: string
}

/** This release and the one before it. */
const OWN: Recorded = { release: RELEASE, previous: PREVIOUS_RELEASE }
/** In the same schema as the list of migrations, which backups leave out. */
const TABLE = 'drizzle.newest_release'

/**
 * Throws an Error if the database was migrated by a release more than one step newer than `own`: columns or tables that
 * this process uses may have been dropped.
 */
export async function requireKnownRelease(connection: Pool | PoolClient, own = OWN): Promise<void> {
  const { rows: tables } = await connection.query<{ name: string | null }>('select to_regclass($1) as name', [TABLE])
  if (!tables[0]?.name) return
  const { rows } = await connection.query<Recorded>(`select release, previous from ${TABLE}`)
  const [newest] = rows
  if (newest && isOlderRelease(own.release, newest.previous))
    throw new Error(
      `it belongs to Piazza ${newest.release}, and this is ${own.release}: only ${newest.previous} and newer can use it`,
    )
}

/** Records that `own` has migrated the database, unless a newer release is recorded. */
export async function recordRelease(connection: Pool | PoolClient, own = OWN): Promise<void> {
  await connection.query(
    `create table if not exists ${TABLE} (
       is_newest boolean primary key default true check (is_newest), release text not null, previous text not null)`,
  )
  const { rows } = await connection.query<Recorded>(`select release, previous from ${TABLE}`)
  if (rows[0] && !isOlderRelease(rows[0].release, own.release)) return
  await connection.query(
    `insert into ${TABLE} (release, previous) values ($1, $2)
     on conflict (is_newest) do update set release = excluded.release, previous = excluded.previous`,
    [own.release, own.previous],
  )
}

export function isOlderRelease(release: string, than: string): boolean {
  const [own, other] = [release, than].map(each => each.replace(/^v/, '').split('.').map(Number))
  const at = own!.findIndex((part, index) => part !== other![index])
  return at >= 0 && own![at]! < other![at]!
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '#server/db/types.ts'
import { openDatabase } from '#server/db/database.ts'
import { type Media, openMedia } from '#server/media/store.ts'
import { createDatabase, startPostgres } from '../processes/postgres.ts'
import { type RunningShop, SHORT_LIVED, startShop } from './shop.ts'
import { layInto } from './snapshot.ts'

type Fill = (db: Db, media: Media) => Promise<void>

/** A shop without the demo. `fill` adds the test's data and pictures. */
export async function startSmallShop(
  fill: Fill,
  env: Record<string, string> = {},
  { isLongLived = false } = {},
): Promise<RunningShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'piazza-small-'))
  if (process.env.SNAPSHOT) await layInto(join(dataDir, 'db'), process.env.SNAPSHOT)
  await furnish(dataDir, fill)
  return startShop({ DEMO: 'off', ...env }, { dataDir, flags: isLongLived ? [] : SHORT_LIVED })
}

/** The same on a PostgreSQL of its own. */
export async function startPostgresShop(fill: Fill): Promise<RunningShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'piazza-small-'))
  const cluster = await startPostgres()
  try {
    const url = await createDatabase(cluster.url)
    await furnish(dataDir, fill, url)
    const shop = await startShop(
      { DEMO: 'off', DATABASE_URL: url, PAYMENT_PROVIDER: 'sandbox' },
      { dataDir, flags: SHORT_LIVED },
    )
    const stop = () => shop.stop().finally(cluster.stop)
    return { ...shop, stop }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function furnish(dataDir: string, fill: Fill, url?: string): Promise<void> {
  const database = await openDatabase({ folder: join(dataDir, 'db'), url })
  const media = openMedia({ folder: join(dataDir, 'media'), background: false })
  try {
    await fill(database.db, media)
  } finally {
    await media.close()
    await database.close()
  }
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '#server/db/types.ts'
import { openDatabase } from '#server/db/open.ts'
import { type Media, openMedia } from '#server/media/store.ts'
import { type Shop, SHORT_LIVED, startShop } from './shop.ts'
import { layInto } from './snapshot.ts'

/** A shop without the demo. `fill` adds the test's data and pictures. */
export async function startSmallShop(
  fill: (db: Db, media: Media) => Promise<void>,
  env: Record<string, string> = {},
  { isLongLived = false } = {},
): Promise<Shop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'piazza-small-'))
  if (process.env.SNAPSHOT) await layInto(join(dataDir, 'db'), process.env.SNAPSHOT)
  const database = await openDatabase({ folder: join(dataDir, 'db') })
  const media = openMedia({ folder: join(dataDir, 'media'), background: false })
  try {
    await fill(database.db, media)
  } finally {
    await media.close()
    await database.close()
  }
  return startShop({ DEMO: 'off', ...env }, { dataDir, flags: isLongLived ? [] : SHORT_LIVED })
}

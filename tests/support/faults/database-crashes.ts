import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { chownSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { inject, vi } from 'vitest'
import { PGliteStream } from '#server/db/pglite-stream.ts'
import type { Db } from '#server/db/types.ts'
import { startPostgres, unprivileged } from '../processes/postgres.ts'
import { startProvider } from '../provider/provider.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { layInto } from '../provider/snapshot.ts'

const LIMITS = 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m'
const DISK_MEGABYTES = 160

/** A shop whose database crashes, runs out of disk space, and recovers automatically. */
interface Crashing {
  provider: Awaited<ReturnType<typeof startProvider>>
  /** Resolves when the database is available again. */
  crash(): Promise<void>
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
  /** Stops the database for good. */
  end(): Promise<void>
}

/** Uses its own server with fsync: crashes must not affect other tests, and committed data must survive. */
export async function crashPostgres(): Promise<Crashing> {
  const cluster = await startPostgres({ fsync: true })
  const provider = await startProvider({ cluster: cluster.url, limits: LIMITS })
  const disk = mountSmallDisk(DISK_MEGABYTES)
  if (disk) await moveTables(provider.db, join(disk.folder, 'tables'))
  return {
    provider,
    crash: cluster.crash,
    ...fillable(provider.db, disk),
    async end() {
      await cluster.stop()
      disk?.remove()
    },
  }
}

/** Crashes the embedded database by ending its thread, as the watchdog does when it hangs. */
export async function crashEmbedded(): Promise<Crashing> {
  const disk = mountSmallDisk(DISK_MEGABYTES)
  const folder = await mkdtemp(join(disk?.folder ?? tmpdir(), 'piazza-crash-'))
  const snapshot = inject('snapshot')
  if (snapshot) await layInto(folder, snapshot)
  let current: PGliteStream | undefined
  const { connect } = PGliteStream.prototype
  const connecting = vi.spyOn(PGliteStream.prototype, 'connect').mockImplementation(function (this: PGliteStream) {
    current = connect.call(this)
    return current
  })
  const provider = await startProvider({ cluster: null, folder, limits: LIMITS })
  return {
    provider,
    async crash() {
      const closed = new Promise(resolve => current?.once('close', resolve))
      current?.destroy()
      await closed
    },
    ...fillable(provider.db, disk),
    async end() {
      connecting.mockRestore()
      await rm(folder, { recursive: true })
      disk?.remove()
    },
  }
}

/** Moves the tables to a small disk. The log stays: without space for it, PostgreSQL itself would stop. */
async function moveTables(db: Db, folder: string): Promise<void> {
  await mkdir(folder)
  const { uid, gid } = unprivileged()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  await db.execute(sql.raw(`create tablespace small location '${folder}'`))
  await db.execute(sql`alter table all in tablespace pg_default set tablespace small`)
  await db.execute(sql`alter index all in tablespace pg_default set tablespace small`)
}

/** If no small disk can be mounted, a trigger makes every order fail with the error for a full disk. */
function fillable(db: Db, disk: SmallDisk | null): Pick<Crashing, 'fillDisk' | 'freeDisk'> {
  if (disk) return { fillDisk: async () => disk.fill(), freeDisk: async () => disk.free() }
  return {
    async fillDisk() {
      await db.execute(sql`create or replace function disk_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
      await db.execute(sql`create trigger disk_full before insert on orders execute function disk_full()`)
    },
    freeDisk: async () => void (await db.execute(sql`drop trigger disk_full on orders`)),
  }
}

import { randomBytes } from 'node:crypto'
import { desc, ne, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { readProcessEvent, notifyProcesses } from '../db/process-events.ts'
import { signingKeys } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import type { Database, Db, Tx } from '../db/types.ts'
import { recordAudit } from './audit.ts'
import { ConflictError } from './errors.ts'
import { readKeyFiles } from './key-files.ts'
import { type Keys, type Secrets, secretsOf } from './secrets.ts'
import { openTurns } from './turns.ts'

interface Options {
  database: Pick<Database, 'db' | 'onChange'>
  /** The folder in which earlier versions kept keys; they are imported if the database has none. */
  folder: string
  log: Pick<Logger, 'warn'>
}

interface Key {
  secret: string
  signsFrom: Date
}

const KEY_BYTES = 32
/** Delay before a new key signs, so that every process knows it by then. */
const SPREAD_MS = 60_000
const RETRY_MS = 1000

/** The shop's signing keys. They are stored in the database, so that all processes share them and follow changes. */
export async function openSigningKeys({ database, folder, log }: Options): Promise<Secrets> {
  const { db, onChange } = database
  let keys = await readOrMake(db, folder)
  let used: { signing: Key; secrets: Secrets } | undefined
  // One after the other, so that the keys of the latest change remain.
  const { inTurn } = openTurns()

  async function reload(): Promise<void> {
    try {
      const found = await listKeys(db)
      if (found.length === 0) return
      keys = found
      used = undefined
    } catch (error) {
      log.warn({ err: error }, 'the signing keys could not be read again')
      setTimeout(() => void inTurn('keys', reload), RETRY_MS).unref()
    }
  }
  await onChange(tag => {
    if (tag === null || readProcessEvent(tag, 'keys') !== null) void inTurn('keys', reload)
  })
  // They may have changed before this process listened.
  await inTurn('keys', reload)

  return {
    keysFor(purpose) {
      const signing = signingOf(keys)
      if (used?.signing !== signing) used = { signing, secrets: secretsOf(...inOrder(signing, keys)) }
      return used.secrets.keysFor(purpose)
    },
  }
}

/** The newest key that may sign already; the oldest key if none may, because the clock was set back. */
function signingOf(keys: Key[]): Key {
  return keys.find(({ signsFrom }) => signsFrom.getTime() <= Date.now()) ?? keys.at(-1)!
}

function inOrder(signing: Key, keys: Key[]): Keys {
  const others = keys.filter(key => key !== signing)
  return [bytesOf(signing), ...others.map(bytesOf)]
}

function bytesOf({ secret }: Key): Uint8Array {
  return Buffer.from(secret, 'hex')
}

/** The keys whose signatures are accepted, newest first. */
export function listKeys(db: Db | Tx): Promise<(typeof signingKeys.$inferSelect)[]> {
  return db.select().from(signingKeys).orderBy(desc(signingKeys.signsFrom))
}

/** Reads the keys. If the database has none, imports those in the folder or creates one; only one process does so. */
async function readOrMake(db: Db, folder: string): Promise<Key[]> {
  const known = await listKeys(db)
  if (known.length > 0) return known
  const files = await readKeyFiles(folder)
  const secrets = files.length > 0 ? files : [newSecret()]
  return transact(db, async tx => {
    await lockKeys(tx)
    const meanwhile = await listKeys(tx)
    if (meanwhile.length > 0) return meanwhile
    const now = Date.now()
    await tx.insert(signingKeys).values(secrets.map((secret, at) => ({ secret, signsFrom: new Date(now - at) })))
    return listKeys(tx)
  })
}

/**
 * Adds a key. All processes accept its signatures at once and sign with it a minute later. Signatures of the previous
 * key stay valid; older keys are deleted. Throws a `ConflictError` while the newest key does not sign yet.
 */
export async function rotateKeys(db: Db): Promise<void> {
  await transact(db, async tx => {
    await lockKeys(tx)
    const [latest] = await listKeys(tx)
    if (latest && latest.signsFrom.getTime() > Date.now())
      throw new ConflictError('The keys were rotated less than a minute ago')
    if (latest) await tx.delete(signingKeys).where(ne(signingKeys.secret, latest.secret))
    await tx.insert(signingKeys).values({ secret: newSecret(), signsFrom: new Date(Date.now() + SPREAD_MS) })
    await notifyProcesses(tx, 'keys', ['rotated'])
    await recordAudit(tx, { event: 'keys_rotated', outcome: 'ok' })
  })
}

/** Replaces all keys at once, which invalidates every session and every signed token and URL. */
export async function revokeKeys(db: Db): Promise<void> {
  await transact(db, async tx => {
    await lockKeys(tx)
    await tx.delete(signingKeys)
    await tx.insert(signingKeys).values({ secret: newSecret(), signsFrom: new Date() })
    await notifyProcesses(tx, 'keys', ['revoked'])
    await recordAudit(tx, { event: 'keys_revoked', outcome: 'ok' })
  })
}

async function lockKeys(tx: Tx): Promise<void> {
  await tx.execute(sql`lock table ${signingKeys} in exclusive mode`)
}

function newSecret(): string {
  return randomBytes(KEY_BYTES).toString('hex')
}

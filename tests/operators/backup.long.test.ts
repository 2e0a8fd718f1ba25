import { type ChildProcess, execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { databaseIdOf, isRestored } from '#server/db/database-id.ts'
import { backUp } from '#server/operators/backup/backup.ts'
import { restore } from '#server/operators/backup/restore.ts'
import { versionOf } from '#server/operators/backup/rows.ts'
import { discountedCents } from '#contract/rules.ts'
import { readConfig } from '#server/config.ts'
import { listenForOperators } from '#server/operators/control.ts'
import type { Db } from '#server/db/types.ts'
import { openProvider, type Provider } from '#server/provider.ts'
import * as schema from '#server/db/schema.ts'
import { RELEASE } from '#server/db/release.ts'
import { recordAudit, verifyAudit } from '#server/platform/audit.ts'
import { readCart } from '#server/cart/cart-view.ts'
import { login } from '#server/accounts/customers.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { FIXTURES } from '#tests/support/catalogue/catalogue-file.ts'
import { addCustomers } from '#tests/support/provider/crowd.ts'
import { market } from '#tests/support/provider/market.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { typeCommand } from '#tests/support/provider/typing.ts'

const COMMAND_MS = 180_000
const KEPT = ['uploads/ab/letter', 'media/cd/picture']
const run = promisify(execFile)
const log = pino({ level: 'silent' })

const data = await makeShopData(inject('postgresUrl') ?? undefined)
const { dataDir, environment } = data
const file = join(dataDir, 'shop.tar.gz')
/** A second shop with an embedded database, whatever database the first one uses. */
const another = { ...environment, DATA_DIR: join(dataDir, 'another'), DATABASE_URL: '' }
let shop: Provider
let operators: Awaited<ReturnType<typeof listenForOperators>>
let token: string

beforeAll(async () => {
  shop = await openProvider(readConfig(environment), log, { isCommand: true })
  operators = await listenForOperators(shop, log)
  const { db } = shop.database
  await mkdir(join(dataDir, 'large-disk'))
  await symlink(join(dataDir, 'large-disk'), join(dataDir, 'media'))
  for (const name of KEPT) {
    await mkdir(dirname(join(dataDir, name)), { recursive: true })
    await writeFile(join(dataDir, name), name)
  }
  await addProduct(db, { name: 'Mug — “grün”\n\\', description: '<p>\t\u{1f375}\u2028\u2029\u0085</p>' })
  const [customer] = await addCustomers(db, 1100)
  token = (await shop.sessions.start(customer!)).token
  await recordAudit(db, { event: 'sold', outcome: 'ok', details: { amount: 12.5 } })
})
afterAll(async () => {
  await operators.close()
  await shop.close()
  await data.remove()
})

/** Returns all rows of the shop’s database except rate limits and the database’s own id, sorted. */
async function rowsOf(db: Db): Promise<Record<string, string[]>> {
  const tables = Object.values(schema).filter(each => is(each, PgTable) && each !== schema.rateLimits) as PgTable[]
  const held: Record<string, string[]> = {}
  for (const table of tables)
    held[getTableName(table)] = (await db.select().from(table)).map(row => JSON.stringify(row)).toSorted()
  const id = await databaseIdOf(db)
  held.facts = held.facts!.filter(row => !row.includes(id))
  return held
}

test(
  'a backup of a running shop can be restored completely into another data folder',
  { timeout: 4 * COMMAND_MS },
  async () => {
    const databaseId = await databaseIdOf(shop.database.db)
    expect(await market({ dataDir }, 'backup', file)).toMatch(/^[\d,]+ rows, pictures and files are in .* bytes\)\n$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(dirname(file))).filter(name => name.startsWith('.'))).toEqual([])
    // The disk of the shop may be full, so a backup writes no drafts to it.
    expect(await readdir(dataDir)).not.toContain('drafts')
    await expect(market({ dataDir }, 'backup', file)).rejects.toThrow(`${file} already exists`)
    const contested = join(dataDir, 'contested.tar.gz')
    const options = { db: shop.database.db, dataDir, file: contested, signal: new AbortController().signal }
    const twice = await Promise.allSettled([backUp(options), backUp(options)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await rm(contested)

    const into = { dataDir: another.DATA_DIR }
    const catalogue = join(FIXTURES, 'pottery.csv')
    await expect(market(into, 'restore', catalogue)).rejects.toThrow(`${catalogue} is no backup`)
    expect(await readdir(another.DATA_DIR)).toEqual(['drafts'])
    expect(await readdir(join(another.DATA_DIR, 'drafts'))).toEqual([])
    expect(await market(into, 'restore', file)).toMatch(
      /^[\d,]+ rows as of 20.*Z are in .* \(from Piazza v\d+\.\d+\.\d+\)\n$/,
    )

    const restored = await openProvider(readConfig(another), log, { isCommand: true })
    const { db } = restored.database
    expect(await rowsOf(db)).toEqual(await rowsOf(shop.database.db))
    for (const name of KEPT) expect(await readFile(join(another.DATA_DIR, name), 'utf8')).toBe(name)
    expect(await restored.sessions.identify(`Bearer ${token}`)).toMatchObject({ name: 'Ada Customer' })
    await recordAudit(db, { event: 'restored', outcome: 'ok' })
    expect(await databaseIdOf(db)).not.toBe(databaseId)
    expect(isRestored(await databaseIdOf(db))).toBe(true)
    expect(await verifyAudit(db)).toEqual({ count: 2, brokenAt: null, missing: 0 })
    await restored.close()
  },
)

test(
  'the next backup after a day removes the temporary files of a backup that was killed',
  { timeout: 4 * COMMAND_MS },
  async () => {
    const folder = await mkdtemp(join(dataDir, 'backups-'))
    const backup = (name: string, onStart?: (child: ChildProcess) => void) =>
      typeCommand(['backup', join(folder, name)], { env: another, ...(onStart && { onStart }) })
    const begun = async () => expect(await readdir(folder)).not.toEqual([])
    const killed = await backup('monday.tar.gz', child => {
      void vi.waitFor(begun, { timeout: COMMAND_MS, interval: 1 }).then(() => child.kill('SIGKILL'))
    })
    expect(killed.code).toBeNull()
    const left = await readdir(folder)
    expect(left).not.toEqual([])

    // The files may belong to another backup that is still running.
    expect(await backup('tuesday.tar.gz')).toMatchObject({ code: 0 })
    expect(await readdir(folder)).toEqual([...left, 'tuesday.tar.gz'].toSorted())
    const before = new Date(Date.now() - 25 * 3600_000)
    for (const name of left) await utimes(join(folder, name), before, before)
    expect(await backup('wednesday.tar.gz')).toMatchObject({ code: 0 })
    expect(await readdir(folder)).toEqual(['tuesday.tar.gz', 'wednesday.tar.gz'])
  },
)

test(
  'restoring a damaged archive, or one with symbolic links, fails and changes nothing',
  { timeout: 4 * COMMAND_MS },
  async () => {
    const changed = join(dataDir, 'changed')
    const cluster = inject('postgresUrl')
    const into = {
      dataDir: join(dataDir, 'damaged'),
      ...(cluster && { databaseUrl: await createDatabase(cluster) }),
    }
    const { signal } = new AbortController()
    await mkdir(changed)
    await run('tar', ['-xzf', file, '-C', changed])
    const attempt = async (reason: string) => {
      const archive = join(dataDir, 'changed.tar.gz')
      await run('tar', ['-czf', archive, '-C', changed, '.'])
      await expect(restore({ file: archive, ...into, signal })).rejects.toThrow(`${archive} is ${reason}`)
      expect(await readdir(into.dataDir)).toEqual(['drafts'])
      expect(await readdir(join(into.dataDir, 'drafts'))).toEqual([])
    }

    const users = join(changed, 'rows', 'users')
    const rows = await readFile(users, 'utf8')
    await writeFile(users, rows.slice(0, -20))
    await attempt('damaged: invalid input syntax for type json')
    await rm(users)
    await symlink('/etc/passwd', users)
    await attempt('no backup: in it, users is neither a file nor a folder')
  },
)

interface Sold {
  slug: string
  finalCents: number
  stock: number
  variants: number
}

/** Price, stock and number of variants of each product in an archive from before all products had variants. */
async function soldIn(archive: string): Promise<Sold[]> {
  const rowsIn = async <Row>(table: string) => {
    const { stdout } = await run('tar', ['-xzOf', archive, '--wildcards', `*rows/${table}`])
    return stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Row)
  }
  const variants = await rowsIn<{ product_id: string }>('variants')
  const products = await rowsIn<{ id: string; slug: string; price_cents: number; discount: number; stock: number }>(
    'products',
  )
  return products
    .map(({ id, slug, price_cents: priceCents, discount, stock }) => {
      const count = variants.filter(variant => variant.product_id === id).length
      return { slug, finalCents: discountedCents({ priceCents, discount }), stock, variants: Math.max(1, count) }
    })
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
}

async function soldBy(db: Db): Promise<Sold[]> {
  const { rows } = await db.execute<Sold & Record<string, unknown>>(sql`
    select slug, products.final_cents as "finalCents", sum(stock)::int as stock, count(*)::int as variants
    from products join variants on variants.product_id = products.id group by products.id order by slug collate "C"
  `)
  return rows
}

// One archive per kind of database: each test takes long.
const OLDER: { name: string; confirmedAt: Date | null }[] = inject('postgresUrl')
  ? // The migration counts customers from before as confirmed since they registered.
    [{ name: 'before-v0.1.0', confirmedAt: new Date('2025-10-03T12:00:00Z') }]
  : [{ name: 'v0.1.0', confirmedAt: null }]

test.each(OLDER)(
  'the archive $name of an older version is restored and migrated',
  { timeout: 4 * COMMAND_MS },
  async ({ name, confirmedAt }) => {
    const cluster = inject('postgresUrl')
    const into = {
      ...environment,
      DATA_DIR: join(dataDir, name),
      DATABASE_URL: cluster ? await createDatabase(cluster) : '',
    }
    const archive = join(FIXTURES, 'backups', `${name}.tar.gz`)
    const restored = await typeCommand(['restore', archive], { env: into })
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('(from Piazza v0.1.0)') as string })

    const older = await openProvider(readConfig(into), log, { isCommand: true })
    const { db } = older.database
    const ada = await login(
      { db, passwords: openPasswords() },
      { email: 'ada@customers.test', password: 'Piazza-2025!' },
    )
    expect(ada).toMatchObject({ id: 'ada', name: 'Ada Older' })
    expect(await db.select({ at: schema.users.emailConfirmedAt }).from(schema.users)).toEqual([{ at: confirmedAt }])
    // The older version did not know which variant of the mug it was.
    expect(await readCart(db, 'ada')).toMatchObject({
      groups: [],
      count: 2,
      outOfStock: [{ quantity: 2, agreedCents: 1999, isGone: false, product: { slug: 'river-mug' } }],
    })
    expect(await soldBy(db)).toEqual(await soldIn(archive))
    expect(await versionOf(db)).toBe(await versionOf(shop.database.db))
    await older.close()
  },
)

test('an archive of a newer version is rejected with that version’s name', { timeout: 4 * COMMAND_MS }, async () => {
  const newer = await mkdtemp(join(dataDir, 'newer-'))
  await run('tar', ['-xzf', join(FIXTURES, 'backups', 'v0.1.0.tar.gz'), '-C', newer])
  const into = join(dataDir, 'not-yet')
  const { signal } = new AbortController()
  const archive = join(dataDir, 'newer.tar.gz')
  const note = JSON.parse(await readFile(join(newer, 'piazza.json'), 'utf8')) as object
  for (const change of [{ version: 'unknown' }, { format: 2 }]) {
    await writeFile(join(newer, 'piazza.json'), JSON.stringify({ ...note, release: 'v99.0.0', ...change }))
    await run('tar', ['-czf', archive, '-C', newer, '.'])

    await expect(restore({ file: archive, dataDir: into, signal })).rejects.toThrow(
      `${archive} was made by a newer version of Piazza (v99.0.0) than this one (${RELEASE}): update Piazza, then restore it`,
    )
    expect(await readdir(into)).toEqual(['drafts'])
  }
})

test('an archive contains the version of Piazza that made it', async () => {
  const { stdout } = await run('tar', ['-xzOf', file, 'piazza.json'])

  expect(JSON.parse(stdout)).toMatchObject({ format: 1, release: RELEASE })
  expect(RELEASE).toMatch(/^v\d+\.\d+\.\d+$/)
})

test('a folder that is a link is named before anything is restored', { timeout: 4 * COMMAND_MS }, async () => {
  const { signal } = new AbortController()
  const cluster = inject('postgresUrl')
  const into = { dataDir: join(dataDir, 'linked'), ...(cluster && { databaseUrl: await createDatabase(cluster) }) }
  const link = join(into.dataDir, 'media')
  await mkdir(into.dataDir)
  await mkdir(join(dataDir, 'empty-disk'))
  await symlink(join(dataDir, 'empty-disk'), link)

  await expect(restore({ file, ...into, signal })).rejects.toThrow(`${link} is a link`)
  await rm(link)
  expect(await restore({ file, ...into, signal })).toMatchObject({ release: RELEASE })
  expect(await readFile(join(into.dataDir, KEPT[1]!), 'utf8')).toBe(KEPT[1])
})

test('a restore does not overwrite an existing shop', async () => {
  const { signal } = new AbortController()
  await expect(restore({ file, dataDir: another.DATA_DIR, signal })).rejects.toThrow('is not empty')
  const { DATABASE_URL: databaseUrl } = environment
  const [into, reason] = databaseUrl
    ? [{ dataDir: join(dataDir, 'fresh'), databaseUrl }, 'There is a shop already']
    : [{ dataDir }, `pid ${process.pid}`]
  await expect(restore({ file, ...into, signal })).rejects.toThrow(reason)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { socketPath } from '#server/platform/operators-socket.ts'
import { listenForOperators } from '#server/operators/control.ts'
import { orders, products, users } from '#server/db/schema.ts'
import { acquireLock } from '#server/platform/lock.ts'
import { readHoldLimits } from '#server/orders/hold-limits.ts'
import { placeOrder } from '#server/orders/placing.ts'
import { FIXTURES, sheet } from '#tests/support/catalogue/catalogue-file.ts'
import { addShippable, KENYA, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { layInto } from '#tests/support/provider/snapshot.ts'
import { type Ended, openForOperators, typeCommand, type Typing } from '#tests/support/provider/typing.ts'

const POTTERY = join(FIXTURES, 'pottery.csv')
const COMMAND_MS = 180_000
let folder: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-market-'))
  environment = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: '',
    PUBLIC_URL: 'https://shop.example',
  }
})
afterAll(() => rm(folder, { recursive: true }))

function market(words: string[], { env, ...typing }: Typing = {}): Promise<Ended> {
  return typeCommand(words, { ...typing, env: { ...environment, ...env } })
}

describe('the operator’s commands without a running shop', { timeout: 6 * COMMAND_MS }, () => {
  test('import, change, export and examine the data folder', async () => {
    const imported = await market(['import', POTTERY, '--no-pictures', '--shipping', 'Kenya=5,united states=7.5'])
    expect(imported).toEqual({
      code: 0,
      out: [
        '5 products: 5 new, 0 changed, 0 as they were',
        'They are in 3 shops: clay-kiln, unnamed-shop, north-pottery (--shop NAME puts a whole file into one)',
        '1 product is hidden, as the file says',
        '2 products have no picture: plain-bowl, river-mug-north-pottery (name one in the file)',
        '',
      ].join('\n'),
      err: "warning: shoppers do not see what is in the column 'Glaze'; an export as Shopify writes it again\n",
    })

    const set = await market(['product', 'set', 'salt-pig', 'price=40', 'discount=12.5', 'stock=3', 'hidden=true'])
    expect(set).toEqual({
      code: 0,
      out: 'salt-pig: $35.00 ($40.00 less 12.5 %), 3 in stock, sold without stock too, hidden\n',
      err: '',
    })

    const { code, out } = await market(['export', '--format', 'json'])
    expect(code).toBe(0)
    const records = JSON.parse(out) as { type: string; slug?: string; name?: string }[]
    expect(records.find(({ slug }) => slug === 'salt-pig')).toMatchObject({
      price: 40,
      discount: 12.5,
      stock: 3,
      hidden: true,
      variants: [{ price: 40, discount: 12.5, stock: 3, sku: 'SP-1', sellsWithoutStock: true }],
    })
    expect(records.find(({ name }) => name === 'Clay & Kiln')).toMatchObject({
      shipping: { Kenya: 5, 'United States': 7.5 },
    })

    const doctor = await market(['doctor'])
    expect(doctor.code).toBe(1)
    expect(doctor.out).toMatch(/^PROBLEM 3 visible products have no picture$/m)
    expect(doctor.out).toMatch(/^ok {6}0 visible products ship nowhere$/m)
    expect(doctor.out).toMatch(/^ok {6}\d+ audit events? in an unbroken chain$/m)
    expect(doctor.out).toMatch(/^ok {6}The data folder .* has mode 700$/m)
  })

  test('report a bad row, import the other rows and exit with code 1', async () => {
    const bad = 'cli-bad,Bad,Cli,"1,299.00\u001B[2J"'
    const text = sheet('Handle,Title,Vendor,Variant Price,Variant Inventory Qty', 'cli-good,Good,Cli,5,0', `${bad},1`)
    expect(await market(['import', '-', '--no-pictures'], { input: text })).toEqual({
      code: 1,
      out: [
        '1 product: 1 new, 0 changed, 0 as they were',
        '1 line could not be used',
        "1 product has no stock: cli-good ('product set SLUG stock=5')",
        '1 product has no picture: cli-good (name one in the file)',
        "1 product ships nowhere: cli-good (give their shops rates with 'seller shipping SHOP Kenya=5', or import with --shipping Kenya=5)",
        '',
      ].join('\n'),
      err: "line 3: Variant Price '1,299.00 [2J' is not an amount such as 1299.00\n",
    })
  })

  test('say that a folder had no shop when they have made one, unless they add the first goods', async () => {
    const env = { DATA_DIR: join(folder, 'mistaken') }
    const listed = await market(['order', 'list', '--to-ship'], { env })
    expect(listed).toMatchObject({ code: 0, err: `There was no shop in ${env.DATA_DIR}: a new one was created\n` })
    const added = await market(['seller', 'add', 'Clay'], { env: { DATA_DIR: join(folder, 'begun') } })
    expect(added).toMatchObject({ code: 0, err: '' })
  })

  test('a backup of a folder without a shop writes no archive and says where it looked', async () => {
    const file = join(folder, 'empty.tar.gz')
    const env = { DATA_DIR: join(folder, 'empty') }

    const { code, out, err } = await market(['backup', file], { env })

    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(
      `There is no shop in ${env.DATA_DIR}: give DATA_DIR and DATABASE_URL the values that the shop has\n`,
    )
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test('report an invalid key file and end', async () => {
    const dataDir = join(folder, 'bad-key')
    await mkdir(join(dataDir, 'secrets'), { recursive: true })
    await writeFile(join(dataDir, 'secrets', 'current.key'), 'no key')
    await layInto(join(dataDir, 'db'), inject('snapshot')!)

    const { code, err } = await market(['doctor'], { env: { DATA_DIR: dataDir } })

    expect(code).toBe(1)
    expect(err).toMatch(/current\.key is not a key/)
  })

  test.each(['taken', 'taken/data', '/proc/piazza'])('report that %s cannot be used as a data folder', async name => {
    await writeFile(join(folder, 'taken'), '')
    const dataDir = resolve(folder, name)

    const { code, err } = await market(['doctor'], { env: { DATA_DIR: dataDir } })

    expect(code).toBe(1)
    expect(err).toMatch(new RegExp(`^The data folder ${dataDir} cannot be used: .+\\n$`))
  })

  test('name the file that cannot be opened', async () => {
    const path = join(folder, 'no-file.csv')
    const server = createServer().listen(path)
    await once(server, 'listening')

    const { code, err } = await market(['import', path])

    server.close()
    expect(code).toBe(1)
    expect(err).toMatch(/^[A-Z]+: .*, open '.*no-file\.csv'\n$/)
  })

  test('do not use a data folder that another process has locked', async () => {
    const lock = await acquireLock(environment['DATA_DIR'] ?? '')
    const { code, err } = await market(['product', 'set', 'salt-pig', 'stock=1'])
    lock.release()
    expect(code).toBe(1)
    expect(err).toContain(`pid ${process.pid}`)
  })
})

test('a mistyped command exits with code 2 and prints the reason and help', { timeout: COMMAND_MS }, async () => {
  const { code, out, err } = await market(['product', 'set', 'x', 'price=1,299.00'])
  expect({ code, out, reason: err.split('\n')[0] }).toEqual({
    code: 2,
    out: '',
    reason: "price '1,299.00' is not an amount such as 1299.00",
  })
  expect(err).toContain('Usage: market product set')
})

describe('the operator’s commands with a running shop', { timeout: 6 * COMMAND_MS }, () => {
  let shop: Awaited<ReturnType<typeof openForOperators>>
  beforeAll(async () => {
    const dataDir = environment['DATA_DIR'] ?? ''
    // A crash leaves a socket behind on which no process listens.
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const listens = `require('net').createServer().listen(${JSON.stringify(socketPath(dataDir))}, () => process.kill(process.pid, 'SIGKILL'))`
    await once(spawn(process.execPath, ['-e', listens], { stdio: 'ignore' }), 'exit')
    shop = await openForOperators(environment)
  })
  afterAll(() => shop.close())

  test('use a socket that only this system account can access', async () => {
    expect((await stat(socketPath(shop.config.dataDir))).mode & 0o777).toBe(0o600)
  })

  test('run in the shop, which is notified of their changes before they end', async () => {
    const tags: (string | null)[] = []
    await shop.database.onChange(tag => tags.push(tag))
    expect(
      await market(['import', '-', '--no-pictures'], { input: sheet('Handle,Title,Variant Price', 'live,Live,5') }),
    ).toMatchObject({ code: 0 })
    const [live] = (await shop.database.db.select().from(products)).filter(({ handle }) => handle === 'live')
    expect(tags).toContain(`product:${live?.id}`)

    tags.length = 0
    expect(await market(['product', 'set', 'live', 'price=6'])).toMatchObject({
      code: 0,
      out: 'live: $6.00, 100 in stock, visible\n',
    })
    expect(tags).toContain(`product:${live?.id}`)
    expect(await market(['product', 'set', 'gone', 'stock=1'])).toEqual({
      code: 1,
      out: '',
      err: "No product has the slug 'gone': 'product list TEXT' finds it by a part of its name\n",
    })
  })

  test('add, verify and set shipping rates of shops', async () => {
    expect(await market(['seller', 'add', 'Fish & Sons', '--description', 'Fresh'])).toMatchObject({
      out: "Added the shop 'fish-sons'\n",
    })
    expect(await market(['seller', 'add', 'Fish & Sons'])).toMatchObject({
      code: 1,
      err: "There is a shop 'fish-sons' already\n",
    })
    expect(await market(['seller', 'verify', 'Fish & Sons'])).toMatchObject({ out: 'Fish & Sons is verified now\n' })
    expect(await market(['seller', 'shipping', 'fish-sons', 'Kenya=5', 'Ghana=7.5'])).toMatchObject({
      out: 'Fish & Sons ships to Ghana for $7.50, Kenya for $5.00\n',
    })
  })

  test('list, show, ship, deliver and refund an order', async () => {
    const { db } = shop.database
    await db
      .insert(users)
      .values({ id: 'rosa', name: 'Rosa', email: 'rosa@x.test', passwordHash: '', emailConfirmedAt: new Date() })
    const product = await addShippable(db, { name: 'Teapot', shopName: 'Clay' })
    const shippingInfo = { ...KENYA, name: 'Rosa\u001B[31m\r\nPaid', city: 'Nai\u202Erobi' }
    const wanted = orderOf('rosa', [product], { shippingInfo })
    const id = await placeOrder({ db, jobs: shop.jobs, holdLimits: readHoldLimits() }, 'rosa', wanted)
    expect(await market(['order', 'ship', id])).toMatchObject({ code: 1, err: 'This order is not paid yet\n' })
    await payOrder(db, shop.jobs, { _id: id, priceCents: wanted.priceCents })

    const listed = await market(['order', 'list', '--status', 'placed'])
    expect(listed.out).toMatch(
      new RegExp(`^PZ-\\w{6}  ${id}  \\S+  placed     paid            \\$24\\.99  rosa@x\\.test$`, 'm'),
    )
    const { out } = await market(['order', 'show', id])
    expect(out).toContain(` (${id}): placed, paid, $24.99 with $5.00 shipping\n`)
    expect(out).toContain('  1. 1 × Teapot\n')
    expect(out).toContain('\nTo Rosa [31m Paid, 12 Analytical Lane, Westlands, 00100 Nai robi, ')
    expect(await market(['order', 'ship', id, '--shop', 'Clay'])).toMatchObject({ out: `${id} is shipped by Clay\n` })
    expect(await market(['order', 'deliver', id])).toMatchObject({ out: `${id} is delivered by Clay\n` })
    expect(await market(['order', 'cancel', id])).toMatchObject({ code: 1 })
    expect(await market(['order', 'refund', id])).toMatchObject({ out: `${id} is refund_pending\n` })
    expect(await market(['order', 'show', 'nothing'])).toMatchObject({ code: 1, err: 'There is no such order\n' })
    expect((await market(['doctor'])).out).toMatch(/^ok {6}Orders, stock and payments add up$/m)
    await db.update(orders).set({ priceCents: 1 }).where(eq(orders.id, id))
    expect((await market(['doctor'])).out).toMatch(new RegExp(`^PROBLEM order ${id}: its sellers’ parts`, 'm'))
  })

  test('create a customer’s access token for API tests', async () => {
    const { db } = shop.database
    await db.insert(users).values({ name: 'Ada', email: 'ada@x.test', passwordHash: '' })
    const { code, out } = await market(['user', 'token', 'Ada@X.test'])

    expect(code).toBe(0)
    expect(await shop.sessions.identify(`Bearer ${out.trim()}`)).toMatchObject({ name: 'Ada', email: 'ada@x.test' })
    expect(await market(['user', 'token', 'grace@x.test'])).toEqual({
      code: 1,
      out: '',
      err: 'No customer has the address grace@x.test\n',
    })
  })

  test('confirm a customer’s email address', async () => {
    const { db } = shop.database
    const [eve] = await db.insert(users).values({ name: 'Eve', email: 'eve@x.test', passwordHash: '' }).returning()

    expect(await market(['user', 'confirm', 'Eve@X.test'])).toMatchObject({ code: 0, out: 'eve@x.test is confirmed\n' })

    const [confirmed] = await db.select().from(users).where(eq(users.id, eve!.id))
    expect(confirmed?.emailConfirmedAt).toBeInstanceOf(Date)
    expect(await market(['user', 'confirm', 'eve@x.test'])).toMatchObject({ out: 'eve@x.test is confirmed already\n' })
    expect(await market(['user', 'confirm', 'nobody@x.test'])).toMatchObject({ code: 1 })
  })

  test('cannot be taken over by a second shop', async () => {
    await expect(listenForOperators(shop, pino({ level: 'silent' }))).rejects.toThrow('Another process listens')
  })
})

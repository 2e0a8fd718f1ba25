import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runDoctor } from '#server/operators/cli/doctor.ts'
import type { AppContext, Terminal } from '#server/operators/cli/app-context.ts'
import { readConfig } from '#server/config.ts'
import {
  cartLines,
  categories,
  conversations,
  messages,
  orderLines,
  orderSteps,
  payments,
  platformBanners,
  products,
  refunds,
  savedLines,
  sellers,
  users,
} from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { type Media, openMedia } from '#server/media/store.ts'
import { expireAttempt, settle } from '#server/payments/settling.ts'
import { checkCharge } from '#server/payments/charges.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import type { PaymentProvider } from '#server/payments/providers/payment-provider.ts'
import { addOrder, addProduct, addReview, addSeller, picture, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { addAttempt, addShippable, orderOf, payOrder, reportOf, withoutJobs } from '#tests/support/provider/ordering.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

let provider: Provider
let dataDir: string
let media: Media

beforeAll(async () => {
  provider = await startProvider()
  dataDir = await mkdtemp(join(tmpdir(), 'piazza-examination-'))
  media = openMedia({ folder: join(dataDir, 'media'), background: false })
})
afterAll(async () => {
  await media.close()
  await rm(dataDir, { recursive: true })
  await provider.close()
})

/** The text that the doctor command prints for the operator. */
async function doctor(config = provider.config, isListing = false): Promise<string> {
  let said = ''
  const context: AppContext = { ...provider, media, config: { ...config, dataDir } }
  const terminal = { out: async (text: string) => void (said += text) } as unknown as Terminal
  await runDoctor(context, terminal, { isListing })
  return said
}

/** Stores a unique picture and dates it two hours back. */
async function oldPicture(red: number) {
  const square = sharp({ create: { width: 8, height: 8, channels: 3, background: { r: red, g: 0, b: 0 } } })
  const { hash } = await media.store(await square.png().toBuffer())
  const before = new Date(Date.now() - 2 * 3600_000)
  await utimes(folderOf(hash), before, before)
  return { hash }
}

function folderOf(hash: string): string {
  return join(dataDir, 'media', hash.slice(0, 2), hash.slice(2))
}

async function bytesIn(folder: string): Promise<number> {
  const found = (await readdir(folder)).map(async name => (await stat(join(folder, name))).size)
  return (await Promise.all(found)).reduce((sum, size) => sum + size, 0)
}

test('counts pictures that a database row names but that are missing from the media folder', async () => {
  expect(await doctor()).toMatch(/^ok {6}0 pictures are named but not in /m)
  await addProduct(provider.db, { pictures: [picture('nowhere'), { source: 'https://pictures.example/later.jpg' }] })
  expect(await doctor()).toMatch(/^PROBLEM 1 picture is named but not in /m)
})

test('lists pictures that no database row names, with their size', async () => {
  const { db } = provider
  const banner = async (red: number) => ({ title: 'Sale', description: '', picture: await oldPicture(red) })
  const seller = await addSeller(db, { picture: await oldPicture(1), banner: await banner(2) })
  const shown = { pictures: [await oldPicture(3), await oldPicture(4)], banner: await banner(5) }
  const product = await addProduct(db, { sellerId: seller.id, ...shown })
  await db.insert(categories).values({ name: 'Seen', picture: await oldPicture(6) })
  await db.insert(platformBanners).values({ position: 1, ...(await banner(7)) })
  await db.insert(users).values({ id: 'ada', name: 'Ada', email: 'ada@x.test', passwordHash: '' })
  const snapshot = { ...product, picture: await oldPicture(8) }
  await db
    .insert(cartLines)
    .values({ userId: 'ada', productId: 'gone', variantId: 'gone', quantity: 1, agreedCents: 1, snapshot })
  const put = { ...product, picture: await oldPicture(11) }
  await db
    .insert(savedLines)
    .values({ userId: 'ada', productId: 'gone', variantId: 'gone', quantity: 1, agreedCents: 1, snapshot: put })
  await addOrder(db, product)
  await db.update(orderLines).set({ snapshot: { ...product, picture: await oldPicture(9) } })
  const [chat] = await db.insert(conversations).values({ userId: 'ada', sellerId: seller.id }).returning()
  const card = { kind: 'product', id: 'gone', name: 'Gone', priceCents: 1, path: '/product/gone' } as const
  const about = { ...card, picture: await oldPicture(12) }
  await db.insert(messages).values({ conversationId: chat!.id, seq: 1, sender: 'customer', text: 'This?', about })
  expect(await doctor()).toMatch(/^ok {6}0 pictures in .* that nothing names take 0 bytes$/m)

  const orphan = folderOf((await oldPicture(10)).hash)
  // A picture stored just now is not listed: its database row may follow.
  await media.store(
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'blue' } })
      .png()
      .toBuffer(),
  )
  expect(await doctor()).toContain(
    `ok      1 picture in ${join(dataDir, 'media')} that nothing names take ${await bytesIn(orphan)} bytes\n          ${orphan}\n`,
  )
})

test('counts ratings and review counts that differ from the reviews', async () => {
  expect(await doctor()).toMatch(/^ok {6}0 ratings, prices or counts differ/m)
  const { id } = await addProduct(provider.db, { shopName: 'Another' })
  await addReview(provider.db, id)
  expect(await doctor()).toMatch(/^PROBLEM 1 rating, price or count differs/m)
})

test('lists products with a stock below zero and products without a shop or category', async () => {
  const { db } = provider
  expect(await doctor()).toMatch(/^ok {6}0 products have a stock below zero$/m)
  expect(await doctor()).toMatch(/^ok {6}0 products are of a shop or category that is not there$/m)
  const lost = await addProduct(db, { stock: 1 })
  const sold = await addProduct(db, { stock: 1 })
  // As after manual changes to the database.
  await transact(db, async tx => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.delete(sellers).where(eq(sellers.id, lost.sellerId))
    await tx.execute(sql`alter table variants drop constraint variants_stock`)
    await setVariants(tx, sold, { stock: -1 })
  })
  expect(await doctor()).toContain(`PROBLEM 1 product has a stock below zero\n          ${sold.slug}\n`)
  expect(await doctor()).toContain(
    `PROBLEM 1 product is of a shop or category that is not there\n          ${lost.slug}\n`,
  )
})

test('reports a check that fails and still runs the other checks', async () => {
  const rename = (from: string, to: string) =>
    provider.db.execute(sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`)
  await rename('order_steps', 'elsewhere')
  const said = await doctor()
  await rename('elsewhere', 'order_steps')
  expect(said).toMatch(/^PROBLEM The orders could not be examined: relation "order_steps" does not exist$/m)
  expect(said).toMatch(/^ok {6}\d+ products? of \d+ shops?$/m)
  expect(said).toMatch(/^ok {6}\d+ audit events? in an unbroken chain$/m)
})

test('lists payments that never settled and refunds that wait for more than a day', async () => {
  const { db, jobs } = provider
  const ada = await provider.customer()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))
  const { order } = await ada.api.getOrder({ orderId })
  const [lapsed, owed] = [await addAttempt(db, order), await addAttempt(db, order)]
  expect(await doctor()).toMatch(/^ok {6}0 payments were never settled in the last month$/m)
  expect(await doctor()).toMatch(/^ok {6}0 refunds wait for more than a day$/m)

  await settle(db, jobs, lapsed.id, reportOf(lapsed, { status: 'processing' }))
  await expireAttempt(db, lapsed.id)
  await settle(db, jobs, owed.id, reportOf(owed, { amountCents: 1 }))
  expect(await doctor()).toMatch(/^ok {6}0 refunds wait for more than a day$/m)
  await db.update(orderSteps).set({ at: new Date(Date.now() - 25 * 3600_000) })

  const about = ({ reference }: typeof lapsed) =>
    `\n          ${reference} by sandbox, for order ${orderId} of $24.99\n`
  expect(await doctor()).toContain(`WAITING 1 payment was never settled in the last month${about(lapsed)}`)
  expect(await doctor()).toContain(`PROBLEM 1 refund waits for more than a day${about(owed)}`)
})

async function placePaidOrder() {
  const { db, jobs } = provider
  const ada = await provider.customer()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))
  const attempt = await payOrder(db, jobs, (await ada.api.getOrder({ orderId })).order)
  return { ada, orderId, attempt }
}

test('lists a part of a payment whose refund waits for more than a day', async () => {
  const { db, jobs } = provider
  const { orderId, attempt } = await placePaidOrder()
  const isListed = async () => (await doctor()).includes(`${attempt.reference} by sandbox, for order ${orderId} of`)
  await refundPart(db, withoutJobs(jobs), orderId, 500)
  expect(await isListed()).toBe(false)

  await db
    .update(refunds)
    .set({ createdAt: new Date(Date.now() - 25 * 3600_000) })
    .where(eq(refunds.attemptId, attempt.id))
  expect(await isListed()).toBe(true)

  await db.update(refunds).set({ paidAt: new Date() }).where(eq(refunds.attemptId, attempt.id))
  expect(await isListed()).toBe(false)
})

test('lists payments that the customer’s bank disputes', async () => {
  const { paymentContext } = provider
  const { orderId, attempt } = await placePaidOrder()
  expect(await doctor()).toMatch(/^ok {6}0 payments were disputed in the last month$/m)

  const disputing = {
    ...(paymentContext.provider as PaymentProvider),
    readCharge: async () => ({ status: 'disputed' as const, returnedCents: 0, lostCents: 0, failedCents: 0 }),
  }
  await checkCharge({ ...paymentContext, provider: disputing }, attempt.id)

  expect(await doctor()).toContain(
    `WAITING 1 payment was disputed in the last month\n          ${attempt.reference} by sandbox, for order ${orderId} of $24.99\n`,
  )
})

test('lists refunds that a bank has sent back', async () => {
  const { db, jobs, paymentContext } = provider
  const { ada, orderId, attempt } = await placePaidOrder()
  await refundPart(db, jobs, orderId, 500)
  await vi.waitFor(
    async () => expect((await ada.api.getOrder({ orderId })).order).toMatchObject({ refundedCents: 500 }),
    PATIENCE,
  )
  await db.update(payments).set({ createdAt: new Date(Date.now() - 2 * 3600_000) })
  expect(await doctor()).toMatch(/^ok {6}0 refunds were returned by a bank in the last month$/m)

  const bounced = {
    ...(paymentContext.provider as PaymentProvider),
    readCharge: async () => ({ status: 'kept' as const, returnedCents: 0, lostCents: 0, failedCents: 500 }),
  }
  await checkCharge({ ...paymentContext, provider: bounced }, attempt.id)

  expect(await doctor()).toContain(
    `WAITING 1 refund was returned by a bank in the last month\n          ${attempt.reference} by sandbox, for order ${orderId} of $24.99\n`,
  )
})

test('lists customers whose unpaid orders hold half of the limit or more', async () => {
  const { db, newcomer } = provider
  expect(await doctor()).toMatch(/^ok {6}0 customers reach at least half of a limit for unpaid orders$/m)
  const [ada, eve, grace] = [await provider.customer(), await newcomer(), await newcomer()]
  const kite = await addShippable(db, { stock: 1000, priceCents: 100 })
  for (const [{ id, api }, quantity] of [
    [ada, 60],
    [eve, 9],
    [grace, 4],
  ] as const)
    await api.placeOrder(orderOf(id, [{ product: kite, quantity }]))

  expect(await doctor()).toContain(
    `ok      2 customers reach at least half of a limit for unpaid orders
          ${ada.email}: 60 units for $65.00 in 1 order
          ${eve.email} (not confirmed): 9 units for $14.00 in 1 order
`,
  )
})

test('reports that customers get no mail when SMTP_URL is not set', async () => {
  expect(await doctor(readConfig({ PUBLIC_URL: 'https://shop.example' }))).toMatch(
    /^PROBLEM Customers get no mail: set SMTP_URL\./m,
  )
  expect(await doctor(readConfig({}))).not.toContain('SMTP_URL')
})

test('reports a sender of mails that servers refuse, and links in mails that lead nowhere', async () => {
  const mailed = { DATABASE_URL: 'postgres://db/piazza', SMTP_URL: 'smtp://mail.example' }
  const found = await doctor(readConfig(mailed))
  expect(found).toMatch(/^PROBLEM Mails come from support@piazza\.example, .*: set SUPPORT_EMAIL\.$/m)
  expect(found).toMatch(/^PROBLEM Links in mails lead to http:\/\/localhost:4321, .*: set PUBLIC_URL\.$/m)
  const own = { PUBLIC_URL: 'https://shop.example', SUPPORT_EMAIL: 'help@shop.example' }
  expect(await doctor(readConfig({ ...mailed, ...own }))).not.toMatch(/mails/i)
})

test('names the counted products when the operator asks for the list', async () => {
  const { db } = provider
  const shop = await addSeller(db, { isHidden: true })
  await addProduct(db, { slug: 'hidden-with-its-shop', sellerId: shop.id })
  for (let at = 10; at < 35; at += 1) await addProduct(db, { slug: `nowhere-${at}` })
  const { id } = await addProduct(db, { slug: 'miscounted', shippingPrices: { Kenya: 500 } })
  await addReview(db, id)
  const repriced = await addProduct(db, { slug: 'repriced', shippingPrices: { Kenya: 500 } })
  await db.update(products).set({ priceCents: 1 }).where(eq(products.id, repriced.id))
  const findings = (text: string) =>
    Map.groupBy(text.split(/\n(?=PROBLEM|ok {5})/), line => /ships? nowhere|no picture|differs?/.exec(line)?.[0])

  expect(await doctor()).not.toContain('nowhere-10')
  const named = findings(await doctor(provider.config, true))

  for (const finding of ['ship nowhere', 'no picture'])
    expect(named.get(finding)?.[0]).toContain('\n          nowhere-34')
  expect(named.get('ship nowhere')?.[0]).not.toContain('miscounted')
  for (const slug of ['miscounted', 'repriced']) expect(named.get('differ')?.[0]).toContain(`\n          ${slug}`)
  expect(named.get('no picture')?.[0]).not.toContain('hidden-with-its-shop')
})

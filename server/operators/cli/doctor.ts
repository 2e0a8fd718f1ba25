import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { count, sql } from 'drizzle-orm'
import { mailProblems } from '#server/config.ts'
import { databaseIdOf } from '#server/db/database-id.ts'
import { reasonOf } from '#server/db/errors.ts'
import type { Db } from '#server/db/types.ts'
import { products, sellers } from '#server/db/schema.ts'
import { listPictureless } from '#server/catalogue/files/pictures.ts'
import { verifyAudit } from '#server/platform/audit.ts'
import { examinePictures, findImpossible, listMiscounted } from '../data-checks.ts'
import { findLargeHolders } from '#server/orders/held-units.ts'
import { checkInvariants } from '#server/orders/invariants.ts'
import { findLateParcels, findUnsentParts } from '#server/orders/late-parcels.ts'
import {
  type DoubtfulPayment,
  findBounced,
  findDisputed,
  findLapsed,
  findLateRefunds,
  findOverpaid,
} from '#server/payments/doubtful-payments.ts'
import { countReported } from '#server/catalogue/review-feedback.ts'
import { countEscalated } from '#server/returns/listing.ts'
import { listUnshippable } from '#server/catalogue/shipping.ts'
import { singleLine } from '#server/platform/single-line.ts'
import { sumBy } from '#server/platform/sum.ts'
import { openBucketFiles } from '#server/uploads/file-store.ts'
import { FOREIGN_BUCKET, isForeignBucket } from '#server/uploads/uploads.ts'
import { plainDollars } from '#server/platform/usd.ts'
import { socketPath } from '#server/platform/operators-socket.ts'
import { many } from './describe.ts'
import { checkConnections, type Finding } from './doctor-connections.ts'
import type { AppContext, Terminal } from './app-context.ts'

/** The shop runs on the Node in node_modules; the operator's own, which only installs it, may be older. */
const OLDEST_NODE = 24
const MAX_TOLD = 20
/** Shown for PostgreSQL's locale C, which knows only ASCII letters. */
const LETTERLESS =
  'The database’s locale does not know letters such as Ü, so searches miss words: create the database with LOCALE C.UTF-8'

interface Options {
  /** Whether each product and late parcel that a finding counts is named. */
  isListing: boolean
}

/**
 * Examines the installation: prints a line for each finding and returns exit code 1 if one is a problem. Prints no
 * secrets.
 */
export async function runDoctor(context: AppContext, terminal: Terminal, options: Options): Promise<number> {
  const findings = [
    nodeVersion(),
    mailSettings(context),
    await folderMode('The data folder', context.config.dataDir, 0o700),
    await folderMode('The operators’ socket', socketPath(context.config.dataDir), 0o600),
    ...(await reportFailure('The connections', () => checkConnections(context))),
    ...(await context.database.unhurried(db => checkRows(db, context, options))),
  ].flatMap(finding => finding ?? [])
  for (const { mark, text } of findings) await terminal.out(`${mark.padEnd('PROBLEM'.length)} ${text}\n`)
  return findings.some(({ mark }) => mark === 'PROBLEM') ? 1 : 0
}

function nodeVersion(): Finding {
  const [major] = process.versions.node.split('.')
  return findingIf(Number(major) < OLDEST_NODE, 'PROBLEM', `Node ${process.versions.node}`)
}

function mailSettings({ config }: AppContext): Finding[] {
  return mailProblems(config).map(text => ({ text, mark: 'PROBLEM' }))
}

async function folderMode(name: string, path: string, wanted: number): Promise<Finding | null> {
  const found = await stat(path).catch(() => null)
  if (!found) return null
  const mode = found.mode & 0o777
  const isOpen = (mode & ~wanted) !== 0
  const advice = isOpen ? `: chmod ${wanted.toString(8)} it` : ''
  return findingIf(isOpen, 'PROBLEM', `${name} ${path} has mode ${mode.toString(8)}${advice}`)
}

/** Call it with an unhurried `db`: in a large shop, these queries may exceed the usual time limit. */
async function checkRows(db: Db, context: AppContext, options: Options): Promise<Finding[]> {
  return [
    ...(await reportFailure('The catalogue', () => catalogue(db, context, options))),
    ...(await reportFailure('The pictures', () => pictures(db, context))),
    ...(await reportFailure('The bucket', () => bucketOwner(db, context))),
    ...(await reportFailure('The orders', () => customerOrders(db))),
    ...(await reportFailure('The unpaid orders', () => unpaidOrders(db, context))),
    ...(await reportFailure('The parcels', () => lateParcels(db, options))),
    ...(await reportFailure('The returns', () => escalatedReturns(db))),
    ...(await reportFailure('The reviews', () => reportedReviews(db))),
    ...(await reportFailure('The payments', () => payments(db))),
    ...(await reportFailure('The audit', () => audit(db))),
  ]
}

/** Turns a failed examination into a finding, so that the others still run. */
async function reportFailure(what: string, examined: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examined()
  } catch (error) {
    return [{ text: `${what} could not be examined: ${reasonOf(error)}`, mark: 'PROBLEM' }]
  }
}

async function audit(db: Db): Promise<Finding[]> {
  const { count, brokenAt, missing } = await verifyAudit(db)
  if (brokenAt !== null)
    return [{ text: `The audit was changed: its chain breaks at event ${brokenAt}`, mark: 'PROBLEM' }]
  if (missing > 0)
    return [
      {
        text: `The audit was truncated: ${many(missing, 'event is', 'events are')} missing at its end`,
        mark: 'PROBLEM',
      },
    ]
  return [{ text: `${many(count, 'audit event')} in an unbroken chain`, mark: 'ok' }]
}

async function customerOrders(db: Db): Promise<Finding[]> {
  const wrong = await checkInvariants(db)
  if (wrong.length === 0) return [{ text: 'Orders, stock and payments add up', mark: 'ok' }]
  return wrong.slice(0, MAX_TOLD).map(text => ({ text, mark: 'PROBLEM' }))
}

async function unpaidOrders(db: Db, { config }: AppContext): Promise<Finding[]> {
  const holders = await findLargeHolders(db, config.holdLimits)
  const lines = holders.map(
    ({ email, isEmailConfirmed, orderCount, units, cents }) =>
      `${email}${isEmailConfirmed ? '' : ' (not confirmed)'}: ${many(units, 'unit')} for $${plainDollars(cents)} in ${many(orderCount, 'order')}`,
  )
  const text = `${many(holders.length, 'customer reaches', 'customers reach')} at least half of a limit for unpaid orders`
  return [{ text: text + below(lines), mark: 'ok' }]
}

async function lateParcels(db: Db, { isListing }: Options): Promise<Finding[]> {
  const late = await findLateParcels(db)
  const lines = late.map(({ orderNumber, shopName, number, expectedAt, carrier, trackingNumber }) => {
    const tracking = [carrier, trackingNumber].filter(Boolean).join(' ')
    const day = expectedAt.toISOString().slice(0, 10)
    return `${orderNumber}: parcel ${number} of ${shopName}, expected by ${day}${tracking && `, ${tracking}`}`
  })
  const unsent = (await findUnsentParts(db)).map(
    ({ orderNumber, shopName, paidAt, isRefunded }) =>
      `${orderNumber}: of ${shopName}, paid on ${paidAt?.toISOString().slice(0, 10) ?? ''}` +
      (isRefunded ? ", but refunded: 'order refund' cancels it" : ''),
  )
  const most = isListing ? Infinity : 0
  return [
    findingOf(lines.map(singleLine), { one: 'parcel is', many: 'parcels are', state: 'late', mark: 'WAITING', most }),
    findingOf(unsent.map(singleLine), {
      one: 'order waits',
      many: 'orders wait',
      state: 'at a shop for longer than it promised',
      mark: 'WAITING',
      most,
    }),
  ]
}

async function escalatedReturns(db: Db): Promise<Finding[]> {
  const count = await countEscalated(db)
  const where = count > 0 ? ": 'return list' shows them as escalated" : ''
  return [findingIf(count > 0, 'WAITING', `${many(count, 'return waits', 'returns wait')} for your decision${where}`)]
}

async function reportedReviews(db: Db): Promise<Finding[]> {
  const count = await countReported(db)
  const where = count > 0 ? ": 'review reports' lists them" : ''
  return [
    findingIf(count > 0, 'WAITING', `${many(count, 'reported review waits', 'reported reviews wait')} for you${where}`),
  ]
}

async function payments(db: Db): Promise<Finding[]> {
  const lapsed = await findLapsed(db)
  const disputed = await findDisputed(db)
  const bounced = await findBounced(db)
  const late = await findLateRefunds(db)
  const overpaid = (await findOverpaid(db)).map(
    ({ orderNumber, priceCents, surplusCents }) =>
      `${orderNumber} of $${plainDollars(priceCents)}: 'order refund ${orderNumber} --amount ${plainDollars(surplusCents)}' refunds the rest`,
  )
  const paid = { one: 'payment was', many: 'payments were', mark: 'WAITING' } as const
  const refunded = { one: 'refund was', many: 'refunds were', mark: 'WAITING' } as const
  return [
    findingOf(lapsed.map(describePayment), { ...paid, state: 'never settled in the last month' }),
    findingOf(disputed.map(describePayment), { ...paid, state: 'disputed in the last month' }),
    findingOf(overpaid, { one: 'order was', many: 'orders were', state: 'overpaid', mark: 'WAITING' }),
    findingOf(bounced.map(describePayment), { ...refunded, state: 'returned by a bank in the last month' }),
    findingOf(late.map(describePayment), { one: 'refund waits', many: 'refunds wait', state: 'for more than a day' }),
  ]
}

function findingIf(isBad: boolean, mark: Finding['mark'], text: string): Finding {
  return { mark: isBad ? mark : 'ok', text }
}

interface Expected {
  /** Verb included: 'parcel is', 'parcels are'. */
  one: string
  many: string
  /** What is wrong with them, such as 'late'. */
  state: string
  mark?: Finding['mark']
  /** How many of them are named. */
  most?: number
}

/** A finding about things of which there should be none, such as '2 parcels are late'. */
function findingOf(things: string[], { one, many: more, state, mark = 'PROBLEM', most }: Expected): Finding {
  return findingIf(things.length > 0, mark, `${many(things.length, one, more)} ${state}${below(things, most)}`)
}

function describePayment({ orderId, provider, reference, amountCents }: DoubtfulPayment): string {
  return `${reference} by ${provider}, for order ${orderId} of $${plainDollars(amountCents)}`
}

/** Indented lines below a finding, at most `most`. */
function below(lines: string[], most = MAX_TOLD): string {
  return lines
    .slice(0, most)
    .map(line => `\n          ${line}`)
    .join('')
}

async function catalogue(db: Db, { database: { kind } }: AppContext, { isListing }: Options): Promise<Finding[]> {
  const { rows } = await db.execute<{ version: string; hasLetters: boolean }>(
    sql`select current_setting('server_version') as version, lower('Ü') = 'ü' as "hasLetters"`,
  )
  const [shops] = await db.select({ count: count() }).from(sellers)
  const [all] = await db.select({ count: count() }).from(products)
  const unshippable = await listUnshippable(db)
  const pictureless = await listPictureless(db)
  const miscounted = await listMiscounted(db)
  const most = isListing ? Infinity : 0
  const { oversold, orphaned } = await findImpossible(db)
  return [
    { text: `The ${kind} database (PostgreSQL ${rows[0]?.version}) is open and up to date`, mark: 'ok' },
    ...(rows[0]?.hasLetters ? [] : [{ text: LETTERLESS, mark: 'PROBLEM' as const }]),
    { text: `${many(all?.count ?? 0, 'product')} of ${many(shops?.count ?? 0, 'shop')}`, mark: 'ok' },
    findingOf(unshippable, { one: 'visible product ships', many: 'visible products ship', state: 'nowhere', most }),
    findingOf(pictureless, { one: 'visible product has', many: 'visible products have', state: 'no picture', most }),
    findingOf(miscounted, {
      one: 'rating, price or count differs',
      many: 'ratings, prices or counts differ',
      state: 'when recalculated',
      most,
    }),
    findingOf(oversold, { one: 'product has', many: 'products have', state: 'a stock below zero' }),
    findingOf(orphaned, { one: 'product is', many: 'products are', state: 'of a shop or category that is not there' }),
  ]
}

async function pictures(db: Db, { media, config: { dataDir, s3 } }: AppContext): Promise<Finding[]> {
  const place = s3 ? `the bucket ${s3.bucket}` : join(dataDir, 'media')
  const examined = await examinePictures(db, media).catch((error: unknown) => {
    if (s3) return reasonOf(error)
    throw error
  })
  if (typeof examined === 'string') return [{ text: `${place} cannot be reached: ${examined}`, mark: 'PROBLEM' }]
  const { missing, orphans } = examined
  const bytes = sumBy(orphans, orphan => orphan.bytes)
  return [
    findingIf(missing > 0, 'PROBLEM', `${many(missing, 'picture is', 'pictures are')} named but not in ${place}`),
    {
      text: `${many(orphans.length, 'picture', 'pictures')} in ${place} that nothing names take ${many(bytes, 'byte')}${below(orphans.map(({ path }) => path))}`,
      mark: 'ok',
    },
  ]
}

async function bucketOwner(db: Db, { config: { s3 } }: AppContext): Promise<Finding[]> {
  if (!s3) return []
  const owner = await (await openBucketFiles(s3)).owner()
  const isForeign = isForeignBucket(owner, await databaseIdOf(db))
  return isForeign ? [{ text: `${FOREIGN_BUCKET}: unused files stay in ${s3.bucket}`, mark: 'PROBLEM' }] : []
}

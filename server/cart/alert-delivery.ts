import { gt, max, type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { productPath } from '#contract/page-urls.ts'
import { lineName, variantTitle } from '#contract/variants.ts'
import type { OnChange } from '../db/changes.ts'
import type { Db, Tx } from '../db/types.ts'
import { productAlerts, products, users, variants, type VariantSnapshot } from '../db/schema.ts'
import { notify } from '../notifications/notifications.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { dollars } from '../platform/usd.ts'

interface Options {
  db: Db
  jobs: Jobs
  log: Pick<Logger, 'error'>
}

interface Delivery extends Pick<Options, 'db' | 'jobs'> {
  /** Aborts when the process closes: the rest is left for another one, or for the next run. */
  closing?: AbortSignal
}

interface Due {
  id: string
  userId: string
  productId: string
  variantId: string | null
  belowCents: number | null
  name: string
  slug: string
  shopName: string
  finalCents: number
  options: VariantSnapshot['options'] | null
}

const BATCH = 50
/** Changes within this time are handled together: an import changes thousands of products. */
const COLLECT_MS = 200
/** Alerts, and changed products, that one statement reads: it has five seconds. */
const ALERTS_PER_PAGE = 2000
const PRODUCTS_PER_LOT = 500
const PRODUCT_TAG = 'product:'

const SOURCE = sql`${productAlerts} alert
  join ${products} product on product.id = alert.product_id and product.is_visible
  join ${users} customer on customer.id = alert.user_id and customer.blocked_at is null
  left join ${variants} variant on variant.id = alert.variant_id`
const IS_MET = sql`case when alert.variant_id is null
  then product.is_available and product.final_cents < alert.below_cents else variant.can_be_bought end`

/**
 * Notifies customers of the alerts whose condition is met, once each: the transaction that deletes an alert stores its
 * notification and its mail. Reads the current stock and prices; without `productIds`, of all alerts, so that it also
 * finds changes that were missed before. Alerts of blocked customers wait. A failure does not stop the rest; all errors
 * are thrown together at the end.
 */
export async function deliverAlerts(delivery: Delivery, productIds?: string[]): Promise<void> {
  const failures: unknown[] = []
  for await (const condition of productIds ? inLots(productIds) : inPages(delivery.db)) {
    if (delivery.closing?.aborted) break
    await deliverMet(delivery, condition).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some alerts could not be delivered')
}

function* inLots(productIds: string[]): Generator<SQL> {
  for (let at = 0; at < productIds.length; at += PRODUCTS_PER_LOT) {
    const lot = productIds.slice(at, at + PRODUCTS_PER_LOT)
    yield sql`alert.product_id = any(${sql.param(lot)}::text[])`
  }
}

async function* inPages(db: Db): AsyncGenerator<SQL> {
  const { id } = productAlerts
  for (let after = ''; ;) {
    const page = db
      .select({ id })
      .from(productAlerts)
      .where(gt(id, after))
      .orderBy(id)
      .limit(ALERTS_PER_PAGE)
      .as('page')
    const [end] = await db.select({ id: max(page.id) }).from(page)
    if (!end?.id) return
    yield sql`alert.id > ${after} and alert.id <= ${end.id}`
    after = end.id
  }
}

async function deliverMet({ db, jobs, closing }: Delivery, condition: SQL): Promise<void> {
  const { rows } = await db.execute(sql`select 1 from ${SOURCE} where ${condition} and ${IS_MET} limit 1`)
  let count = rows.length === 0 ? 0 : BATCH
  while (count === BATCH) {
    if (closing?.aborted) return
    count = await jobs.transact(db, (tx, sendJob) => deliverBatch(tx, sendJob, condition))
  }
}

async function deliverBatch(tx: Tx, sendJob: SendJob, condition: SQL): Promise<number> {
  // Skips locked rows: another process handles those it has locked, and customers who are being erased get no
  // notification.
  const { rows } = await tx.execute<Due & Record<string, unknown>>(sql`
    with due as (
      select alert.id from ${SOURCE} where ${condition} and ${IS_MET} order by alert.id limit ${BATCH}
      for update of alert skip locked for key share of customer skip locked
    ), ended as (
      delete from ${productAlerts} where id in (select id from due) returning *
    )
    select alert.id, alert.user_id as "userId", alert.product_id as "productId", alert.variant_id as "variantId",
      alert.below_cents as "belowCents", product.name, product.slug, product.shop_name as "shopName",
      coalesce(variant.final_cents, product.final_cents) as "finalCents", variant.options
    from ended alert join ${products} product on product.id = alert.product_id
    left join ${variants} variant on variant.id = alert.variant_id
  `)
  for (const due of rows) {
    const { id, userId, productId, variantId, belowCents } = due
    const isNew = await notify(tx, {
      userId,
      ...wordsOf(due),
      link: productPath(due, variantId ?? undefined),
      eventKey: `alert:${id}`,
    })
    if (isNew) await sendJob('alertMail', { userId, productId, variantId, belowCents, dueAt: Date.now() })
  }
  return rows.length
}

function wordsOf({ name, options, shopName, finalCents, belowCents }: Due): { title: string; message: string } {
  if (belowCents === null) {
    const goods = lineName(name, { title: variantTitle(options ?? []) })
    return {
      title: 'It is back',
      message: `${goods} from ${shopName} is back in stock for ${dollars(finalCents)}.`,
    }
  }
  return {
    title: 'The price has fallen',
    message: `${name} from ${shopName} now costs ${dollars(finalCents)}, less than the ${dollars(belowCents)} you asked for.`,
  }
}

/** Calls `deliverAlerts` soon after any process changes products. */
export function followAlerts({ db, jobs, log }: Options): { onChange: OnChange; close(): Promise<void> } {
  const closing = new AbortController()
  let changed: Set<string> | 'all' = new Set()
  let timer: NodeJS.Timeout | undefined
  let delivering: Promise<void> = Promise.resolve()

  function deliver(): void {
    const ids = changed === 'all' ? undefined : [...changed]
    changed = new Set()
    timer = undefined
    delivering = delivering
      .then(() => deliverAlerts({ db, jobs, closing: closing.signal }, ids))
      .catch((error: unknown) => {
        // The regular upkeep tries again later.
        if (!closing.signal.aborted) log.error({ err: error }, 'alerts could not be delivered')
      })
  }

  return {
    onChange(tag) {
      if (closing.signal.aborted || (tag !== null && !tag.startsWith(PRODUCT_TAG))) return
      if (tag === null) changed = 'all'
      else if (changed !== 'all') changed.add(tag.slice(PRODUCT_TAG.length))
      timer ??= setTimeout(deliver, COLLECT_MS).unref()
    },
    async close() {
      closing.abort()
      clearTimeout(timer)
      await delivering
    },
  }
}

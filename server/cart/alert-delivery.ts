import { sql } from 'drizzle-orm'
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
/** With more changed products than this, all alerts are checked. */
const MAX_PRODUCTS = 500
const PRODUCT_TAG = 'product:'

const SOURCE = sql`${productAlerts} alert
  join ${products} product on product.id = alert.product_id and product.is_visible
  left join ${variants} variant on variant.id = alert.variant_id`
const IS_MET = sql`case when alert.variant_id is null
  then product.is_available and product.final_cents < alert.below_cents else variant.can_be_bought end`

/**
 * Notifies customers of the alerts whose condition is met, once each: the transaction that deletes an alert stores its
 * notification and its mail. Reads the current stock and prices, so that it also finds changes that were missed before.
 */
export async function deliverAlerts({ db, jobs }: Pick<Options, 'db' | 'jobs'>, productIds?: string[]): Promise<void> {
  const condition = productIds ? sql`alert.product_id = any(${sql.param(productIds)}::text[])` : sql`true`
  const { rows } = await db.execute(sql`select 1 from ${SOURCE} where ${condition} and ${IS_MET} limit 1`)
  if (rows.length === 0) return
  for (;;) {
    const count = await jobs.transact(db, (tx, sendJob) => deliverBatch(tx, sendJob, condition))
    if (count < BATCH) return
  }
}

async function deliverBatch(tx: Tx, sendJob: SendJob, condition: typeof SOURCE): Promise<number> {
  // Skips locked rows: another process handles those it has locked, and customers who are being erased get no
  // notification.
  const { rows } = await tx.execute<Due & Record<string, unknown>>(sql`
    with due as (
      select alert.id from ${SOURCE} join ${users} customer on customer.id = alert.user_id
      where ${condition} and ${IS_MET} and customer.blocked_at is null order by alert.id limit ${BATCH}
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
  let changed: Set<string> | 'all' = new Set()
  let timer: NodeJS.Timeout | undefined
  let delivering: Promise<void> = Promise.resolve()
  let isClosed = false

  function deliver(): void {
    const ids = changed === 'all' || changed.size > MAX_PRODUCTS ? undefined : [...changed]
    changed = new Set()
    timer = undefined
    delivering = delivering
      .then(() => deliverAlerts({ db, jobs }, ids))
      .catch((error: unknown) => {
        // The regular upkeep tries again later.
        if (!isClosed) log.error({ err: error }, 'alerts could not be delivered')
      })
  }

  return {
    onChange(tag) {
      if (isClosed || (tag !== null && !tag.startsWith(PRODUCT_TAG))) return
      if (tag === null) changed = 'all'
      else if (changed !== 'all') changed.add(tag.slice(PRODUCT_TAG.length))
      timer ??= setTimeout(deliver, COLLECT_MS).unref()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await delivering
    },
  }
}

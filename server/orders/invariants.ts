import { type SQL, sql } from 'drizzle-orm'
import { storedStep } from '../db/schema/steps.ts'
import type { Db } from '../db/types.ts'
import { RETURN_RULES } from './return-rules.ts'

interface Options {
  /** Units of some variants, by id, before the first order: stock and ordered units must still add up to them. */
  initialStock?: Map<string, number>
}

/** Without orders that came with a catalogue or the demo: no customer placed those. */
const ORDERED = sql`(select * from orders where user_id is not null and not is_demo)`

/** Rules that hold for every order; each query finds the orders that break it. */
const RULES: [what: string, broken: SQL][] = [
  [
    'its sellers’ parts do not add up to it',
    sql`select orders.id from ${ORDERED} orders left join seller_orders part on part.order_id = orders.id
      group by orders.id, orders.price_cents having coalesce(sum(part.price_cents), -1) <> orders.price_cents`,
  ],
  [
    'the lines of a seller’s part do not add up to it',
    sql`select orders.id from ${ORDERED} orders
      join seller_orders part on part.order_id = orders.id left join order_lines line on line.seller_order_id = part.id
      group by orders.id, part.id, part.price_cents
      having coalesce(sum(line.unit_cents::bigint * line.quantity + line.shipping_cents), -1) <> part.price_cents`,
  ],
  [
    'its lines do not add up to its shipping or number of units',
    sql`select orders.id from ${ORDERED} orders
      join seller_orders part on part.order_id = orders.id join order_lines line on line.seller_order_id = part.id
      group by orders.id, orders.shipping_cents, orders.item_count
      having (sum(line.shipping_cents), sum(line.quantity)) <> (orders.shipping_cents, orders.item_count)`,
  ],
  [
    'its status, payment and stock contradict each other',
    sql`select id from ${ORDERED} orders where not case status
      when 'pending' then payment_status in ('unpaid', 'processing') and stock_state = 'held' and held_until is not null
      when 'placed' then payment_status in ('paid', 'refund_pending', 'refunded') and stock_state = 'sold' and held_until is null
      else payment_status <> 'paid' and stock_state = 'released' and held_until is null end`,
  ],
  [
    'a seller’s part has a status that the order does not allow',
    sql`select orders.id from ${ORDERED} orders join seller_orders part on part.order_id = orders.id
      where not case orders.status
        when 'pending' then part.delivery_status = 'Pending'
        when 'cancelled' then part.delivery_status = 'Cancelled'
        else part.delivery_status <> 'Pending' and (part.delivery_status <> 'Cancelled' or orders.payment_status <> 'paid'
          or not exists (select 1 from order_lines line where line.seller_order_id = part.id and line.restocked < line.quantity)) end`,
  ],
  [
    'the parcels of a seller’s part contradict its status',
    sql`select part.order_id as id from seller_orders part
      join (
        select seller_order_id, sum(quantity) as ordered, sum(restocked) as restocked
        from order_lines group by seller_order_id
      ) line on line.seller_order_id = part.id
      join (
        select seller_order_id, sum(quantity) as sent, bool_and(status = 'arrived') as has_arrived
        from parcels join parcel_lines on parcel_id = parcels.id group by seller_order_id
      ) parcel on parcel.seller_order_id = part.id
      where case when sent + restocked < ordered then part.delivery_status <> 'Processing'
        else part.delivery_status not in ('Processing', case when has_arrived then 'Delivered' else 'Shipped' end) end`,
  ],
  [
    'more units of a line were sent than ordered',
    sql`select part.order_id as id from order_lines line join seller_orders part on part.id = line.seller_order_id
      left join parcel_lines sent on sent.order_line_id = line.id
      group by line.id, part.order_id having sum(sent.quantity) > line.quantity`,
  ],
  [
    'it is paid, but not by exactly one charge of what it costs',
    sql`select orders.id from ${ORDERED} orders
      left join payment_attempts attempt on attempt.order_id = orders.id and attempt.status = 'succeeded'
      left join payments charge on charge.attempt_id = attempt.id and charge.kind = 'charge'
        and charge.amount_cents >= orders.price_cents and charge.currency = attempt.currency
      group by orders.id, orders.payment_status, orders.price_cents
      having (count(attempt.id), count(charge.id)) <> case
        when orders.payment_status = 'paid' and orders.price_cents > 0 then (1::bigint, 1::bigint) else (0::bigint, 0::bigint) end`,
  ],
  [
    'money that came has no attempt that says so, or the other way round',
    sql`select attempt.order_id as id from payment_attempts attempt left join payments paid on paid.attempt_id = attempt.id
      group by attempt.id, attempt.order_id, attempt.status
      having count(paid.id) filter (where paid.kind = 'charge')
          <> (case when attempt.status in ('succeeded', 'refund_pending', 'refunded') then 1 else 0 end)
        or attempt.status = 'refunded' and coalesce(sum(paid.amount_cents) filter (where paid.kind = 'charge'), 0)
          <> coalesce(sum(paid.amount_cents) filter (where paid.kind = 'refund'), 0)
        or attempt.status = 'succeeded' and coalesce(sum(paid.amount_cents) filter (where paid.kind = 'charge'), 0)
          <= coalesce(sum(paid.amount_cents) filter (where paid.kind = 'refund'), 0)`,
  ],
  [
    'more was refunded than charged, or will be',
    sql`select charge.order_id as id from payments charge where charge.kind = 'charge' and charge.amount_cents <
      coalesce((select sum(refund.amount_cents) from payments refund
        where refund.kind = 'refund' and refund.attempt_id = charge.attempt_id), 0)
      + coalesce((select sum(owed.amount_cents) from refunds owed
        where owed.attempt_id = charge.attempt_id and owed.paid_at is null), 0)`,
  ],
  [
    'a partial refund is paid without an entry of the ledger, or the other way round',
    sql`select refunds.order_id as id from refunds left join payments paid on paid.refund_id = refunds.id
      where (refunds.paid_at is null) <> (paid.id is null) or paid.amount_cents <> refunds.amount_cents`,
  ],
  [
    'a refund is owed that no attempt waits for',
    sql`select id from ${ORDERED} orders where payment_status = 'refund_pending' and not exists (
      select 1 from payment_attempts attempt where attempt.order_id = orders.id and attempt.status = 'refund_pending')`,
  ],
  [
    'it holds its units although its time was over two minutes ago',
    sql`select id from ${ORDERED} orders where stock_state = 'held' and held_until < now() - interval '2 minutes'`,
  ],
  [
    'its timeline lacks that it was placed, paid or cancelled',
    sql`select id from ${ORDERED} orders where not exists (
        select 1 from order_steps step where step.order_id = orders.id and step.kind = 'placed')
      or (paid_at is not null) <> exists (
        select 1 from order_steps step where step.order_id = orders.id and step.kind = 'paid')
      or cancelled_by is not null and not exists (
        select 1 from order_steps step where step.order_id = orders.id and step.kind = ${storedStep('cancelled', sql`orders.cancelled_by`)})`,
  ],
]

/** Checks orders, stock, payments and returns; returns one line per violation. */
export async function checkInvariants(db: Db, { initialStock }: Options = {}): Promise<string[]> {
  const findings: string[] = []
  for (const [what, broken] of [...RULES, ...RETURN_RULES]) {
    const { rows } = await db.execute<{ id: string }>(broken)
    findings.push(...rows.map(({ id }) => `order ${id}: ${what}`))
  }
  return initialStock ? [...findings, ...(await countUnits(db, initialStock))] : findings
}

/** Stock + held + sold units must equal the initial stock. */
async function countUnits(db: Db, initialStock: Map<string, number>): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; stock: number; out: number }>(sql`
    select variants.id, variants.stock, coalesce(sum(line.quantity - line.restocked), 0)::int as out
    from variants
    left join (order_lines line
      join seller_orders part on part.id = line.seller_order_id and part.delivery_status <> 'Cancelled'
      join orders on orders.id = part.order_id and orders.stock_state <> 'released'
    ) on line.variant_id = variants.id
    where variants.id = any (${sql.param([...initialStock.keys()])}::text[])
    group by variants.id, variants.stock
  `)
  return rows.flatMap(({ id, stock, out }) => {
    const initial = initialStock.get(id)
    return stock + out === initial ? [] : `variant ${id}: ${stock} in stock and ${out} ordered are not ${initial}`
  })
}

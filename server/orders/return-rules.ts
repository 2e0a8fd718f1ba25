import { type SQL, sql } from 'drizzle-orm'

const IS_REFUNDED = sql`returns.status in ('received', 'refunded')`
/** A cancellation that was not carried out takes no units of a delivered part. */
const HOLDS_UNITS = sql`returns.status not in ('refused', 'lapsed', 'withdrawn', 'closed')
  and (returns.kind = 'return' or ${IS_REFUNDED} or part.delivery_status <> 'Delivered')`

/** Rules that hold for the cancellations and returns of every order; each query finds the orders that break it. */
export const RETURN_RULES: [what: string, broken: SQL][] = [
  [
    'more units of a line are cancelled and returned than were ordered',
    sql`select returns.order_id as id from return_lines join returns on returns.id = return_lines.return_id
      join order_lines line on line.id = return_lines.line_id
      join seller_orders part on part.id = returns.seller_order_id where ${HOLDS_UNITS}
      group by line.id, line.quantity, returns.order_id having sum(return_lines.quantity) > line.quantity`,
  ],
  [
    'a return has lines of another seller’s part or order',
    sql`select returns.order_id as id from return_lines join returns on returns.id = return_lines.return_id
      join order_lines line on line.id = return_lines.line_id
      join seller_orders part on part.id = returns.seller_order_id
      where line.seller_order_id <> part.id or part.order_id <> returns.order_id`,
  ],
  [
    'a return refunds something else than its lines, with or without the shipping of its part',
    sql`select returns.order_id as id from returns
      join lateral (
        select coalesce(sum(line.unit_cents::bigint * return_lines.quantity), 0) as cents
        from return_lines join order_lines line on line.id = return_lines.line_id
        where return_lines.return_id = returns.id
      ) item on true
      join lateral (
        select coalesce(sum(shipping_cents), 0) as cents from order_lines
        where seller_order_id = returns.seller_order_id
      ) shipping on true
      where case when ${IS_REFUNDED} then returns.refund_cents not in (item.cents, item.cents + shipping.cents)
        else returns.refund_cents <> 0 or returns.refund_id is not null end`,
  ],
  [
    'the shipping of a seller’s part goes back more than once',
    sql`select part.order_id as id from seller_orders part
      join lateral (select sum(refund_cents) as cents from returns
        where seller_order_id = part.id and ${IS_REFUNDED}) back on true
      where back.cents > part.price_cents`,
  ],
  [
    'a return’s refund is none of its order, is more than the return’s, or is paid while the return waits for it',
    sql`select returns.order_id as id from returns left join refunds on refunds.id = returns.refund_id
      where returns.refund_id is not null and (refunds.id is null or refunds.order_id <> returns.order_id
        or refunds.amount_cents > returns.refund_cents or returns.status = 'refunded' and refunds.paid_at is null)`,
  ],
  [
    'the timeline lacks the status of a return',
    sql`select order_id as id from returns where not exists (
      select 1 from order_steps step where step.order_id = returns.order_id
      and step.kind = returns.kind || ':' || returns.status || ':' || returns.id || ':' || returns.seller_order_id)`,
  ],
  [
    'a return has a deadline in a status without one, or the other way round',
    sql`select order_id as id from returns
      where (due_at is not null) <> (status in ('requested', 'approved', 'sent_back'))`,
  ],
  [
    'fewer units of a line are back in stock than its returns put there',
    sql`select returns.order_id as id from return_lines join returns on returns.id = return_lines.return_id
      join order_lines line on line.id = return_lines.line_id where ${IS_REFUNDED} and returns.is_restocked
      group by line.id, line.restocked, returns.order_id having sum(return_lines.quantity) > line.restocked`,
  ],
]

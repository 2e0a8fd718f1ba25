import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { conversations, messages, sellers } from '../db/schema.ts'

/** With fewer conversations, nothing can be said about a shop. */
const ENOUGH_CONVERSATIONS = 5

/**
 * Sets within how many hours each shop usually answers: the median of the last 90 days, rounded up to 1, 24 or 72; null
 * if it is longer, or with fewer than five conversations. A wait lasts from the first message of a customer that the
 * shop has not answered to the shop's next message, automated ones aside; one without an answer counts after three
 * days. Updates only shops whose number has changed, and purges their pages.
 */
export async function refreshReplyTimes(db: Db | Tx): Promise<void> {
  await db.execute(sql`
    with said as (
      select conversation.seller_id, message.conversation_id, message.sender, message.created_at,
        lag(message.sender) over (partition by message.conversation_id order by message.seq) as said_before,
        min(message.created_at) filter (where message.sender = 'seller')
          over (partition by message.conversation_id order by message.seq desc) as answered_at
      from ${conversations} conversation join ${messages} message on message.conversation_id = conversation.id
      where conversation.last_at >= now() - interval '90 days' and not message.is_automated
    ), wait as (
      select seller_id, conversation_id, coalesce(answered_at, now()) - created_at as duration
      from said
      where sender = 'customer' and said_before is distinct from 'customer'
        and created_at >= now() - interval '90 days'
        and (answered_at is not null or created_at < now() - interval '3 days')
    ), usual as (
      select seller_id, percentile_cont(0.5) within group (order by duration) as duration
      from wait group by seller_id having count(distinct conversation_id) >= ${ENOUGH_CONVERSATIONS}
    ), fresh as (
      select seller.id, case
        when usual.duration <= interval '1 hour' then 1
        when usual.duration <= interval '24 hours' then 24
        when usual.duration <= interval '72 hours' then 72
      end as hours
      from ${sellers} seller left join usual on usual.seller_id = seller.id
    )
    update ${sellers} set reply_hours = fresh.hours from fresh
    where ${sellers.id} = fresh.id and ${sellers.replyHours} is distinct from fresh.hours
  `)
}

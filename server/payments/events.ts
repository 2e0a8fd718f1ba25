import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { PaymentProviderName } from '#contract/payments.ts'
import { NOTHING_HERE, NotFoundError } from '../platform/errors.ts'
import type { PaymentEvent } from '../platform/job-data.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { paymentAttempts, paymentEvents } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit } from '../platform/audit.ts'
import type { WebhookEvent } from './providers/payment-provider.ts'
import type { PaymentContext } from './context.ts'
import { syncPayment } from './syncing.ts'
import { checkCharge } from './charges.ts'

/** Longer than any provider repeats an event; a repeat after this time would only look up the payment again. */
const KEPT_DAYS = 30
/** As many as a statement deletes in its time. */
const EVENTS_AT_ONCE = 1000

/**
 * Stores a provider's webhook event and queues a job that looks up the payment; a repeated event changes nothing.
 * Throws a `NotFoundError` for a provider that the shop does not use, and an `INVALID_SIGNATURE` error for an invalid
 * signature.
 */
export async function receiveWebhook(
  paymentContext: PaymentContext,
  name: string,
  headers: Headers,
  body: Uint8Array,
): Promise<void> {
  const { db, jobs, provider } = paymentContext
  if (!provider || provider.name !== name) throw new NotFoundError(NOTHING_HERE)
  const webhookEvent = provider.readWebhook(headers, body)
  const reference = webhookEvent && (await referenceOf(db, provider.name, webhookEvent))
  if (!reference) return
  await jobs.transact(db, async (tx, sendJob) => {
    const event = { provider: provider.name, eventId: webhookEvent.eventId }
    const added = await tx
      .insert(paymentEvents)
      .values({ ...event, reference })
      .onConflictDoNothing()
      .returning({ eventId: paymentEvents.eventId })
    if (added.length > 0) await sendJob('paymentEvent', event)
  })
}

/** Our reference of the payment that the event is about; undefined if the provider's id matches no attempt. */
async function referenceOf(
  db: Db,
  provider: PaymentProviderName,
  webhookEvent: WebhookEvent,
): Promise<string | undefined> {
  if ('reference' in webhookEvent) return webhookEvent.reference
  const [attempt] = await db
    .select({ reference: paymentAttempts.reference })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.providerId, webhookEvent.providerId), eq(paymentAttempts.provider, provider)))
  return attempt?.reference
}

const newEvent = prepared(db =>
  db
    .select({ reference: paymentEvents.reference, attempt: paymentAttempts })
    .from(paymentEvents)
    .leftJoin(
      paymentAttempts,
      and(eq(paymentAttempts.reference, paymentEvents.reference), eq(paymentAttempts.provider, paymentEvents.provider)),
    )
    .where(
      and(
        eq(paymentEvents.provider, sql.placeholder('provider')),
        eq(paymentEvents.eventId, sql.placeholder('eventId')),
        isNull(paymentEvents.appliedAt),
      ),
    )
    .prepare('new_event'),
)

/**
 * Applies a stored event once: looks up the payment, and whether its money is still there. Rejects with
 * `PaymentUnavailableError` when the provider cannot be reached.
 */
export async function applyEvent(paymentContext: PaymentContext, { provider, eventId }: PaymentEvent): Promise<void> {
  const { db } = paymentContext
  const [event] = await newEvent(db).execute({ provider, eventId })
  if (!event) return
  const { reference, attempt } = event
  const markApplied = (tx: Db | Tx) =>
    tx
      .update(paymentEvents)
      .set({ appliedAt: sql`now()` })
      .where(and(eq(paymentEvents.provider, provider), eq(paymentEvents.eventId, eventId)))
  if (attempt) {
    await syncPayment(paymentContext, attempt)
    await checkCharge(paymentContext, attempt.id)
    await markApplied(db)
    return
  }
  await transact(db, async tx => {
    await markApplied(tx)
    const details = { provider, eventId, reference }
    await recordAudit(tx, { event: 'payment_unknown', outcome: 'refused', details })
  })
}

/** Deletes applied events that are too old for a provider to repeat. */
export async function sweepEvents(db: Db): Promise<void> {
  const { provider, eventId, appliedAt, createdAt } = paymentEvents
  const old = db
    .select({ provider, eventId })
    .from(paymentEvents)
    .where(and(lt(createdAt, sql`now() - make_interval(days => ${KEPT_DAYS})`), isNotNull(appliedAt)))
    .orderBy(createdAt)
    .limit(EVENTS_AT_ONCE)
  for (let count = EVENTS_AT_ONCE; count === EVENTS_AT_ONCE;) {
    const isOld = sql`(${provider}, ${eventId}) in ${old}`
    const { rowCount } = await db.delete(paymentEvents).where(isOld)
    count = rowCount ?? 0
  }
}

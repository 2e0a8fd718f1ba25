import { and, eq } from 'drizzle-orm'
import type { ReturnStatus } from '#contract/returns.ts'
import type { Db, Tx } from '../db/types.ts'
import { parcels, returns, sellerOrders } from '../db/schema.ts'
import { isPartOf } from '../orders/shipping-list.ts'
import { lockOrder, type Order } from '../orders/attempt-rows.ts'
import { recordStep } from '../orders/steps.ts'
import { recordAudit } from '../platform/audit.ts'
import { ConflictError } from '../platform/errors.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { readFacts } from './facts.ts'
import { requestReturnMails } from './mail.ts'
import { notifyOfReturn, announceToShop } from './notifying.ts'
import { noSuchReturn } from './pictures.ts'
import { refundReturn, type StoredReturn } from './refunding.ts'
import { ACTORS, DEADLINE_DAYS, type ReturnActor, type ReturnEvent, TRANSITIONS } from './transitions.ts'

/** Whose returns are meant: a customer's by id, a shop's by its key, name or id; without either, anybody's. */
interface Owner {
  userId?: string | undefined
  shop?: string | undefined
}

interface Move {
  event: ReturnEvent
  owner?: Owner
  /** The status that the caller has seen. The event fails in any other. */
  from?: ReturnStatus
}

interface Details {
  /** Why the shop or the operator declines. */
  answer?: string | undefined
  tracking?: string | undefined
  /** Whether the returned units are put back into stock. */
  isRestocked?: boolean | undefined
}

const DAY_MS = 24 * 3600_000

/**
 * Applies an event to a cancellation or return, in one transaction with its step, notification and audit record. Returns
 * its new status. Does nothing if a customer repeats a request. Throws a `NotFoundError` for an unknown one or another
 * owner's, and a `ConflictError` when its status does not allow the event.
 */
export async function moveReturn(
  db: Db,
  jobs: Jobs,
  returnId: string,
  { event, owner = {}, from, ...details }: Move & Details,
): Promise<ReturnStatus> {
  const moved = await jobs.transact(db, async (tx, sendJob) => {
    const { order, given } = await lockReturn(tx, returnId, owner)
    if (isRepeated(given, event, details.tracking)) return given.status
    const status = TRANSITIONS[given.kind][event][given.status]
    if (!status || (from ?? given.status) !== given.status)
      throw new ConflictError(`This ${given.kind} is ${given.status.replace('_', ' ')}`)
    if (given.kind === 'cancellation' && status === 'received') await refuseShipped(tx, given)
    if (event === 'allow') await refuseSentBack(tx, given)
    await enterStatus(tx, sendJob, { order, given, status, by: ACTORS[event], ...details })
    await recordAudit(tx, {
      event: `return_${event}`,
      outcome: 'ok',
      actorId: owner.userId,
      details: { returnId, orderId: order.id, kind: given.kind, status, by: ACTORS[event] },
    })
    passFailpoint('return:uncommitted')
    return status
  })
  passFailpoint('return:committed')
  return moved
}

/**
 * Stores a status with everything that follows from it; the caller has locked the order and records the audit. Returns
 * the return with its new status.
 */
export async function enterStatus(
  tx: Tx,
  sendJob: SendJob,
  {
    order,
    given,
    status,
    by,
    answer,
    tracking,
    isRestocked = false,
  }: { order: Order; given: StoredReturn; status: ReturnStatus; by: ReturnActor } & Details,
): Promise<StoredReturn> {
  const days = DEADLINE_DAYS[status]
  const isBack = given.kind === 'cancellation' || isRestocked
  const refund = status === 'received' ? await refundReturn(tx, sendJob, { order, given, isRestocked: isBack }) : {}
  const [stored] = await tx
    .update(returns)
    .set({
      status,
      dueAt: days === undefined ? null : new Date(Date.now() + days * DAY_MS),
      ...(answer !== undefined && { answer }),
      ...(tracking !== undefined && { tracking }),
      ...(status === 'received' && { isRestocked: isBack }),
      ...refund,
    })
    .where(eq(returns.id, given.id))
    .returning()
  const { id: returnId, kind, sellerOrderId } = given
  const step = { kind, status, returnId, sellerOrderId }
  if (!(await recordStep(tx, order.id, step))) await recordStep(tx, order.id, { ...step, round: 2 })
  await notifyOfReturn(tx, order, stored!)
  await requestReturnMails(tx, sendJob, stored!, by)
  await announceToShop(tx, stored!)
  // Nothing was left to refund.
  if ('refundId' in refund && refund.refundId === null) await sendJob('returnPaid', { returnId })
  return stored!
}

/** Whether the customer has done this already: a client that has lost the response sends the same request again. */
function isRepeated({ kind, status, ...given }: StoredReturn, event: ReturnEvent, tracking = given.tracking): boolean {
  const isDone = ACTORS[event] === 'customer' && Object.values(TRANSITIONS[kind][event]).includes(status)
  return isDone && tracking === given.tracking
}

/** Locks the return's order, so that its status stays until the transaction ends. */
async function lockReturn(
  tx: Tx,
  returnId: string,
  { userId, shop }: Owner,
): Promise<{ order: Order; given: StoredReturn }> {
  const isIt = eq(returns.id, returnId)
  const [known] = await tx
    .select({ orderId: returns.orderId })
    .from(returns)
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .where(and(isIt, shop === undefined ? undefined : isPartOf(tx, shop)))
  const order = known && (await lockOrder(tx, known.orderId, userId))
  const [given] = await tx.select().from(returns).where(isIt)
  if (!order || !given) throw noSuchReturn()
  return { order, given }
}

async function refuseSentBack(tx: Tx, given: StoredReturn): Promise<void> {
  if ((await readFacts(tx, given, given.status)).isSentBack)
    throw new ConflictError('The customer has sent it back already: refund or refuse it')
}

async function refuseShipped(tx: Tx, { sellerOrderId }: StoredReturn): Promise<void> {
  const isThere = and(eq(sellerOrders.id, sellerOrderId), eq(sellerOrders.deliveryStatus, 'Processing'))
  const isSent = (await tx.$count(parcels, eq(parcels.sellerOrderId, sellerOrderId))) > 0
  if (isSent || (await tx.$count(sellerOrders, isThere)) === 0)
    throw new ConflictError('This part of the order is no longer in preparation: decline the cancellation')
}

import { and, eq } from 'drizzle-orm'
import type { ReturnStatus } from '#contract/returns.ts'
import { DAY_MS, endOfDay } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { orders, returnLines, returns, sellerOrders } from '../db/schema.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { hasShop, readParts, unsentUnits } from '../orders/parts.ts'
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

/**
 * Applies an event to a cancellation or return, in one transaction with its step, notification and audit record.
 * Returns its new status. Does nothing if a customer repeats a request. Throws a `NotFoundError` for an unknown one or
 * another owner's, and a `ConflictError` when its status does not allow the event.
 */
export async function moveReturn(
  db: Db,
  jobs: Jobs,
  returnId: string,
  { event, owner = {}, from, ...details }: Move & Details,
): Promise<ReturnStatus> {
  const moved = await jobs.transact(db, async (tx, sendJob) => {
    const { order, stored } = await lockReturn(tx, returnId, owner)
    if (isRepeated(stored, event, details.tracking)) return stored.status
    const status = TRANSITIONS[stored.kind][event][stored.status]
    if (!status || (from ?? stored.status) !== stored.status)
      throw new ConflictError(`This ${stored.kind} is ${stored.status.replace('_', ' ')}`)
    if (stored.kind === 'cancellation' && status === 'received') await requireUnsent(tx, stored)
    if (event === 'allow') await requireReceiver(tx, stored)
    await enterStatus(tx, sendJob, { order, stored, status, by: ACTORS[event], ...details })
    await recordAudit(tx, {
      event: `return_${event}`,
      outcome: 'ok',
      actorId: owner.userId,
      details: { returnId, orderId: order.id, kind: stored.kind, status, by: ACTORS[event] },
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
    stored,
    status,
    by,
    answer,
    tracking,
    isRestocked = false,
  }: { order: Order; stored: StoredReturn; status: ReturnStatus; by: ReturnActor } & Details,
): Promise<StoredReturn> {
  const days = DEADLINE_DAYS[status]
  const isBack = stored.kind === 'cancellation' || isRestocked
  const refund = status === 'received' ? await refundReturn(tx, sendJob, { order, stored, isRestocked: isBack }) : {}
  const [updated] = await tx
    .update(returns)
    .set({
      status,
      dueAt: days === undefined ? null : new Date(endOfDay(Date.now() + days * DAY_MS)),
      ...(answer !== undefined && { answer }),
      ...(tracking !== undefined && { tracking }),
      ...(status === 'received' && { isRestocked: isBack }),
      ...refund,
    })
    .where(eq(returns.id, stored.id))
    .returning()
  const { id: returnId, kind, sellerOrderId } = stored
  const step = { kind, status, returnId, sellerOrderId }
  // A return can be escalated twice.
  if (!(await recordStep(tx, order.id, step))) await recordStep(tx, order.id, { ...step, round: 2 })
  await notifyOfReturn(tx, order, updated!)
  await requestReturnMails(tx, sendJob, updated!, by)
  await announceToShop(tx, updated!)
  // Nothing was left to refund.
  if ('refundId' in refund && refund.refundId === null) await sendJob('returnPaid', { returnId })
  return updated!
}

/** Whether the customer has done this already: a client that has lost the response sends the same request again. */
function isRepeated(stored: StoredReturn, event: ReturnEvent, tracking = stored.tracking): boolean {
  const isDone = ACTORS[event] === 'customer' && Object.values(TRANSITIONS[stored.kind][event]).includes(stored.status)
  return isDone && tracking === stored.tracking
}

/** Locks the customer, if one makes the request, and then the return's order. Both exist until the transaction ends. */
async function lockReturn(
  tx: Tx,
  returnId: string,
  { userId, shop }: Owner,
): Promise<{ order: Order; stored: StoredReturn }> {
  if (userId !== undefined) await lockCustomer(tx, userId)
  const isMatch = eq(returns.id, returnId)
  const [known] = await tx
    .select({ orderId: returns.orderId })
    .from(returns)
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .where(and(isMatch, isPartOf(tx, shop), userId === undefined ? undefined : eq(orders.userId, userId)))
  if (!known) throw noSuchReturn()
  const order = await lockOrder(tx, known.orderId, userId)
  const [stored] = await tx.select().from(returns).where(isMatch)
  return { order, stored: stored! }
}

/** Allows sending something back only if that has not happened yet, and to a shop that still exists. */
async function requireReceiver(tx: Tx, stored: StoredReturn): Promise<void> {
  if ((await readFacts(tx, stored, stored.status)).isSentBack)
    throw new ConflictError('The customer has sent it back already: refund or refuse it')
  if (!(await hasShop(tx, stored.sellerOrderId)))
    throw new ConflictError('The shop is removed, so nobody would receive it: refund or refuse it')
}

async function requireUnsent(tx: Tx, { id, orderId, sellerOrderId }: StoredReturn): Promise<void> {
  const part = (await readParts(tx, orderId)).find(each => each.id === sellerOrderId)
  const unsent = part?.deliveryStatus === 'Processing' ? unsentUnits(part) : new Map<string, number>()
  const lines = await tx.select().from(returnLines).where(eq(returnLines.returnId, id))
  if (lines.some(({ lineId, quantity }) => quantity > (unsent.get(lineId) ?? 0)))
    throw new ConflictError('This part of the order has been sent: the cancellation ends within five minutes')
}

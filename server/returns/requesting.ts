import { createHash } from 'node:crypto'
import { and, eq, isNull, notInArray, sql } from 'drizzle-orm'
import { REASONS_OF, type ReturnRequest, type ReturnStatus } from '#contract/returns.ts'
import { MAX_WITHDRAWN_RETURNS, SAME_REQUEST_SECONDS } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { returnLines, returns } from '../db/schema.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { lockOrder } from '../orders/attempt-rows.ts'
import { hasShop } from '../orders/parts.ts'
import { recordAudit } from '../platform/audit.ts'
import { ConflictError, InvalidInputError, ServiceError } from '../platform/errors.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs } from '../platform/jobs.ts'
import { readAvailable } from './available.ts'
import { enterStatus } from './moving.ts'
import type { StoredReturn } from './refunding.ts'
import { ENDED_WITHOUT_REFUND } from './transitions.ts'

interface Requested {
  returnId: string
  status: ReturnStatus
  /** Whether a request that was done at once is refunded; false for free products. */
  isPaidBack: boolean
}

/**
 * Cancels lines of a seller's part at once while the shop has not packed it, or requests a cancellation or return; of
 * the operator, if the shop was removed. A repeated request changes nothing. Throws a `NotFoundError` for an unknown
 * order or another customer's, a `ServiceError` for a key that belongs to another request, an `InvalidInputError` for a
 * reason that does not fit, and a `ConflictError` with fields when that many units can no longer be cancelled or
 * returned, or without fields after `MAX_WITHDRAWN_RETURNS` withdrawn requests.
 */
export async function requestReturn(db: Db, jobs: Jobs, userId: string, request: ReturnRequest): Promise<Requested> {
  const { orderId, sellerOrderId, kind, reason, words, key: requestKey } = request
  const requested = await jobs.transact(db, async (tx, sendJob) => {
    // So that nothing of the request is left when the customer is being erased.
    await lockCustomer(tx, userId)
    const order = await lockOrder(tx, orderId, userId)
    const requestHash = hashOf(request)
    const known = await findRepeated(tx, request, requestHash)
    if (known) return { returnId: known.id, status: known.status, isPaidBack: known.refundId !== null }
    if (!REASONS_OF[kind].includes(reason))
      throw new InvalidInputError('Choose a reason', { reason: 'Choose a reason' })
    const part = (await readAvailable(tx, order)).find(each => each.sellerOrderId === sellerOrderId)
    if (part?.kind !== kind)
      throw new ConflictError(kind === 'return' ? 'This cannot be returned now' : 'This can no longer be cancelled')
    requireAvailable(request, part.lines)
    await requireFewWithdrawn(tx, sellerOrderId)
    const [created] = await tx
      .insert(returns)
      .values({ orderId, sellerOrderId, kind, reason, words, requestKey, requestHash })
      .returning()
    await addLines(tx, created!.id, request)
    const asked = (await hasShop(tx, created!.sellerOrderId)) ? 'requested' : 'escalated'
    const status: ReturnStatus = part.isImmediate ? 'received' : asked
    const { refundId } = await enterStatus(tx, sendJob, { order, stored: created!, status, by: 'customer' })
    const details = { returnId: created!.id, orderId, kind, status }
    await recordAudit(tx, { event: 'return_request', outcome: 'ok', actorId: userId, details })
    passFailpoint('return:uncommitted')
    return { returnId: created!.id, status, isPaidBack: refundId !== null }
  })
  passFailpoint('return:committed')
  return requested
}

function hashOf({ sellerOrderId, kind, reason, words, lines }: ReturnRequest): string {
  const wanted = lines.map(({ lineId, quantity }) => [lineId, quantity])
  const content = JSON.stringify([sellerOrderId, kind, reason, words, wanted])
  return createHash('sha256').update(content).digest('hex')
}

/**
 * What this request has stored before; without a key, only a moment ago and unless it has ended. The caller has locked
 * the order.
 */
async function findRepeated(
  tx: Tx,
  { orderId, key }: ReturnRequest,
  requestHash: string,
): Promise<StoredReturn | undefined> {
  const isSameContent = and(
    isNull(returns.requestKey),
    eq(returns.requestHash, requestHash),
    notInArray(returns.status, ENDED_WITHOUT_REFUND),
    sql`${returns.createdAt} > now() - make_interval(secs => ${SAME_REQUEST_SECONDS})`,
  )
  const isRepeated = key ? eq(returns.requestKey, key) : isSameContent
  const [known] = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.orderId, orderId), isRepeated))
  if (known && known.requestHash !== requestHash)
    throw new ServiceError('IDEMPOTENCY_KEY_REUSED', 'We have received this request already. It is on the order’s page')
  return known
}

/** Rejects lines that are not available in this quantity, and lines that are named twice. */
function requireAvailable({ lines }: ReturnRequest, available: { lineId: string; quantity: number }[]): void {
  const fields: Record<string, string> = {}
  const seen = new Set<string>()
  lines.forEach(({ lineId, quantity }, at) => {
    const most = seen.has(lineId) ? 0 : (available.find(line => line.lineId === lineId)?.quantity ?? 0)
    if (quantity > most) fields[`lines.${at}.quantity`] = most > 0 ? `At most ${most}` : 'Nothing of this is left'
    seen.add(lineId)
  })
  const [message] = Object.values(fields)
  if (message) throw new ConflictError(message, fields)
}

async function requireFewWithdrawn(tx: Tx, sellerOrderId: string): Promise<void> {
  const isWithdrawn = and(eq(returns.sellerOrderId, sellerOrderId), eq(returns.status, 'withdrawn'))
  if ((await tx.$count(returns, isWithdrawn)) >= MAX_WITHDRAWN_RETURNS)
    throw new ConflictError('You have withdrawn too many requests. Please write to the shop')
}

async function addLines(tx: Tx, returnId: string, { lines }: ReturnRequest): Promise<void> {
  await tx.insert(returnLines).values(lines.map(({ lineId, quantity }) => ({ returnId, lineId, quantity })))
}

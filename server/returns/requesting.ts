import { REASONS_OF, type ReturnRequest } from '#contract/returns.ts'
import type { Db, Tx } from '../db/types.ts'
import { returnLines, returns } from '../db/schema.ts'
import { lockOrder } from '../orders/attempt-rows.ts'
import { noSuchOrder } from '../orders/orders.ts'
import { recordAudit } from '../platform/audit.ts'
import { ConflictError, InvalidInputError } from '../platform/errors.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs } from '../platform/jobs.ts'
import { readAvailable } from './available.ts'
import { enterStatus } from './moving.ts'

interface Requested {
  returnId: string
  isDone: boolean
  /** Whether money goes back for what was done at once; there is none for free products. */
  isPaidBack: boolean
}

/**
 * Cancels lines of a seller's part at once while the shop has not packed it, or requests a cancellation or return.
 * Returns its id and what was done at once. Throws a `NotFoundError` for an unknown order or another customer's, an
 * `InvalidInputError` for a reason that does not fit, and a `ConflictError` with fields when that many units can no
 * longer be cancelled or returned.
 */
export async function requestReturn(db: Db, jobs: Jobs, userId: string, request: ReturnRequest): Promise<Requested> {
  const { orderId, sellerOrderId, kind, reason, words } = request
  const requested = await jobs.transact(db, async (tx, sendJob) => {
    const order = await lockOrder(tx, orderId, userId)
    if (!order) throw noSuchOrder()
    if (!REASONS_OF[kind].includes(reason))
      throw new InvalidInputError('Choose a reason', { reason: 'Choose a reason' })
    const part = (await readAvailable(tx, order)).find(each => each.sellerOrderId === sellerOrderId)
    if (part?.kind !== kind)
      throw new ConflictError(kind === 'return' ? 'This cannot be returned now' : 'This can no longer be cancelled')
    refuseTooMany(request, part.lines)
    const [given] = await tx.insert(returns).values({ orderId, sellerOrderId, kind, reason, words }).returning()
    await addLines(tx, given!.id, request)
    const status = part.isImmediate ? 'received' : 'requested'
    const { refundId } = await enterStatus(tx, sendJob, { order, given: given!, status, by: 'customer' })
    const details = { returnId: given!.id, orderId, kind, status }
    await recordAudit(tx, { event: 'return_request', outcome: 'ok', actorId: userId, details })
    passFailpoint('return:uncommitted')
    return { returnId: given!.id, isDone: part.isImmediate, isPaidBack: refundId !== null }
  })
  passFailpoint('return:committed')
  return requested
}

/** Rejects lines that are not available in this quantity, and lines that are named twice. */
function refuseTooMany({ lines }: ReturnRequest, available: { lineId: string; quantity: number }[]): void {
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

async function addLines(tx: Tx, returnId: string, { lines }: ReturnRequest): Promise<void> {
  await tx.insert(returnLines).values(lines.map(({ lineId, quantity }) => ({ returnId, lineId, quantity })))
}

import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { events } from '#contract/realtime.ts'
import { Return } from '#contract/returns.ts'
import { ReturnDeclined, ReturnMeant, ReturnReceived, ReturnsAsked } from '#contract/seller-events.ts'
import type { Chat } from '../chat/view.ts'
import type { Jobs } from '../platform/jobs.ts'
import { listReturns, toReturn } from '../returns/listing.ts'
import { moveReturn } from '../returns/moving.ts'
import { handleEvent } from './handle-event.ts'
import type { PeerSocket } from './peer-socket.ts'

interface Options extends Chat {
  jobs: Jobs
  log: Pick<Logger, 'error'>
  /** From the token. */
  sellerId: string
}

const MAX_RETURNS_LISTED = 200

/** Handles what a shop does with its own cancellations and returns; another shop's do not exist for it. */
export function handleReturnEvents(socket: PeerSocket, { db, addressOf, jobs, log, sellerId }: Options): void {
  const from = { socket, log }
  const owner = { shop: sellerId }

  handleEvent(from, events.getReturns, ReturnsAsked, async ({ all = false, before }) => {
    const limit = MAX_RETURNS_LISTED + 1
    const found = await listReturns(db, { shop: sellerId, isAll: all, beforeId: before, limit })
    return {
      returns: found.slice(0, MAX_RETURNS_LISTED).map(each => {
        const { orderId, orderNumber } = each
        return { ...z.encode(Return, toReturn(each, addressOf)), orderId, orderNumber }
      }),
      hasMore: found.length > MAX_RETURNS_LISTED,
    }
  })

  handleEvent(from, events.approveReturn, ReturnMeant, async ({ returnId }) => ({
    status: await moveReturn(db, jobs, returnId, { event: 'approve', owner }),
  }))

  handleEvent(from, events.declineReturn, ReturnDeclined, async ({ returnId, answer }) => ({
    status: await moveReturn(db, jobs, returnId, { event: 'decline', owner, answer }),
  }))

  handleEvent(from, events.receiveReturn, ReturnReceived, async ({ returnId, restock }) => ({
    status: await moveReturn(db, jobs, returnId, { event: 'receive', owner, isRestocked: restock }),
  }))
}

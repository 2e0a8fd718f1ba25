import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { getMessages, Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import { MessagesAsked, SellerHasSeen, SellerMessageSent } from '#contract/seller-events.ts'
import { announceMessage, announceSeen } from '../chat/announcing.ts'
import { readMessages } from '../chat/history.ts'
import { storeMessage } from '../chat/messages.ts'
import type { Chat } from '../chat/view.ts'
import { markSeen, readCustomers } from '../chat/conversations.ts'
import type { Announcer } from '../chat/announcer.ts'
import type { Jobs } from '../platform/jobs.ts'
import { handleEvent } from './handle-event.ts'
import type { PeerSocket } from './peer-socket.ts'
import { handleReturnEvents } from './seller-returns.ts'

interface Options extends Chat {
  jobs: Jobs
  announcer: Announcer
  log: Pick<Logger, 'error'>
  /** From the token. */
  sellerId: string
}

/** Handles the events of a seller's socket. Sellers have no HTTP endpoints: this is their whole API. */
export function handleSellerEvents(
  socket: PeerSocket,
  { db, addressOf, jobs, announcer, log, sellerId }: Options,
): void {
  const from = { socket, log }
  const chat = { db, addressOf }
  handleReturnEvents(socket, { db, addressOf, jobs, log, sellerId })

  handleEvent(from, events.sendSellerMessage, SellerMessageSent, async ({ customerId, text, clientId }) => {
    const sent = { userId: customerId, sellerId, sender: 'seller' as const }
    const { message, isNew } = await storeMessage(chat, { ...sent, text, clientId })
    if (isNew) announceMessage(announcer, sent, message)
    return { message: z.encode(Message, message) }
  })

  handleEvent(from, events.markSeen, SellerHasSeen, async ({ customerId }) => {
    const between = { userId: customerId, sellerId }
    const upTo = await markSeen(db, between, 'seller')
    if (upTo !== null) announceSeen(announcer, between, 'seller', upTo)
    return {}
  })

  handleEvent(from, events.getMessages, MessagesAsked, async ({ customerId, since }) => {
    if (customerId === undefined) return { customers: await readCustomers(db, sellerId) }
    const page = await readMessages(chat, { userId: customerId, sellerId }, { viewer: 'seller', since })
    return z.encode(getMessages.output, page)
  })
}

import type { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import type { Announcer } from './announcer.ts'
import type { Between, Side } from './conversations.ts'

/** Sends a stored message to all windows of both sides. */
export function announceMessage(
  announcer: Announcer,
  { userId, sellerId, sender }: Between & { sender: Side },
  message: Message,
): void {
  const { clientId, ...forOther } = message
  if (sender === 'customer') {
    announcer.toCustomer(userId, events.ownMessage, message)
    announcer.toSeller(sellerId, events.customerMessage, forOther)
  } else {
    announcer.toSeller(sellerId, events.ownMessage, message)
    announcer.toCustomer(userId, events.sellerMessage, forOther)
  }
}

/** Tells both sides that a customer's message was deleted. */
export function announceDeletion(announcer: Announcer, { userId, sellerId }: Between, messageId: string): void {
  const payload = { sellerId, customerId: userId, messageId }
  announcer.toCustomer(userId, events.messageDeleted, payload)
  announcer.toSeller(sellerId, events.messageDeleted, payload)
}

/**
 * Tells the other side that its messages were seen and, if the customer has seen them, the customer's other windows
 * too.
 */
export function announceSeen(announcer: Announcer, { userId, sellerId }: Between, side: Side, upTo: number): void {
  if (side === 'customer') {
    announcer.toCustomer(userId, events.messagesRead, { sellerId, upTo })
    announcer.toSeller(sellerId, events.messagesSeen, { customerId: userId, upTo })
  } else announcer.toCustomer(userId, events.messagesSeen, { sellerId, upTo })
}

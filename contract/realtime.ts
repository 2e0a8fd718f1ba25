import type { Message } from './chat.ts'
import type { ReturnKind, ReturnStatus } from './returns.ts'

/** Path of the Socket.IO endpoint. */
export const SOCKET_PATH = '/socket.io'

/**
 * The socket events by their names on the wire. Messages have the shape of `Message` in the chat contract. An event
 * that fails is acknowledged with `{error, code}`; with the code `UNAVAILABLE` the same event may succeed in a moment.
 */
export const events = {
  /**
   * Customer → provider: `customerId, {id, name}`. The provider ignores both and identifies the customer by the
   * handshake token. A connection without one signs in with `{token}` as third argument, acknowledged with `{}` or
   * `{error, code}`.
   */
  addUser: 'add_user',
  /** Customer → provider. Ignored: messages are sent by HTTP. */
  sendCustomerMessage: 'send_customer_message',
  /** Seller → provider. The handshake token identifies the seller. */
  addSeller: 'add_seller',
  /** Seller → provider: `{customerId, text, clientId}`, acknowledged with `{message}` or `{error}`. */
  sendSellerMessage: 'send_seller_message',
  /** Seller → provider: `{customerId}`. Marks everything that the customer has written so far as seen. */
  markSeen: 'mark_seen',
  /**
   * Seller → provider: `{customerId, since}`, acknowledged with the output of the HTTP call `getMessages` in chat.ts;
   * without customerId: `{customers}`.
   */
  getMessages: 'get_messages',
  /**
   * Seller → provider: `{all, before}`, acknowledged with `{returns, hasMore}` or `{error}`: the newest open returns of
   * the shop, or of all, at most 200. If there are more, `before`, the id of the last one, gets the next ones.
   */
  getReturns: 'get_returns',
  /** Seller → provider: `{returnId}`. Accepts the return, or refunds a cancellation. Ack: `{status}` or `{error}`. */
  approveReturn: 'approve_return',
  /** Seller → provider: `{returnId, answer}`; `answer` tells the customer why. Ack like `approve_return`. */
  declineReturn: 'decline_return',
  /** Seller → provider: `{returnId, restock}`. The goods have arrived: refunds them. Ack like `approve_return`. */
  receiveReturn: 'receive_return',
  /** Provider → customer: a message from the seller. */
  sellerMessage: 'seller_message',
  /** Provider → customer: `[{sellerId}]`, the sellers who are online. */
  activeSeller: 'activeSeller',
  /** Provider → both: a message that the same user sent from another window. */
  ownMessage: 'own_message',
  /** Provider → both: `{sellerId, customerId, messageId}`. */
  messageDeleted: 'message_deleted',
  /** Provider → both: `{sellerId, upTo}` or `{customerId, upTo}`: that side has seen the messages up to this `seq`. */
  messagesSeen: 'messages_seen',
  /** Provider → customer: `{sellerId, upTo}`: another window of the customer has opened messages up to this `seq`. */
  messagesRead: 'messages_read',
  /** Provider → customer: there is a new notification, or one was read in another window. */
  notification: 'notification',
  /** Provider → seller: a message from the customer. */
  customerMessage: 'customer_message',
  /**
   * Provider → seller: `{returnId, kind, status}`. A cancellation or return of the shop is new, has this status now, or
   * has more pictures; `get_returns` has the rest. Null: events may have been missed.
   */
  returnChanged: 'return_changed',
} as const

interface MessageDeleted {
  sellerId: string
  customerId: string
  messageId: string
}

interface MessagesSeen {
  sellerId: string
  upTo: number
}

/** The provider's acknowledgement of `add_user`. */
export interface AddUserAnswer {
  error?: string
  code?: string
}

export interface ActiveSeller {
  sellerId: string
}

/** The id of a new or newly read notification; null if there are several. */
interface NotificationChanged {
  id: string | null
}

export interface ReturnChanged {
  returnId: string
  kind: ReturnKind
  status: ReturnStatus
}

/** Payloads of the events that the provider sends to customers. */
export interface CustomerEvents {
  [events.sellerMessage]: Message
  [events.ownMessage]: Message
  [events.activeSeller]: ActiveSeller[]
  [events.messageDeleted]: MessageDeleted
  [events.messagesSeen]: MessagesSeen
  [events.messagesRead]: MessagesSeen
  [events.notification]: NotificationChanged
}

/** Payloads of the events that the provider sends to sellers. */
export interface SellerEvents {
  [events.customerMessage]: Message
  [events.ownMessage]: Message
  [events.messageDeleted]: MessageDeleted
  [events.messagesSeen]: { customerId: string; upTo: number }
  [events.returnChanged]: ReturnChanged | null
}

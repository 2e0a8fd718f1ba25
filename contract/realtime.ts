import type { Message } from './chat.ts'

/** The address of the socket, below the shop's own. */
export const SOCKET_PATH = '/socket.io'

/** The sockets' events by their names on the wire; messages travel as in the contract of the chat. */
export const events = {
  /**
   * Customer → provider: `customerId, {id, name}`, which are not believed: the token of the handshake says who it is. A
   * connection without one becomes a customer's by `{token}` as the third value, acknowledged with `{}` or `{error, code}`.
   */
  addUser: 'add_user',
  /** Customer → provider; not believed: what is sent travels by HTTP. */
  sendCustomerMessage: 'send_customer_message',
  /** Seller → provider; who it is stands in the token of the handshake. */
  addSeller: 'add_seller',
  /** Seller → provider: `{customerId, text, clientId}`, acknowledged with `{message}` or `{error}`. */
  sendSellerMessage: 'send_seller_message',
  /** Seller → provider: `{customerId}`; everything the customer wrote so far is seen. */
  markSeen: 'mark_seen',
  /** Seller → provider: `{customerId, since}`, acknowledged as `getMessages`; without customerId `{customers}`. */
  getMessages: 'get_messages',
  /** Provider → customer: a message of the seller. */
  sellerMessage: 'seller_message',
  /** Provider → customer: `[{sellerId}]`, the sellers who are online. */
  activeSeller: 'activeSeller',
  /** Provider → both: a message that one of their own windows sent. */
  ownMessage: 'own_message',
  /** Provider → both: `{sellerId, customerId, messageId}`. */
  messageDeleted: 'message_deleted',
  /** Provider → both: `{sellerId, upTo}` or `{customerId, upTo}`, they have seen what came up to that `seq`. */
  messagesSeen: 'messages_seen',
  /** Provider → customer: `{sellerId, upTo}`, one of the customer's own windows has opened what came up to that `seq`. */
  messagesRead: 'messages_read',
  /** Provider → customer: there is something new to read, or something was read in another window. */
  notification: 'notification',
  /** Provider → seller: a message of the customer. */
  customerMessage: 'customer_message',
} as const

/** What the provider says besides messages. */
interface MessageDeleted {
  sellerId: string
  customerId: string
  messageId: string
}

interface MessagesSeen {
  sellerId: string
  upTo: number
}

/** How the provider acknowledges `add_user`. */
export interface AddUserAnswer {
  error?: string
  code?: string
}

export interface ActiveSeller {
  sellerId: string
}

/** A notification that is new or was read; null for several. */
interface NotificationNews {
  id: string | null
}

/** The provider's events to customers with what comes along. */
export interface CustomerHears {
  [events.sellerMessage]: Message
  [events.ownMessage]: Message
  [events.activeSeller]: ActiveSeller[]
  [events.messageDeleted]: MessageDeleted
  [events.messagesSeen]: MessagesSeen
  [events.messagesRead]: MessagesSeen
  [events.notification]: NotificationNews
}

/** The provider's events to sellers with what comes along. */
export interface SellerHears {
  [events.customerMessage]: Message
  [events.ownMessage]: Message
  [events.messageDeleted]: MessageDeleted
  [events.messagesSeen]: { customerId: string; upTo: number }
}

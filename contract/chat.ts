import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { Acknowledgement, Done, Id, isBlank, plain, Usd } from './wire.ts'

/** Maximum characters of one message. */
export const MAX_MESSAGE_LENGTH = 5000
/** Maximum messages in one response. */
export const MESSAGES_PAGE = 200
export const MAX_FILES = 5
export const MAX_FILE_BYTES = 25 * 1024 * 1024
export const MAX_UPLOAD_BYTES = 60 * 1024 * 1024
/** File types offered by the file picker. The provider also checks the files' contents. */
export const FILE_EXTENSIONS = 'jpg jpeg png webp gif mp4 webm mov pdf doc docx txt zip rar'.split(' ')

/** `url` is signed and expires. `size` is in bytes. Pictures have `width` and `height`. */
export const Attachment = z.object({
  type: z.enum(['image', 'video', 'other']),
  url: z.string(),
  mimeType: z.string(),
  originalName: z.string(),
  size: z.int(),
  width: z.optional(z.int()),
  height: z.optional(z.int()),
})
export type Attachment = z.output<typeof Attachment>

/** The subject of a message: one of the shop's products, or one of the customer's orders from it. Exactly one id. */
export const AboutIds = z.object({ productId: z.optional(Id('productId')), orderId: z.optional(Id('orderId')) })
export type AboutIds = z.output<typeof AboutIds>

/**
 * The subject of a message as a card: a snapshot from when the message was sent. `price` is the price of the product,
 * or of the shop's part of the order.
 */
export const About = renamed(
  {
    productId: z.optional(z.string()),
    orderId: z.optional(z.string()),
    name: z.string(),
    image: z._default(z.string(), ''),
    price: Usd,
    /** Path of the page of the product or order. */
    path: z.string(),
  },
  { price: 'priceCents' },
)
export type About = z.output<typeof About>

/**
 * `seq` numbers the messages of one conversation in the order in which they were stored: 1, 2, 3 … It is 0 from
 * providers that do not number messages. `status` is `seen` once the recipient has opened the conversation after it was
 * sent. `clientId` is chosen by the sender's client.
 */
export const Message = renamed(
  {
    _id: z.string(),
    senderId: z.string(),
    receverId: z.string(),
    senderName: z.string(),
    message: z.string(),
    createdAt: z.iso.datetime(),
    status: z.catch(z.enum(['sent', 'seen']), 'sent'),
    attachments: z._default(z.array(Attachment), []),
    automated: z._default(z.boolean(), false),
    seq: z._default(z.int(), 0),
    clientId: z.optional(z.string()),
    needsAttention: z._default(z.boolean(), false),
    about: z.optional(About),
  },
  { _id: 'id', receverId: 'receiverId', message: 'text', automated: 'isAutomated' },
)
export type Message = z.output<typeof Message>

/** The customer's own words in a message, without the URL of its card, with which the text ends. */
export function wordsOf({ text, about }: { text: string; about?: Pick<About, 'path'> | null | undefined }): string {
  const address = text.split('\n').at(-1) ?? ''
  return about && address.endsWith(about.path) ? text.slice(0, -address.length).trimEnd() : text
}

/**
 * A shop that the customer chats with. `unread` counts its messages that the customer has not opened. `replyHours` is
 * that of `Seller`.
 */
export const Friend = renamed(
  {
    fdId: z.string(),
    name: z.string(),
    image: z._default(z.string(), ''),
    unread: z._default(z.int(), 0),
    lastMessage: z._default(z.string(), ''),
    lastAt: z.optional(z.iso.datetime()),
    replyHours: z.optional(z.nullable(z.int())),
  },
  { fdId: 'id' },
)
export type Friend = z.output<typeof Friend>

/**
 * Opens the conversation with a seller and adds the seller to the customer's friends. An empty `sellerId` only lists
 * the friends, most recent first. `messages` are the newest 200, oldest first.
 */
export const openConversation = endpoint({
  method: 'POST',
  path: '/chat/customer/add-customer-friend',
  input: z.object({ sellerId: Id('sellerId'), userId: Id('userId') }),
  output: renamed(
    { messages: z.optional(z.array(Message)), currentFd: z.optional(Friend), myFriends: z.array(Friend) },
    { currentFd: 'current', myFriends: 'friends' },
  ),
  isForCustomers: true,
})

/**
 * With `since`, the messages stored after that message id; with `before`, the newest 200 before that one; with neither,
 * the newest 200. Oldest first.
 */
export const getMessages = endpoint({
  method: 'GET',
  path: '/chat/customer/messages/:sellerId',
  input: z.object({ sellerId: Id('sellerId'), since: z.optional(Id('since')), before: z.optional(Id('before')) }),
  output: renamed(
    {
      messages: z.array(Message),
      /** Ids of recently deleted messages of this conversation. */
      deleted: z._default(z.array(z.string()), []),
      /** The seller has seen the customer's messages up to and including this `seq`. */
      seenUpTo: z._default(z.int(), 0),
      /** There are more messages to fetch: newer ones or, with `before`, older ones. */
      hasMore: z._default(z.boolean(), false),
    },
    { deleted: 'deletedIds' },
  ),
  isForCustomers: true,
})

const clientId = z.optional(Id('clientId'))

/**
 * Repeating a `clientId` returns the stored message. `name` is ignored: the provider uses the account's name. 404 if
 * `about` names a product of another shop, or an order that is not the customer's or has no part of this shop.
 */
export const sendMessage = endpoint({
  method: 'POST',
  path: '/chat/customer/send-message-to-seller',
  input: z.object({
    userId: Id('userId'),
    sellerId: Id('sellerId'),
    text: plain('text').check(
      z.refine(value => !isBlank(value), 'A message needs a text'),
      z.maxLength(MAX_MESSAGE_LENGTH, `A message has at most ${MAX_MESSAGE_LENGTH} characters`),
    ),
    name: z.optional(z.string()),
    clientId,
    about: z.optional(AboutIds),
  }),
  output: z.object({ message: Message }),
  isForCustomers: true,
})

/**
 * One message with files. Sent as multipart: the other fields first, then the files in the field `files`. `productId`
 * or `orderId` is what it is about, with the errors of `sendMessage`.
 */
export const sendFiles = endpoint({
  method: 'POST',
  path: '/chat/customer/send-file-to-seller',
  input: renamed(
    {
      userId: Id('userId'),
      sellerId: Id('sellerId'),
      message: z._default(
        plain('message').check(
          z.maxLength(MAX_MESSAGE_LENGTH, `A message has at most ${MAX_MESSAGE_LENGTH} characters`),
        ),
        '',
      ),
      name: z.optional(z.string()),
      clientId,
      ...AboutIds.shape,
    },
    { message: 'text' },
  ),
  output: z.object({ message: Message }),
  isForCustomers: true,
  isMultipart: true,
})

/** Marks everything that the seller has written so far as seen. */
export const markSeen = endpoint({
  method: 'POST',
  path: '/chat/customer/mark-seen',
  input: renamed({ sellerId: Id('sellerId'), customerId: Id('customerId') }, { customerId: 'userId' }),
  output: Done,
  isForCustomers: true,
})

/** Deletes one of the customer's own messages, including its files. */
export const deleteMessage = endpoint({
  method: 'POST',
  path: '/chat/seller/delete-message',
  input: z.object({ messageId: Id('messageId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Whether the shop has automated replies. */
export const getAiStatus = endpoint({
  method: 'POST',
  path: '/home/isai',
  input: z.object({ sellerId: Id('sellerId') }),
  output: renamed({ isai: z.boolean() }, { isai: 'hasAi' }),
})

/** Default routing of this API family for sellers’ clients; nothing in Piazza reads it. */
export const AI_ROUTING_DEFAULTS = { complexQueries: true, highValueCustomers: true, afterHours: false }

export const CATEGORIES = [
  'product_inquiry',
  'shipping_status',
  'return_refund',
  'technical_issue',
  'general_query',
  'urgent_support',
] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * The shop's automated reply to one of the customer's messages. Repeated requests return the same reply. 404 if a
 * person of the shop has written since; 422 if the shop has no automated replies; 503 'Error fetching AI response' if
 * none is available at the moment.
 */
export const getAiReply = endpoint({
  method: 'POST',
  path: '/chat/customer/ai-reply',
  input: z.object({ sellerId: Id('sellerId'), messageId: Id('messageId') }),
  output: z.object({ message: Message, category: z.enum(CATEGORIES), needsAttention: z.boolean() }),
  isForCustomers: true,
})

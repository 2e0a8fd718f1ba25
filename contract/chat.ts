import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { Acknowledgement, Done, Id, isBlank, plain } from './wire.ts'

/** Characters of one message. */
export const LONGEST_MESSAGE = 5000
/** How many messages one answer holds at most. */
export const MESSAGES_PAGE = 200
export const MAX_FILES = 5
export const MAX_FILE_BYTES = 25 * 1024 * 1024
export const MAX_UPLOAD_BYTES = 60 * 1024 * 1024
/** What the file picker offers; the provider looks into the files besides. */
export const FILE_EXTENSIONS = 'jpg jpeg png webp gif mp4 webm mov pdf doc docx txt zip rar'.split(' ')

/** `url` is signed and expires; `size` in bytes; a picture has its width and height. */
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

/**
 * `seq` orders the messages of one conversation: it rises by one with each, in the order in which they were stored. It
 * is 0 from a provider that does not number them. `status` is `seen` once the other side has opened the conversation since. `clientId` is the sender's own name for it.
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
  },
  { _id: 'id', receverId: 'receiverId', message: 'text', automated: 'isAutomated' },
)
export type Message = z.output<typeof Message>

/** A shop that the customer talks to; `unread` counts what it wrote and the customer has not opened. */
export const Friend = renamed(
  {
    fdId: z.string(),
    name: z.string(),
    image: z._default(z.string(), ''),
    unread: z._default(z.int(), 0),
    lastMessage: z._default(z.string(), ''),
    lastAt: z.optional(z.iso.datetime()),
  },
  { fdId: 'id' },
)
export type Friend = z.output<typeof Friend>

/**
 * Opens the conversation with a seller, who becomes a friend; an empty `sellerId` only lists the friends, the latest
 * first. `messages` are the newest 200, oldest first.
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
 * What was stored after the message `since`, or the newest 200 before the message `before`; without either the newest
 * 200. Oldest first.
 */
export const getMessages = endpoint({
  method: 'GET',
  path: '/chat/customer/messages/:sellerId',
  input: z.object({ sellerId: Id('sellerId'), since: z.optional(Id('since')), before: z.optional(Id('before')) }),
  output: renamed(
    {
      messages: z.array(Message),
      /** The ids of messages of this conversation that were deleted lately. */
      deleted: z._default(z.array(z.string()), []),
      /** The seller has seen the customer's messages up to this `seq`. */
      seenUpTo: z._default(z.int(), 0),
      /** There are more after these, or with `before` in front of them: ask again. */
      hasMore: z._default(z.boolean(), false),
    },
    { deleted: 'deletedIds' },
  ),
  isForCustomers: true,
})

const clientId = z.optional(Id('clientId'))

/** The same `clientId` again answers the message that is stored already. The name is the account's, whatever is sent. */
export const sendMessage = endpoint({
  method: 'POST',
  path: '/chat/customer/send-message-to-seller',
  input: z.object({
    userId: Id('userId'),
    sellerId: Id('sellerId'),
    text: plain('text').check(
      z.refine(value => !isBlank(value), 'A message needs a text'),
      z.maxLength(LONGEST_MESSAGE, `A message has at most ${LONGEST_MESSAGE} characters`),
    ),
    name: z.optional(z.string()),
    clientId,
  }),
  output: z.object({ message: Message }),
  isForCustomers: true,
})

/** One message with files; they travel as multipart in the field `files`, after the other fields. */
export const sendFiles = endpoint({
  method: 'POST',
  path: '/chat/customer/send-file-to-seller',
  input: renamed(
    {
      userId: Id('userId'),
      sellerId: Id('sellerId'),
      message: z._default(
        plain('message').check(z.maxLength(LONGEST_MESSAGE, `A message has at most ${LONGEST_MESSAGE} characters`)),
        '',
      ),
      name: z.optional(z.string()),
      clientId,
    },
    { message: 'text' },
  ),
  output: z.object({ message: Message }),
  isForCustomers: true,
  isMultipart: true,
})

/** Everything the seller wrote so far is seen. */
export const markSeen = endpoint({
  method: 'POST',
  path: '/chat/customer/mark-seen',
  input: renamed({ sellerId: Id('sellerId'), customerId: Id('customerId') }, { customerId: 'userId' }),
  output: Done,
  isForCustomers: true,
})

/** The customer's own messages only; its files go too. */
export const deleteMessage = endpoint({
  method: 'POST',
  path: '/chat/seller/delete-message',
  input: z.object({ messageId: Id('messageId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Whether the shop answers by itself. */
export const getAiStatus = endpoint({
  method: 'POST',
  path: '/home/isai',
  input: z.object({ sellerId: Id('sellerId') }),
  output: renamed({ isai: z.boolean() }, { isai: 'hasAi' }),
})

/** Which conversations an automated assistant hands to a person, until a seller says otherwise. */
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
 * The shop's automated answer to one of the customer's messages; asked again, the same answer. 422 where the shop has
 * no automated replies, 503 'Error fetching AI response' when there is none now.
 */
export const getAiReply = endpoint({
  method: 'POST',
  path: '/chat/customer/ai-reply',
  input: z.object({ sellerId: Id('sellerId'), messageId: Id('messageId') }),
  output: z.object({ message: Message, category: z.enum(CATEGORIES), needsAttention: z.boolean() }),
  isForCustomers: true,
})

import type { Context, Hono } from 'hono'
import * as contract from '#contract/chat.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn, signedInAs } from '../http/mount.ts'
import { takeBoth } from '../http/take-both.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { MountUpload } from '../uploads/routes.ts'
import { readAbout } from './about.ts'
import { type AiOptions, openAiReplies } from './ai-reply.ts'
import { announceDeletion, announceMessage, announceSeen } from './announcing.ts'
import { deleteMessage, readMessages } from './history.ts'
import { findStored, type NewMessage, storeMessage } from './messages.ts'
import { hasAi, markSeen, openConversation, readFriends } from './conversations.ts'

interface Options extends AiOptions {
  uploads: Pick<Uploads, 'remove'>
  mountUpload: MountUpload
}

/** About what the database needs for a message besides its text. */
const MESSAGE_BYTES = 400

export function chatRoutes(app: Hono<Env>, options: Options): void {
  const { db, addressOf, uploads, announcer, mountUpload } = options
  const chat = { db, addressOf }
  const aiReplies = openAiReplies(options)

  type Sent = Omit<NewMessage, 'sender'>

  /**
   * Stores a customer's message and counts its bytes, unless it was stored before: then it may be about a product that
   * is no longer in the shop.
   */
  async function storeCounted(c: Context<Env>, message: Sent, ids: contract.AboutIds | undefined) {
    const repeated = await findStored(chat, { ...message, sender: 'customer' })
    if (repeated) return { message: repeated, isNew: false }
    const bytes = Buffer.byteLength(message.text) + MESSAGE_BYTES
    const giveBack = await takeBoth(c, ['chatBytes', 'chatBytesPerIp'], message.userId, bytes)
    let isStored = false
    try {
      const stored = await storeFromCustomer(message, ids)
      isStored = stored.isNew
      return stored
    } finally {
      if (!isStored) await giveBack()
    }
  }

  async function storeFromCustomer(message: Sent, ids: contract.AboutIds | undefined) {
    const sent = { ...message, sender: 'customer' as const }
    const stored = await storeMessage(chat, { ...sent, about: ids && (await readAbout(db, sent, ids)) })
    if (stored.isNew) announceMessage(announcer, sent, stored.message)
    return stored
  }

  mount(
    app,
    contract.openConversation,
    async ({ sellerId, userId }, c) => {
      const between = { userId: signedInAs(c, userId), sellerId }
      if (sellerId === '') return { friends: await readFriends(db, userId) }
      await openConversation(db, between)
      const { messages } = await readMessages(chat, between, { viewer: 'customer' })
      const [current] = await readFriends(db, userId, sellerId)
      return { messages, current, friends: await readFriends(db, userId) }
    },
    { status: 201 },
  )

  mount(app, contract.getMessages, ({ sellerId, since, before }, c) =>
    readMessages(chat, { userId: signedIn(c).id, sellerId }, { viewer: 'customer', since, before }),
  )

  mount(
    app,
    contract.sendMessage,
    async ({ userId, sellerId, text, clientId, about }, c) => {
      const limits = c.get('limits')
      await limits.take('chat', signedInAs(c, userId))
      const { message, isNew } = await storeCounted(c, { userId, sellerId, text, clientId }, about)
      if (!isNew) await limits.giveBack('chat', userId)
      return { message }
    },
    { status: 201 },
  )

  mountUpload(app, contract.sendFiles, {
    check: ({ userId }, c) => void signedInAs(c, userId),
    async store({ userId, sellerId, text, clientId, productId, orderId }, files, c) {
      const about = productId || orderId ? { productId, orderId } : undefined
      const { message, isNew } = await storeCounted(c, { userId, sellerId, text, clientId, files }, about)
      return { answer: { message }, isNew }
    },
  })

  mount(app, contract.markSeen, async ({ sellerId, userId }, c) => {
    const between = { userId: signedInAs(c, userId), sellerId }
    const upTo = await markSeen(db, between, 'customer')
    if (upTo !== null) announceSeen(announcer, between, 'customer', upTo)
    return { message: 'Messages seen' }
  })

  mount(app, contract.deleteMessage, async ({ messageId }, c) => {
    const { id: userId } = signedIn(c)
    const { sellerId, fileKeys } = await deleteMessage(db, userId, messageId)
    announceDeletion(announcer, { userId, sellerId }, messageId)
    await uploads.remove(fileKeys)
    return { message: 'Message deleted successfully' }
  })

  mount(app, contract.getAiStatus, async ({ sellerId }) => ({ hasAi: await hasAi(db, sellerId) }))

  mount(
    app,
    contract.getAiReply,
    ({ sellerId, messageId }, c) => {
      const withinIpLimit = () => c.get('limits').allows('aiPerIp', c.get('ip'))
      return aiReplies.reply({ userId: signedIn(c).id, sellerId }, messageId, withinIpLimit)
    },
    { status: 201 },
  )
}

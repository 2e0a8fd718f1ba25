import { eq } from 'drizzle-orm'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events, SOCKET_PATH } from '#contract/realtime.ts'
import type { Db } from '#server/db/types.ts'
import { conversations, messages } from '#server/db/schema.ts'
import { openSellerConnection } from '#server/operators/cli/seller-connection.ts'
import type { Api } from '#lib/api.ts'
import { screen } from '../provider/talk.ts'

interface Customer {
  id: string
  token: string
  api: Api
}

type Screen = ReturnType<typeof screen>

const RECONNECT_MS = 1000
/** nginx chooses a process by the client's address: each window has one of these. */
const ADDRESSES = 20

/** One window of each customer and one of their shop. They load messages that they missed, as the storefront does. */
export async function openChatWindows({ url, seller }: { url: string; seller: { id: string; token: string } }) {
  const hers = new Map<string, Screen>()
  const theirs = new Map<string, Screen>()
  const sockets: Socket[] = []
  const line = await openSellerConnection({
    url,
    token: seller.token,
    onMessage: message => (theirs.get(message.senderId) ?? theirs.get(message.receiverId))?.show(message),
    onReconnect: () => theirs.forEach(each => void each.catchUp()),
    tries: Infinity,
    reconnectMs: RECONNECT_MS,
  })

  return {
    /** Opens the chat of a customer with the shop, in a window of the customer and in the shop’s. */
    async open({ id, token, api }: Customer): Promise<void> {
      if (hers.has(id)) return
      await api.openConversation({ userId: id, sellerId: seller.id })
      const own = screen(`${id} hers`, since => api.getMessages({ sellerId: seller.id, since }))
      hers.set(id, own)
      theirs.set(
        id,
        screen(`${id} theirs`, since => line.messages(id, since)),
      )
      // The types lack `localAddress`, which is passed to Node.
      const options = {
        path: SOCKET_PATH,
        auth: { token },
        transports: ['websocket'],
        forceNew: true,
        reconnectionDelay: RECONNECT_MS,
        localAddress: `127.0.0.${1 + (sockets.length % ADDRESSES)}`,
      }
      const socket = io(url, options)
      sockets.push(socket)
      socket.on('connect', () => void own.catchUp())
      // The shop could not look up the token: Socket.IO does not try again.
      socket.on('connect_error', () => void (socket.active || setTimeout(() => socket.connect(), RECONNECT_MS)))
      for (const event of [events.sellerMessage, events.ownMessage])
        socket.on(event, (payload: z.input<typeof Message>) => own.show(z.decode(Message, payload)))
    },
    /** Sends the shop’s message to a customer; resolves when it is stored. */
    reply: (customerId: string, text: string) => line.send(customerId, text),
    /** Both windows of each conversation show each stored message once and in order. */
    async examine(db: Db): Promise<void> {
      for (const [id, own] of hers) {
        const rows = await db
          .select({ seq: messages.seq, text: messages.text })
          .from(messages)
          .innerJoin(conversations, eq(messages.conversationId, conversations.id))
          .where(eq(conversations.userId, id))
          .orderBy(messages.seq)
        for (const { shown } of [own, theirs.get(id)!])
          await expect.poll(() => shown().map(({ seq, text }) => ({ seq, text }))).toEqual(rows)
      }
    },
    close(): void {
      line.close()
      for (const socket of sockets) socket.disconnect()
    },
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events, SOCKET_PATH } from '#contract/realtime.ts'
import { openSellerConnection } from '#server/operators/cli/seller-connection.ts'
import { ApiError } from '#lib/api.ts'
import { oneAtATime } from '#lib/one-at-a-time.ts'
import { isKnown, messagesOf, putMessage, putNewest, putNext, syncedId } from '#stores/chat/threads.ts'
import { apiAt } from '../processes/api-at.ts'

interface Talk {
  url: string
  customer: { id: string; token: string }
  seller: { id: string; token: string }
  /** Number of messages that each side sends. */
  count: number
  /** Called with the number of messages that both have sent so far. */
  onSent: (sent: number) => void
}

interface Page {
  messages: Message[]
  hasMore: boolean
}

const RETRY_MS = 20
const RECONNECT_MS = 50

/** What one side sees. It loads missing messages as the storefront does. */
export function screen(name: string, read: (since?: string) => Promise<Page>) {
  async function ask(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const since = syncedId(name)
      const page = await again(() => read(since))
      if (since) putNext(name, page.messages)
      else putNewest(name, page.messages)
      hasMore = page.hasMore
    }
  }
  const catchUp = oneAtATime(ask)
  return {
    catchUp,
    show(message: Message) {
      if (!isKnown(name) || !putMessage(name, message)) void catchUp()
    },
    shown: () => messagesOf(name),
  }
}

/**
 * A customer and a seller who send messages at the same time, each in one window that shows incoming messages and loads
 * missing ones. Resolves with what both windows show once all messages are sent.
 */
export async function talk({ url, customer, seller, count, onSent }: Talk) {
  const api = apiAt(url, customer.token)
  const between = { userId: customer.id, sellerId: seller.id }
  await api.openConversation(between)

  const hers = screen(`${seller.id} hers`, since => api.getMessages({ sellerId: seller.id, since }))
  const socket = io(url, {
    path: SOCKET_PATH,
    auth: { token: customer.token },
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: RECONNECT_MS,
    reconnectionDelayMax: RECONNECT_MS * 4,
  })
  socket.on('connect', () => void hers.catchUp())
  for (const event of [events.sellerMessage, events.ownMessage])
    socket.on(event, (payload: z.input<typeof Message>) => hers.show(z.decode(Message, payload)))

  const theirs = screen(`${seller.id} theirs`, since => line.messages(customer.id, since))
  const line = await openSellerConnection({
    url,
    token: seller.token,
    onMessage: theirs.show,
    onReconnect: () => void theirs.catchUp(),
    tries: Infinity,
    reconnectMs: RECONNECT_MS,
  })

  let sent = 0
  const say = async (send: (text: string) => Promise<unknown>, name: string) => {
    for (let at = 0; at < count; at += 1) {
      await send(`${name} ${at}`)
      onSent((sent += 1))
    }
  }
  const write = (text: string) => {
    const clientId = randomUUID()
    return again(() => api.sendMessage({ ...between, text, clientId }))
  }
  await Promise.all([say(write, 'hers'), say(text => line.send(customer.id, text), 'theirs')])
  return {
    hers: hers.shown,
    theirs: theirs.shown,
    close() {
      socket.disconnect()
      line.close()
    },
  }
}

/** Retries after network and server errors. Rethrows the shop's 4xx errors. */
export async function again<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error
      await sleep(RETRY_MS)
    }
  }
}

import { randomUUID } from 'node:crypto'
import { io } from 'socket.io-client'
import * as z from 'zod/mini'
import { getMessages, Message } from '#contract/chat.ts'
import { events, SOCKET_PATH } from '#contract/realtime.ts'
import type { ChatCustomer } from '#server/chat/conversations.ts'

type Page = z.output<typeof getMessages.output>

/** A shop's connection to its customers; it comes back by itself when it is lost. */
export interface SellerLine {
  /** Whom the shop talks to, the latest first. */
  customers(): Promise<ChatCustomer[]>
  /** The newest messages with a customer, or what came after `since`. */
  messages(customerId: string, since?: string): Promise<Page>
  /** Resolves when the message is stored: once, however often it had to be sent. */
  send(customerId: string, text: string): Promise<Message>
  /** Everything the customer wrote so far is seen. */
  markSeen(customerId: string): Promise<void>
  close(): void
}

interface Options {
  url: string
  /** As `market seller token` prints it. */
  token: string
  /** Of a customer, or of the shop itself by another connection. */
  onMessage?: (message: Message) => void
  /** The line is there again: something may have been missed. */
  onReconnect?: () => void
  /** How often is said what nobody answers. */
  tries?: number
  /** How long the first wait for a connection that was lost is. */
  reconnectMs?: number
  /** Ends what is waited for: the connection, or an answer. */
  signal?: AbortSignal
}

const ANSWER_MS = 5000
const TRIES = 5
const RECONNECT_MS = 1000

/** Connects a shop. Rejects when its token is refused or nobody answers, and with the reason of an aborted `signal`. */
export async function openSellerLine(options: Options): Promise<SellerLine> {
  const { url, token, onMessage, onReconnect, tries = TRIES, reconnectMs = RECONNECT_MS, signal } = options
  const socket = io(url, {
    path: SOCKET_PATH,
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: reconnectMs,
    reconnectionDelayMax: reconnectMs * 5,
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('connect', resolve)
  socket.once('connect_error', reject)
  await orAborted(promise, signal).catch((error: unknown) => {
    socket.disconnect()
    throw error
  })
  socket.on('connect', () => onReconnect?.())
  for (const event of [events.customerMessage, events.ownMessage])
    socket.on(event, (said: z.input<typeof Message>) => onMessage?.(z.decode(Message, said)))

  async function ask<Answer>(event: string, said: object): Promise<Answer> {
    for (let times = 1; ; times += 1) {
      const asked = socket.timeout(ANSWER_MS).emitWithAck(event, said)
      const answer = (await orAborted(asked, signal).catch((error: unknown) => {
        if (times >= tries || signal?.aborted) throw error
      })) as (Answer & { error?: string }) | undefined
      if (answer?.error !== undefined) throw new Error(answer.error)
      if (answer) return answer
    }
  }

  return {
    customers: async () => (await ask<{ customers: ChatCustomer[] }>(events.getMessages, {})).customers,
    async messages(customerId, since) {
      const said = since === undefined ? { customerId } : { customerId, since }
      return z.decode(getMessages.output, await ask<z.input<typeof getMessages.output>>(events.getMessages, said))
    },
    async send(customerId, text) {
      const said = { customerId, text, clientId: randomUUID() }
      const { message } = await ask<{ message: z.input<typeof Message> }>(events.sendSellerMessage, said)
      return z.decode(Message, message)
    },
    markSeen: async customerId => void (await ask(events.markSeen, { customerId })),
    close: () => void socket.disconnect(),
  }
}

/** What `promise` resolves with, or rejects with the signal's reason. */
async function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return promise
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

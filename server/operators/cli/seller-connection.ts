import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import * as z from 'zod/mini'
import { getMessages, Message } from '#contract/chat.ts'
import { events, SOCKET_PATH } from '#contract/realtime.ts'
import type { ChatCustomer } from '#server/chat/conversations.ts'
import type { ErrorCode } from '#server/platform/errors.ts'

type Page = z.output<typeof getMessages.output>

/** A seller's socket connection; reconnects automatically. */
export interface SellerConnection {
  /** The customers with whom the shop chats, latest message first. */
  customers(): Promise<ChatCustomer[]>
  /** The newest messages with a customer, or those after the id `since`. */
  messages(customerId: string, since?: string): Promise<Page>
  /** Resolves when the message is stored; retries do not store it twice. */
  send(customerId: string, text: string): Promise<Message>
  /** Marks all messages of the customer so far as seen. */
  markSeen(customerId: string): Promise<void>
  close(): void
}

interface Options {
  url: string
  /** The token that `market seller token` prints. */
  token: string
  /** Called for messages from customers, and for the shop's own messages from any of its connections. */
  onMessage?: (message: Message) => void
  /** Called after a reconnection: messages may have been missed. */
  onReconnect?: () => void
  /** How many times a request is sent if there is no response, or the shop is unavailable for a moment. */
  tries?: number
  /** Milliseconds before the first attempt to reconnect or to repeat a request. */
  reconnectMs?: number
  /** Aborts waiting for the connection or a response. */
  signal?: AbortSignal
}

const ANSWER_MS = 5000
const TRIES = 5
const RECONNECT_MS = 1000

/**
 * Connects a seller. Rejects if the provider rejects the token or does not respond, and with the reason of `signal`
 * when that is aborted.
 */
export async function openSellerConnection(options: Options): Promise<SellerConnection> {
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
  let waiting: NodeJS.Timeout | undefined
  // Socket.IO itself connects again only if the network failed.
  socket.on('connect_error', ({ data }: Error & { data?: EventError }) => {
    if (isTransient(data)) waiting = setTimeout(() => socket.connect(), reconnectMs)
  })
  for (const event of [events.customerMessage, events.ownMessage])
    socket.on(event, (payload: z.input<typeof Message>) => onMessage?.(z.decode(Message, payload)))

  async function emitEvent<Answer>(event: string, payload: object): Promise<Answer> {
    for (let times = 1; ; times += 1) {
      const asked = socket.timeout(ANSWER_MS).emitWithAck(event, payload)
      const answer = (await orAborted(asked, signal).catch((error: unknown) => {
        if (times >= tries || signal?.aborted) throw error
      })) as (Answer & EventError) | undefined
      if (isTransient(answer) && times < tries) await orAborted(sleep(reconnectMs * times), signal)
      else if (answer?.error !== undefined) throw new Error(answer.error)
      else if (answer) return answer
    }
  }

  return {
    customers: async () => (await emitEvent<{ customers: ChatCustomer[] }>(events.getMessages, {})).customers,
    async messages(customerId, since) {
      const payload = since === undefined ? { customerId } : { customerId, since }
      const page = await emitEvent<z.input<typeof getMessages.output>>(events.getMessages, payload)
      return z.decode(getMessages.output, page)
    },
    async send(customerId, text) {
      const payload = { customerId, text, clientId: randomUUID() }
      const { message } = await emitEvent<{ message: z.input<typeof Message> }>(events.sendSellerMessage, payload)
      return z.decode(Message, message)
    },
    markSeen: async customerId => void (await emitEvent(events.markSeen, { customerId })),
    close() {
      clearTimeout(waiting)
      socket.disconnect()
    },
  }
}

interface EventError {
  error?: string
  code?: ErrorCode
}

/** Whether the same request may succeed in a moment. */
function isTransient(error: EventError | undefined): boolean {
  return error?.code === 'UNAVAILABLE'
}

/** Resolves like `promise`, or rejects with the signal's reason. */
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

import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { type CustomerHears, events } from '#contract/realtime.ts'
import type { LiveSocket } from '#lib/socket.ts'
import { type Customer, readToken } from '#lib/accounts/storage.ts'
import { client } from './client.ts'
import { $customer } from './accounts/session.ts'

type Event = keyof CustomerHears
type Listener = (told: never) => void

/** Whether the provider tells what happens at once; without it, stores ask from time to time. */
export const $isConnected = atom(false)
/** The ids of the sellers who are online. */
export const $onlineSellers = atom<ReadonlySet<string>>(new Set())

const RELOAD_MS = 5000
const listeners = new Map<string, Set<Listener>>()
let socket: LiveSocket | null = null
/** Whom the socket was opened for; null for a visitor. */
let owner: Customer | null = null
let turn = 0

/** Calls `listener` with what the provider tells of `event`, once there is a socket. Answers how to stop. */
export function hear<E extends Event>(event: E, listener: (told: CustomerHears[E]) => void): () => void {
  const known = listeners.get(event) ?? new Set()
  listeners.set(event, known.add(listener))
  return () => void known.delete(listener)
}

/** Tells the socket of a message that was stored: some providers of this API relay it to the seller, ours knows it. */
export function relay(message: Message): void {
  socket?.say(events.sendCustomerMessage, z.encode(Message, message))
}

/** Hands what the socket heard to the listeners; what is not as the contract says is nothing. */
export function told(event: string, value: unknown): void {
  const read = readings[event as Event]
  const news = read ? read(value) : value
  if (news === undefined) return
  for (const listener of listeners.get(event) ?? []) listener(news as never)
}

const readings: Partial<Record<Event, (value: unknown) => unknown>> = {
  [events.sellerMessage]: readMessage,
  [events.ownMessage]: readMessage,
  [events.activeSeller]: value => (Array.isArray(value) ? value : undefined),
}

function readMessage(value: unknown): Message | undefined {
  return z.safeDecode(Message, value as z.input<typeof Message>).data
}

hear(events.activeSeller, sellers => $onlineSellers.set(new Set(sellers.map(({ sellerId }) => sellerId))))

/** Stays connected as long as the page lives: as a visitor, then as the customer who signs in, until they sign out. */
export function connect(): void {
  void reopen()
  $customer.listen(customer => {
    if (socket && customer && !owner) {
      owner = customer
      socket.signIn()
    } else if (customer) void reopen()
    else close()
  })
  // A page with an open socket would not be kept for Back.
  addEventListener('pagehide', close)
  addEventListener('pageshow', ({ persisted }) => persisted && void reopen())
}

function close(): void {
  turn += 1
  socket?.close()
  socket = null
}

async function reopen(): Promise<void> {
  close()
  const mine = turn
  try {
    const { openSocket } = await import('#lib/socket.ts')
    if (mine !== turn) return
    owner = $customer.get()
    socket = openSocket({
      token: readToken,
      customer: () => $customer.get(),
      // Any call of the customer's renews a token that has expired.
      renew: async () => void (await client.api.getAccount({})),
      hear: told,
      onChange: isConnected => $isConnected.set(isConnected),
    })
  } catch {
    // The network failed; the code of the socket can be fetched later.
    setTimeout(() => mine === turn && void reopen(), RELOAD_MS)
  }
}

import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { type CustomerEvents, events } from '#contract/realtime.ts'
import type { LiveSocket } from '#lib/socket.ts'
import { type Customer, readToken } from '#lib/accounts/storage.ts'
import { client } from './page-client.ts'
import { $customer } from './accounts/session.ts'
import { $isConnected, emit, onEvent } from './socket-events.ts'

type Event = keyof CustomerEvents

/** The ids of the sellers who are online. */
export const $onlineSellers = atom<ReadonlySet<string>>(new Set())

const RELOAD_MS = 5000
let socket: LiveSocket | null = null
/** The customer for whom the socket was opened; null for a visitor. */
let owner: Customer | null = null
let turn = 0

/** Also sends a stored message over the socket: some providers of this API relay it to the seller. Ours ignores it. */
export function relay(message: Message): void {
  socket?.send(events.sendCustomerMessage, z.encode(Message, message))
}

/** Passes a socket event to its listeners. Payloads that do not match the contract are dropped. */
export function handleEvent(event: string, value: unknown): void {
  const decode = decoders[event as Event]
  const payload = decode ? decode(value) : value
  if (payload !== undefined) emit(event, payload)
}

const decoders: Partial<Record<Event, (value: unknown) => unknown>> = {
  [events.sellerMessage]: decodeMessage,
  [events.ownMessage]: decodeMessage,
  [events.activeSeller]: value => (Array.isArray(value) ? value : undefined),
}

function decodeMessage(value: unknown): Message | undefined {
  return z.safeDecode(Message, value as z.input<typeof Message>).data
}

onEvent(events.activeSeller, sellers => $onlineSellers.set(new Set(sellers.map(({ sellerId }) => sellerId))))

/** Keeps a socket open as long as the page is: as a visitor, then as the signed-in customer, until they sign out. */
export function connect(): void {
  void reopen()
  $customer.listen(customer => {
    if (socket && customer && !owner) {
      owner = customer
      socket.signIn()
    } else if (customer) void reopen()
    else close()
  })
  // A page with an open socket is not eligible for the back/forward cache.
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
      // Any call as the customer refreshes an expired token.
      renew: async () => void (await client.api.getAccount({})),
      onEvent: handleEvent,
      onChange: isConnected => $isConnected.set(isConnected),
    })
  } catch {
    // The network failed; load the socket's code later.
    setTimeout(() => mine === turn && void reopen(), RELOAD_MS)
  }
}

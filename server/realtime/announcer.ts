import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { type CustomerHears, events, type SellerHears } from '#contract/realtime.ts'
import type { PeerServer } from './open.ts'
import { CUSTOMERS, roomOf } from './rooms.ts'

/**
 * Tells people, where they are connected, what has been stored. Nobody may depend on it: whoever was away asks for what
 * came since. Announce after the transaction, never inside it. Never throws.
 */
export interface Announcer {
  /** To every window of a customer. */
  toCustomer<Event extends keyof CustomerHears>(userId: string, event: Event, told: CustomerHears[Event]): void
  /** To every customer who is there. */
  toEveryCustomer<Event extends keyof CustomerHears>(event: Event, told: CustomerHears[Event]): void
  toSeller<Event extends keyof SellerHears>(sellerId: string, event: Event, told: SellerHears[Event]): void
}

/** Where nobody can be connected. */
export const nobodyHears: Announcer = { toCustomer: ignore, toEveryCustomer: ignore, toSeller: ignore }

const MESSAGES: string[] = [events.sellerMessage, events.customerMessage, events.ownMessage]

/** Tells those who are connected to `io`. */
export function openAnnouncer(io: PeerServer, log: Pick<Logger, 'error'>): Announcer {
  function say(room: string, event: string, told: unknown): void {
    try {
      io.to(room).emit(event, MESSAGES.includes(event) ? z.encode(Message, told as Message) : told)
    } catch (error) {
      log.error({ err: error, event }, 'nobody was told')
    }
  }

  return {
    toCustomer: (id, event, told) => say(roomOf({ side: 'customer', id }), event, told),
    toEveryCustomer: (event, told) => say(CUSTOMERS, event, told),
    toSeller: (id, event, told) => say(roomOf({ side: 'seller', id }), event, told),
  }
}

function ignore(): void {}

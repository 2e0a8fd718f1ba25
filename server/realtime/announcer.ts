import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import type { Announcer } from '../chat/announcer.ts'
import type { PeerServer } from './peer-socket.ts'
import { CUSTOMERS, roomOf, SELLERS } from './rooms.ts'

const MESSAGES: string[] = [events.sellerMessage, events.customerMessage, events.ownMessage]

/** Emits events to the sockets that `io` reaches: those of all processes, or with `io.local` of this one. */
export function openAnnouncer(io: Pick<PeerServer, 'to'>, log: Pick<Logger, 'error'>): Announcer {
  function emit(room: string, event: string, payload: unknown): void {
    try {
      io.to(room).emit(event, MESSAGES.includes(event) ? z.encode(Message, payload as Message) : payload)
    } catch (error) {
      log.error({ err: error, event }, 'an event could not be sent')
    }
  }

  return {
    toCustomer: (id, event, payload) => emit(roomOf({ side: 'customer', id }), event, payload),
    toEveryCustomer: (event, payload) => emit(CUSTOMERS, event, payload),
    toSeller: (id, event, payload) => emit(roomOf({ side: 'seller', id }), event, payload),
    toEverySeller: (event, payload) => emit(SELLERS, event, payload),
  }
}

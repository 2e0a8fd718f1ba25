import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import type { Announcer } from '../chat/announcer.ts'
import type { PeerServer } from './peer-socket.ts'
import { CUSTOMERS, roomOf } from './rooms.ts'

const MESSAGES: string[] = [events.sellerMessage, events.customerMessage, events.ownMessage]

/** Emits events to the sockets that `io` reaches: those of all processes, or with `io.local` of this one. */
export function openAnnouncer(io: Pick<PeerServer, 'to'>, log: Pick<Logger, 'error'>): Announcer {
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

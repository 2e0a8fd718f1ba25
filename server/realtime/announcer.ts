import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import type { Announcer } from '../chat/announcer.ts'
import type { OriginOptions } from '../http/csrf.ts'
import { withAbsoluteMedia } from '../http/media-urls.ts'
import type { PeerServer } from './peer-socket.ts'
import { CUSTOMERS, otherSitesIn, roomOf, SELLERS } from './rooms.ts'

const MESSAGES: string[] = [events.sellerMessage, events.customerMessage, events.ownMessage]

/** Emits events to the sockets that `io` reaches: those of all processes, or with `io.local` of this one. */
export function openAnnouncer(
  io: Pick<PeerServer, 'to'>,
  { publicUrl, corsOrigins }: OriginOptions,
  log: Pick<Logger, 'error'>,
): Announcer {
  function emitMessage(room: string, event: string, message: Message): void {
    const encoded = z.encode(Message, message)
    if (corsOrigins.length === 0) return void io.to(room).emit(event, encoded)
    const elsewhere = otherSitesIn(room)
    io.to(room).except(elsewhere).emit(event, encoded)
    io.to(elsewhere).emit(event, withAbsoluteMedia(encoded, publicUrl))
  }

  function emit(room: string, event: string, payload: unknown): void {
    try {
      if (MESSAGES.includes(event)) emitMessage(room, event, payload as Message)
      else io.to(room).emit(event, payload)
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

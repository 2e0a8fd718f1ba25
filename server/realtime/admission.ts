import type { Logger } from 'pino'
import { type AddUserAnswer, events } from '#contract/realtime.ts'
import { asServiceError, statusOf } from '../http/errors.ts'
import { clientAddress, networkOf } from '../http/client-address.ts'
import type { OriginOptions } from '../http/csrf.ts'
import { invalidToken } from '../accounts/tokens.ts'
import { ConflictError, ServiceError, UnavailableError } from '../platform/errors.ts'
import type { PeerServer, PeerSocket } from './peer-socket.ts'
import { type SocketAuth, identify, isMissing, type Peer } from './socket-auth.ts'
import { roomOf, roomsOf } from './rooms.ts'

interface Options extends SocketAuth {
  config: OriginOptions & { trustedProxies: number }
  log: Pick<Logger, 'error'>
}

interface CustomerOptions extends Options {
  /** Called when a visitor has signed in on an open socket. */
  onSignIn: () => void
}

/** Sockets per customer, per shop, and per network address of visitors. */
const MAX_SOCKETS: Record<Peer['side'], number> = { customer: 5, seller: 5, visitor: 20 }

/**
 * Admits a socket. With a token, it joins the rooms of its customer or shop; without one it is a visitor's, which
 * receives no messages. Rejects with an Error whose `data` has the error's status and code for the client.
 */
export async function admit(io: PeerServer, socket: PeerSocket, options: Options): Promise<void> {
  try {
    const token: unknown = socket.handshake.auth['token']
    const peer = isMissing(token) ? visitorAt(socket, options) : await identify(options, token)
    await enter(io, socket, options, { peer, token })
  } catch (error) {
    const known = asServiceError(error) ?? new UnavailableError('Try again in a moment')
    throw Object.assign(new Error(known.message), { data: statusOf(known) })
  }
}

/**
 * Handles `addUser`: a token turns a visitor's socket into a customer's, and a newer token of the same customer
 * replaces the old one.
 */
export function handleCustomerEvents(io: PeerServer, socket: PeerSocket, options: CustomerOptions): void {
  const signIn = async (token: unknown): Promise<AddUserAnswer> => {
    try {
      if (isMissing(token) && socket.data.peer.side === 'customer') return {}
      const peer = await identify(options, token)
      if (peer.side !== 'customer') throw invalidToken()
      const { peer: known } = socket.data
      if (known.side === 'customer' && known.id !== peer.id)
        throw new ConflictError('This connection is another customer’s')
      if (!socket.connected) return {}
      await enter(io, socket, options, { peer, token })
      if (known.side !== 'visitor') return {}
      await socket.leave(roomOf(known))
      options.onSignIn()
      return {}
    } catch (error) {
      if (!(error instanceof ServiceError)) options.log.error({ err: error }, 'a socket could not be identified')
      const known = asServiceError(error) ?? new UnavailableError('Try again in a moment')
      const { code } = statusOf(known)
      return { error: known.message, ...(code && { code }) }
    }
  }

  socket.on(events.addUser, (...args: unknown[]) => {
    const [, , proof] = args as [unknown, unknown, { token?: unknown } | null | undefined]
    const answer = args.at(-1)
    void signIn(proof?.token).then(result => {
      if (typeof answer === 'function') answer(result)
    })
  })
}

function visitorAt(socket: PeerSocket, { config }: Options): Peer {
  return { side: 'visitor', id: networkOf(clientAddress(socket.request, config.trustedProxies)) }
}

async function enter(
  io: PeerServer,
  socket: PeerSocket,
  { config: { publicUrl, corsOrigins } }: Options,
  { peer, token }: { peer: Peer; token: unknown },
): Promise<void> {
  const room = io.sockets.adapter.rooms.get(roomOf(peer))
  if (!room?.has(socket.id) && (room?.size ?? 0) >= MAX_SOCKETS[peer.side])
    throw new ServiceError('TOO_MANY_REQUESTS', 'There are too many windows open')
  const isElsewhere = corsOrigins.includes(socket.handshake.headers.origin ?? '')
  socket.data = { peer, token, mediaOrigin: isElsewhere ? publicUrl : undefined }
  await socket.join(roomsOf(peer, isElsewhere))
}

import { io } from 'socket.io-client'
import { type AddUserAnswer, events, SOCKET_PATH } from '#contract/realtime.ts'
import { CONNECT_TIMEOUT_MS, MAX_RECONNECT_MS, RECONNECT_MS } from './constants.ts'
import type { Customer } from './accounts/storage.ts'

interface Options {
  /** The bearer token, read again for each connection; null for a visitor. */
  token: () => string | null
  /** The customer to whom the token belongs. */
  customer: () => Pick<Customer, 'id' | 'name'> | null
  /** Refreshes the token if it has expired. */
  renew: () => Promise<void>
  onEvent: (event: string, payload: unknown) => void
  /** Called with whether the provider sends the customer's events. Visitors receive none. */
  onChange: (isConnected: boolean) => void
}

export interface LiveSocket {
  /** Sends an event if the socket is connected; otherwise drops it. */
  send: (event: string, payload: unknown) => void
  /** Identifies a visitor's connection as the customer who has just signed in. */
  signIn: () => void
  close: () => void
}

/** Delays before connecting again after a rejection. A logout needs none: it closes the socket. */
const RETRY_MS = [1000, 2000, 5000, 15_000, 30_000]

/** Connects and stays connected. Socket.IO handles network failures; after a rejection we refresh the token. */
export function openSocket({ token, customer, renew, onEvent, onChange }: Options): LiveSocket {
  let rejectionCount = 0
  let isAnonymous = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  const socket = io({
    path: SOCKET_PATH,
    auth: answer => {
      const bearer = token()
      isAnonymous = !bearer
      answer({ token: bearer })
    },
    // WebSocket works in most networks; long polling is the fallback.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: RECONNECT_MS,
    reconnectionDelayMax: MAX_RECONNECT_MS,
    timeout: CONNECT_TIMEOUT_MS,
    forceNew: true,
  })

  async function tryAgain(): Promise<void> {
    await renew().catch(() => {
      // The next connection attempt shows the problem.
    })
    if (!isClosed) socket.connect()
  }

  function retryLater(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void tryAgain(), RETRY_MS[Math.min(rejectionCount, RETRY_MS.length - 1)])
    rejectionCount += 1
  }

  /** Sends `add_user`. A connection that was opened without a token sends the token now. */
  function identify(): void {
    const known = customer()
    if (!known || !socket.connected) return
    const { id, name } = known
    if (!isAnonymous) {
      socket.emit(events.addUser, id, { id, name })
      onChange(true)
      return
    }
    socket.emit(events.addUser, id, { id, name }, { token: token() }, ({ error }: AddUserAnswer) => {
      if (isClosed || !socket.connected) return
      if (error) {
        socket.disconnect()
        retryLater()
        return
      }
      isAnonymous = false
      onChange(true)
    })
  }

  socket.on('connect', () => {
    rejectionCount = 0
    identify()
  })
  socket.on('connect_error', () => {
    // After network failures the client reconnects automatically.
    if (!socket.active) retryLater()
  })
  socket.on('disconnect', reason => {
    onChange(false)
    if (reason === 'io server disconnect') retryLater()
  })
  socket.onAny(onEvent)

  return {
    send: (event, payload) => {
      if (socket.connected) socket.emit(event, payload)
    },
    signIn: () => isAnonymous && identify(),
    close() {
      isClosed = true
      clearTimeout(timer)
      socket.disconnect()
      onChange(false)
    },
  }
}

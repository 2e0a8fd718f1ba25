import { io } from 'socket.io-client'
import { type AddUserAnswer, events, SOCKET_PATH } from '#contract/realtime.ts'
import { CONNECT_TIMEOUT_MS, MAX_RECONNECT_MS, RECONNECT_MS } from './constants.ts'
import type { Customer } from './accounts/storage.ts'

interface Options {
  /** The bearer, read again for each connection; a visitor has none. */
  token: () => string | null
  /** Whose bearer that is. */
  customer: () => Pick<Customer, 'id' | 'name'> | null
  /** Makes sure that the bearer has not expired. */
  renew: () => Promise<void>
  hear: (event: string, told: unknown) => void
  /** Whether the provider tells the customer what happens; a visitor is told nothing. */
  onChange: (isConnected: boolean) => void
}

export interface LiveSocket {
  /** Says something to the provider, if it is connected; otherwise it is not said. */
  say: (event: string, ...told: unknown[]) => void
  /** A visitor has signed in: their connection becomes the customer's. */
  signIn: () => void
  close: () => void
}

/** How long until the next try after so many refusals; at a logout, the page has closed the socket by then. */
const REFUSAL_MS = [1000, 2000, 5000, 15_000, 30_000]

/**
 * Connects to the provider's socket and stays connected: after a failure of the network by itself, after a refusal with
 * a fresh token.
 */
export function openSocket({ token, customer, renew, hear, onChange }: Options): LiveSocket {
  let refusals = 0
  let isVisitors = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  const socket = io({
    path: SOCKET_PATH,
    auth: answer => {
      const bearer = token()
      isVisitors = !bearer
      answer({ token: bearer })
    },
    // Most networks let it through; the others are asked by plain requests.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: RECONNECT_MS,
    reconnectionDelayMax: MAX_RECONNECT_MS,
    timeout: CONNECT_TIMEOUT_MS,
    forceNew: true,
  })

  async function tryAgain(): Promise<void> {
    await renew().catch(() => {
      // The next connection shows what is wrong.
    })
    if (!isClosed) socket.connect()
  }

  function refused(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void tryAgain(), REFUSAL_MS[Math.min(refusals, REFUSAL_MS.length - 1)])
    refusals += 1
  }

  /** Says who it is. A connection that was opened without a bearer gets it now. */
  function identify(): void {
    const known = customer()
    if (!known || !socket.connected) return
    const { id, name } = known
    if (!isVisitors) {
      socket.emit(events.addUser, id, { id, name })
      onChange(true)
      return
    }
    socket.emit(events.addUser, id, { id, name }, { token: token() }, ({ error }: AddUserAnswer) => {
      if (isClosed || !socket.connected) return
      if (error) {
        socket.disconnect()
        refused()
        return
      }
      isVisitors = false
      onChange(true)
    })
  }

  socket.on('connect', () => {
    refusals = 0
    identify()
  })
  socket.on('connect_error', () => {
    // What the network did, the client mends by itself.
    if (!socket.active) refused()
  })
  socket.on('disconnect', reason => {
    onChange(false)
    if (reason === 'io server disconnect') refused()
  })
  socket.onAny((event: string, told: unknown) => hear(event, told))

  return {
    say: (event, ...told) => {
      if (socket.connected) socket.emit(event, ...told)
    },
    signIn: () => isVisitors && identify(),
    close() {
      isClosed = true
      clearTimeout(timer)
      socket.disconnect()
      onChange(false)
    },
  }
}

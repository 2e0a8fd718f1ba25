import { atFirstUse } from '../platform/first-use.ts'
import { type Announcer, nobodyHears } from '../chat/announcer.ts'
import type { openRealtime, Realtime } from './open.ts'

/** The sockets, loaded and opened when the first one comes: until then there is nobody to tell. */
export function openRealtimeLater(options: Parameters<typeof openRealtime>[0]): Realtime {
  const { log } = options
  let opened: Realtime | undefined
  let opening: Promise<unknown> | undefined
  let isClosed = false
  const open = atFirstUse(async () => {
    const { openRealtime } = await import('./open.ts')
    return (opened = openRealtime(options))
  })

  /** Hands over what came, or ends it where that cannot be. */
  function hand(over: (realtime: Realtime) => void, end: () => void): void {
    if (opened) over(opened)
    else if (isClosed) end()
    else
      opening = open().then(over, (error: unknown) => {
        log.error({ err: error }, 'the sockets could not be opened')
        end()
      })
  }

  const hearing = (): Announcer => opened?.announcer ?? nobodyHears
  return {
    announcer: {
      toCustomer: (id, event, told) => hearing().toCustomer(id, event, told),
      toEveryCustomer: (event, told) => hearing().toEveryCustomer(event, told),
      toSeller: (id, event, told) => hearing().toSeller(id, event, told),
    },
    answer: (req, res) =>
      hand(
        realtime => realtime.answer(req, res),
        () => res.writeHead(503, { 'retry-after': '1' }).end(),
      ),
    upgrade(req, socket, head) {
      // Who leaves while it is being opened must not end the process.
      socket.on('error', () => socket.destroy())
      hand(
        realtime => realtime.upgrade(req, socket, head),
        () => socket.destroy(),
      )
    },
    async close() {
      isClosed = true
      await opening
      await opened?.close()
    },
  }
}

import { atFirstUse } from '../platform/first-use.ts'
import { type Announcer, nobodyHears } from '../chat/announcer.ts'
import type { openRealtime, Realtime } from './open.ts'

/**
 * Loads and opens the socket server with the first connection. Until then, announcements have no receivers, unless other
 * processes have sockets: then the first announcement opens it.
 */
export function openRealtimeLater(options: Parameters<typeof openRealtime>[0]): Realtime {
  const { log, listenUrl } = options
  let opened: Realtime | undefined
  let opening: Promise<unknown> | undefined
  let isClosed = false
  const open = atFirstUse(async () => {
    const { openRealtime } = await import('./open.ts')
    return (opened = openRealtime(options))
  })

  /** Passes the socket server to `over`, or calls `end` when it is closed or cannot be opened. */
  function hand(over: (realtime: Realtime) => void, end: () => void): void {
    if (opened) over(opened)
    else if (isClosed) end()
    else
      opening = open().then(over, (error: unknown) => {
        log.error({ err: error }, 'the sockets could not be opened')
        end()
      })
  }

  function announce(say: (announcer: Announcer) => void): void {
    if (opened || !listenUrl) say(opened?.announcer ?? nobodyHears)
    else hand(({ announcer }) => say(announcer), ignore)
  }

  const hearing = (): Announcer => opened?.localAnnouncer ?? nobodyHears
  return {
    announcer: {
      toCustomer: (id, event, told) => announce(announcer => announcer.toCustomer(id, event, told)),
      toEveryCustomer: (event, told) => announce(announcer => announcer.toEveryCustomer(event, told)),
      toSeller: (id, event, told) => announce(announcer => announcer.toSeller(id, event, told)),
    },
    localAnnouncer: {
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
      // A client may disconnect while the server is opening; an unhandled error would end the process.
      socket.on('error', () => socket.destroy())
      hand(
        realtime => realtime.upgrade(req, socket, head),
        () => socket.destroy(),
      )
    },
    count: () => opened?.count() ?? 0,
    sendAway: async spreadMs => opened?.sendAway(spreadMs),
    async close() {
      isClosed = true
      await opening
      await opened?.close()
    },
  }
}

function ignore(): void {}

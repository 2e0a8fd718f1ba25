import { atFirstUse } from '../platform/first-use.ts'
import { type Announcer, silentAnnouncer } from '../chat/announcer.ts'
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
    if (opened || !listenUrl) say(opened?.announcer ?? silentAnnouncer)
    else hand(({ announcer }) => say(announcer), ignore)
  }

  const local = (): Announcer => opened?.localAnnouncer ?? silentAnnouncer
  return {
    announcer: {
      toCustomer: (id, event, payload) => announce(announcer => announcer.toCustomer(id, event, payload)),
      toEveryCustomer: (event, payload) => announce(announcer => announcer.toEveryCustomer(event, payload)),
      toSeller: (id, event, payload) => announce(announcer => announcer.toSeller(id, event, payload)),
      toEverySeller: (event, payload) => announce(announcer => announcer.toEverySeller(event, payload)),
    },
    localAnnouncer: {
      toCustomer: (id, event, payload) => local().toCustomer(id, event, payload),
      toEveryCustomer: (event, payload) => local().toEveryCustomer(event, payload),
      toSeller: (id, event, payload) => local().toSeller(id, event, payload),
      toEverySeller: (event, payload) => local().toEverySeller(event, payload),
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

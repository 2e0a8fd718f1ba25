import { atFirstUse } from '../platform/first-use.ts'
import { type Announcer, silentAnnouncer } from '../chat/announcer.ts'
import type { openRealtime, Realtime } from './socket-server.ts'

/**
 * Loads and opens the socket server with the first connection. Until then, announcements have no receivers, unless
 * other processes have sockets: then the first announcement opens it.
 */
export function openRealtimeLater(options: Parameters<typeof openRealtime>[0]): Realtime {
  const { log, listenUrl } = options
  let opened: Realtime | undefined
  let opening: Promise<unknown> | undefined
  let isHungUp = false
  let isClosed = false
  const openOnce = atFirstUse(async () => {
    const { openRealtime } = await import('./socket-server.ts')
    return (opened = openRealtime(options))
  })

  /** Calls `use` with the socket server, or `reject` when it is closed or cannot be opened. */
  function withRealtime(use: (realtime: Realtime) => void, reject: () => void): void {
    if (opened) use(opened)
    else if (isClosed) reject()
    else
      opening = openOnce().then(use, (error: unknown) => {
        log.error({ err: error }, 'the sockets could not be opened')
        reject()
      })
  }

  /** For new connections. */
  const unlessHungUp: typeof withRealtime = (use, reject) => (isHungUp ? reject() : withRealtime(use, reject))

  function announce(say: (announcer: Announcer) => void): void {
    if (opened || !listenUrl) say(opened?.announcer ?? silentAnnouncer)
    else withRealtime(({ announcer }) => say(announcer), ignore)
  }

  return {
    announcer: announcerBy(announce),
    localAnnouncer: announcerBy(say => say(opened?.localAnnouncer ?? silentAnnouncer)),
    handle: (req, res) =>
      unlessHungUp(
        realtime => realtime.handle(req, res),
        () => res.writeHead(503, { 'retry-after': '1' }).end(),
      ),
    upgrade(req, socket, head) {
      // A client may disconnect while the server is opening; an unhandled error would end the process.
      socket.on('error', () => socket.destroy())
      unlessHungUp(
        realtime => realtime.upgrade(req, socket, head),
        () => socket.destroy(),
      )
    },
    count: () => opened?.count() ?? 0,
    drain: async spreadMs => opened?.drain(spreadMs),
    async hangUp() {
      isHungUp = true
      await opening
      await opened?.hangUp()
    },
    async close() {
      isHungUp = true
      isClosed = true
      await opening
      await opened?.close()
    },
  }
}

/** An announcer that passes each announcement to `announce`. */
function announcerBy(announce: (say: (announcer: Announcer) => void) => void): Announcer {
  return {
    toCustomer: (id, event, payload) => announce(announcer => announcer.toCustomer(id, event, payload)),
    toEveryCustomer: (event, payload) => announce(announcer => announcer.toEveryCustomer(event, payload)),
    toSeller: (id, event, payload) => announce(announcer => announcer.toSeller(id, event, payload)),
    toEverySeller: (event, payload) => announce(announcer => announcer.toEverySeller(event, payload)),
  }
}

function ignore(): void {}

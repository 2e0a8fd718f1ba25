import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { asServiceError, statusOf } from '../http/errors.ts'
import { withAbsoluteMedia } from '../http/media-urls.ts'
import type { PeerSocket } from './peer-socket.ts'

interface From {
  socket: PeerSocket
  log: Pick<Logger, 'error'>
}

/** Acknowledges each event with the result of `handle` or with `{error, code}`; never throws. */
export function handleEvent<Schema extends z.ZodMiniType>(
  { socket, log }: From,
  event: string,
  schema: Schema,
  handle: (payload: z.output<Schema>) => Promise<object>,
): void {
  const respond = async (payload: unknown): Promise<object> => {
    const read = z.safeParse(schema, payload)
    if (!read.success) return { error: read.error.issues[0]?.message ?? 'Malformed event' }
    try {
      return await handle(read.data)
    } catch (error) {
      const known = asServiceError(error)
      if (known) return { error: known.message, code: statusOf(known).code }
      log.error({ err: error, event }, 'an event failed')
      return { error: 'Something went wrong' }
    }
  }

  socket.on(event, (...args: unknown[]) => {
    const acknowledge = args.at(-1)
    void respond(args[0]).then(result => {
      const { mediaOrigin } = socket.data
      if (typeof acknowledge === 'function') acknowledge(mediaOrigin ? withAbsoluteMedia(result, mediaOrigin) : result)
    })
  })
}

import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { ServiceError } from '../platform/errors.ts'
import type { PeerSocket } from './peer-socket.ts'

/** Acknowledges each event with the result of `act` or with `{error}`; never throws. */
export function hear<Given extends z.ZodMiniType>(
  socket: PeerSocket,
  log: Pick<Logger, 'error'>,
  event: string,
  given: Given,
  act: (given: z.output<Given>) => Promise<object>,
): void {
  const take = async (said: unknown): Promise<object> => {
    const read = z.safeParse(given, said)
    if (!read.success) return { error: read.error.issues[0]?.message ?? 'Malformed event' }
    try {
      return await act(read.data)
    } catch (error) {
      if (error instanceof ServiceError) return { error: error.message }
      log.error({ err: error, event }, 'an event failed')
      return { error: 'Something went wrong' }
    }
  }

  socket.on(event, (...said: unknown[]) => {
    const answer = said.at(-1)
    void take(said[0]).then(result => {
      if (typeof answer === 'function') answer(result)
    })
  })
}

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { linesOf } from '#server/platform/lines.ts'
import { isListening, socketPath } from '#server/platform/operators-socket.ts'
import type { Command } from './command.ts'

/** A line of the response: text for one of the operator's two streams, or at the end the exit code. */
export type Frame = { out: string } | { err: string } | { code: number }

/** The operator's side: the command's input, and functions that print its output. */
export interface Streams {
  input: Readable
  out(text: string): Promise<void>
  err(text: string): Promise<void>
  isWatched: boolean
  signal: AbortSignal
}

const SHOP_ENDED = 'The shop ended before the command did'

/**
 * Sends a command to the running shop. Resolves with its exit code, or with null if no shop runs. Rejects if the shop
 * ends before the command does.
 */
export async function askShop(dataDir: string, command: Command, streams: Streams): Promise<number | null> {
  const path = socketPath(dataDir)
  if (!(await isListening(path))) return null
  const headers = { 'x-command': encodeURIComponent(JSON.stringify({ command, isWatched: streams.isWatched })) }
  const question = request({ socketPath: path, path: '/', method: 'POST', headers, signal: streams.signal })
  streams.input.on('error', error => question.destroy(error)).pipe(question)
  try {
    const [answer] = (await once(question, 'response')) as [IncomingMessage]
    // The shop may respond before it has read the whole file, which breaks the upload.
    question.on('error', () => undefined)
    for await (const line of linesOf(answer)) {
      const frame = JSON.parse(line) as Frame
      if ('code' in frame) return frame.code
      await ('out' in frame ? streams.out(frame.out) : streams.err(frame.err))
    }
    throw new Error(SHOP_ENDED)
  } catch (error) {
    throw isCutOff(error) ? new Error(SHOP_ENDED, { cause: error }) : error
  } finally {
    streams.input.unpipe(question)
    question.destroy()
  }
}

function isCutOff(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
}

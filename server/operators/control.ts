import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { isListening, socketPath } from '../platform/operators-socket.ts'
import { singleLines } from '../platform/single-line.ts'
import { reasonOf } from '../db/errors.ts'
import type { Frame } from './cli/ask-shop.ts'
import { Command } from './cli/command.ts'
import type { AppContext } from './cli/app-context.ts'

const HEADER_BYTES = 256 * 1024

/**
 * Runs operators' commands in this process, which has the database open. Only the same user can connect to the socket.
 */
export async function listenForOperators(context: AppContext, log: Logger): Promise<{ close(): Promise<void> }> {
  const path = socketPath(context.config.dataDir)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const server = createServer({ maxHeaderSize: HEADER_BYTES, requestTimeout: 0 }, (incoming, response) => {
    const done = serve(incoming, response, context, closing.signal).catch((error: unknown) => {
      log.error({ err: error }, 'an operator’s command failed')
    })
    running.add(done)
    void done.finally(() => running.delete(done))
  })
  if (await isListening(path)) throw new Error(`Another process listens on ${path}`)
  await rm(path, { force: true })
  // Create the socket with mode 0600, so that other users cannot connect at any time. Unless it is exclusive, the first
  // process of a cluster creates it for the others, with its own mask.
  const mask = process.umask(0o177)
  server.listen({ path, exclusive: true })
  process.umask(mask)
  await once(server, 'listening')
  return {
    async close() {
      closing.abort(new Error('The shop is closing'))
      server.close()
      await Promise.all(running)
      server.closeAllConnections()
    },
  }
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  context: AppContext,
  closing: AbortSignal,
): Promise<void> {
  const leaving = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort(new Error('The operator left'))
  })
  const signal = AbortSignal.any([closing, leaving.signal])
  // Stop waiting for the rest of the file.
  signal.addEventListener('abort', () => incoming.destroy())
  const sendFrame = async (frame: Frame) => {
    if (response.destroyed) return
    if (!response.write(`${JSON.stringify(frame)}\n`)) await drained(response)
  }
  const out = (text: string) => sendFrame({ out: text })
  const err = (text: string) => sendFrame({ err: text })
  try {
    const { command, isWatched } = JSON.parse(decodeURIComponent(String(incoming.headers['x-command']))) as Record<
      string,
      unknown
    >
    const read = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    const terminal = { read, out, err, isWatched: isWatched === true, signal }
    const { handleCommand } = await import('./cli/handle-command.ts')
    await sendFrame({ code: await handleCommand(Command.parse(command), context, terminal) })
  } catch (error) {
    await err(`${singleLines(reasonOf(error))}\n`)
    await sendFrame({ code: 1 })
    if (!signal.aborted) throw error
  } finally {
    // Drain the rest of a rejected file, so that the other side can read the reason.
    incoming.resume()
    response.end()
  }
}

/** Resolves when more can be written, or when the operator has disconnected. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    function end(): void {
      response.off('drain', end).off('close', end)
      resolve()
    }
    response.on('drain', end).on('close', end)
  })
}

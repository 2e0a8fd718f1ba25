import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { defineMarket } from '#server/operators/cli/commands.ts'
import type { AppContext, Terminal } from '#server/operators/cli/app-context.ts'
import { handleCommand } from '#server/operators/cli/handle-command.ts'

export interface Ended {
  code: number
  out: string
  err: string
}

/** An operator's terminal in this process: runs a command and returns what it prints. */
export function operatorOf(shop: Partial<AppContext>) {
  return async (...words: string[]): Promise<Ended> => {
    const ended = { code: 0, out: '', err: '' }
    const terminal: Terminal = {
      read: Readable.from([]),
      out: async text => void (ended.out += text),
      err: async text => void (ended.err += text),
      isWatched: false,
      signal: new AbortController().signal,
    }
    const context = { ...shop } as AppContext
    const market = defineMarket({
      async sendCommand(command, file) {
        const read = file === undefined ? terminal.read : createReadStream(file)
        ended.code = await handleCommand(command, context, { ...terminal, read })
      },
      talk: () => Promise.reject(new Error('no chat in this terminal')),
      restoreArchive: () => Promise.reject(new Error('no restoring in this terminal')),
      publish: () => Promise.reject(new Error('no publishing in this terminal')),
    })
    await market.parseAsync(words, { from: 'user' })
    return ended
  }
}

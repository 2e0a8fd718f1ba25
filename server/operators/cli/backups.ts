import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import type { SendCommand } from './command.ts'
import { noMore } from './group.ts'

/** Restores a shop from an archive. */
export type BringBack = (file: string) => Promise<void>

const file = { type: 'positional', required: true, description: 'The archive' } as const

export function backups(sendCommand: SendCommand, bringBack: BringBack) {
  return {
    backup: defineCommand({
      meta: { name: 'backup', description: 'Write the whole shop into one archive, also while it runs' },
      args: { file },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'backup', file: resolve(args.file) })
      },
    }),
    restore: defineCommand({
      meta: { name: 'restore', description: 'Bring a shop back from an archive, into an empty DATA_DIR and database' },
      args: { file },
      async run({ args }) {
        noMore(args._, 1)
        await bringBack(resolve(args.file))
      },
    }),
  }
}

import { resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import type { SendCommand } from './command.ts'

/** Restores a shop from an archive. */
export type RestoreArchive = (file: string) => Promise<void>

const FILE = ['<file>', 'The archive'] as const

/** Adds the commands that write and restore archives of the whole shop. */
export function addBackups(market: Command, sendCommand: SendCommand, restoreArchive: RestoreArchive): void {
  market
    .command('backup')
    .description('Write the whole shop into one archive, also while it runs')
    .argument(...FILE)
    .action(file => sendCommand({ name: 'backup', file: resolve(file) }))
  market
    .command('restore')
    .description('Restore a shop from an archive, into an empty DATA_DIR and database')
    .argument(...FILE)
    .action(file => restoreArchive(resolve(file)))
}

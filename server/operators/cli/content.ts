import { resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'

/** Publishes the policy pages in a folder; if undefined, those of `src/content/policies`. */
export type Publish = (folder: string | undefined) => Promise<void>

/** Adds the commands for the policy pages. */
export function addContentCommands(market: Command, publish: Publish): void {
  market
    .command('content')
    .description('Look after the policy pages')
    .command('publish')
    .description('Check the policy pages and show them in running shops, without a restart')
    .argument('[folder]', 'Markdown files, which later builds publish, too; by default src/content/policies')
    .action(folder => publish(folder === undefined ? undefined : resolve(folder)))
}

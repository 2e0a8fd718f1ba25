import type { Command } from '@commander-js/extra-typings'
import type { SendCommand } from './command.ts'
import { LIMIT } from './options.ts'
import { readLimit } from './values.ts'

/** Adds the commands for the search. */
export function addSearchCommands(market: Command, sendCommand: SendCommand): void {
  const search = market.command('search').description('Look after the search')
  search
    .command('misses')
    .description('List the words for which no product was found that has them all, most frequent first')
    .option(...LIMIT)
    .action(({ limit }) => sendCommand({ name: 'search misses', limit: readLimit(limit) }))
  search
    .command('synonyms')
    .summary('Check a file of synonyms and use it instead of the last one')
    .description(
      "Check a file of synonyms and use it beside the built-in ones, instead of the last file. Each line is one of 'sofa, couch', 'pan => skillet', 'near: trousers => jeans', 'optional: gift', 'minor: wool', 'colours: cream', 'things: cream' and 'known: pedal'. Without a file, print the lines in use",
    )
    .argument('[file]', 'A text file; - is standard input')
    .action(file => sendCommand({ name: 'search synonyms', isReplacing: file !== undefined }, file))
}

import { Command, type CommandUnknownOpts, type OutputConfiguration } from '@commander-js/extra-typings'
import { addBackups, type RestoreArchive } from './backups.ts'
import { EXPORT_FORMATS, type SendCommand, type Talk } from './command.ts'
import { addContentCommands, type Publish } from './content.ts'
import { addOrderCommands } from './customer-orders.ts'
import { addCustomerCommands, addReviewCommands, addUserCommands } from './customers.ts'
import { addImport } from './import.ts'
import { addKeyCommands } from './keys.ts'
import { addMediaCommands } from './media.ts'
import { addNotify } from './notify.ts'
import { addProductCommands } from './products.ts'
import { addReturnCommands } from './returns.ts'
import { addSearchCommands } from './search.ts'
import { addSellerCommands } from './sellers.ts'
import { formatOf } from './values.ts'

/** The functions that run the commands. */
interface Actions {
  sendCommand: SendCommand
  talk: Talk
  restoreArchive: RestoreArchive
  publish: Publish
}

/**
 * Defines the command line. `parseAsync` rejects with a `CommanderError` for an unknown command or option, after
 * writing the reason or help to `output`, and with a `UsageError` for invalid arguments.
 */
export function defineMarket(
  { sendCommand, talk, restoreArchive, publish }: Actions,
  output: OutputConfiguration = {},
) {
  const market = new Command('market')
    .description('Run a Piazza marketplace')
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError()
    .configureHelp({ visibleCommands: commandsBelow, subcommandTerm: nameOf })

  addImport(market, sendCommand)
  market
    .command('export')
    .description('Write the catalogue to standard output')
    .option('--format <format>', EXPORT_FORMATS.join(' or '), 'json')
    .action(({ format }) => sendCommand({ name: 'export', format: formatOf(format, EXPORT_FORMATS) }))
  addProductCommands(market, sendCommand)
  addSellerCommands(market, sendCommand, talk)
  addOrderCommands(market, sendCommand)
  addReturnCommands(market, sendCommand)
  addCustomerCommands(market, sendCommand)
  addReviewCommands(market, sendCommand)
  addUserCommands(market, sendCommand)
  addNotify(market, sendCommand)
  addSearchCommands(market, sendCommand)
  addKeyCommands(market, sendCommand)
  addMediaCommands(market, sendCommand)
  addContentCommands(market, publish)

  const demo = market.command('demo').description('The demonstration marketplace')
  demo
    .command('reset')
    .description('Reset the demo to its initial state')
    .option('--yes', 'Do not ask, even if the shop has goods of its own')
    .action(({ yes: isConfirmed = false }) => sendCommand({ name: 'demo reset', isConfirmed }))
  demo
    .command('remove')
    .description('Remove the demo permanently')
    .action(() => sendCommand({ name: 'demo remove' }))

  addBackups(market, sendCommand, restoreArchive)
  market
    .command('doctor')
    .description('Check the installation')
    .option('--list', 'Name every product and parcel that is counted')
    .action(({ list: isListing = false }) => sendCommand({ name: 'doctor', isListing }))
  // The list of all commands would push the error out of sight. Groups and commands show their own help, which is
  // short.
  return market.showHelpAfterError("'npm run market -- --help' lists the commands")
}

/** The commands that can be run: each group is replaced by its commands. */
function commandsBelow({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap(command => (command.commands.length > 0 ? command.commands : [command]))
}

/** The full name of a command, such as 'seller list'. */
function nameOf(command: CommandUnknownOpts): string {
  const { parent } = command
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name()
}

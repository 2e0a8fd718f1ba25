import type { Command } from '@commander-js/extra-typings'
import { isShopPath, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH, PRIORITIES } from '#contract/notifications.ts'
import type { SendCommand } from './command.ts'
import { UsageError } from './values.ts'

/** Adds the command that sends notifications to customers. */
export function addNotify(market: Command, sendCommand: SendCommand): void {
  market
    .command('notify')
    .description('Send a notification to one customer or to all')
    .argument('<title>', 'A few words')
    .argument('<message>', 'A few sentences')
    .option('--to <email>', 'Only this customer; without it everybody')
    .option('--priority <priority>', `How urgent it is: ${PRIORITIES.join(', ')}`, 'medium')
    .option('--link <path>', 'A page of the shop that tells more, such as /products')
    .action((title, message, { to, priority, link }) =>
      sendCommand({
        name: 'notify',
        title: textOf('title', title, MAX_TITLE_LENGTH),
        message: textOf('message', message, MAX_TEXT_LENGTH),
        to,
        priority: priorityOf(priority),
        link: link === undefined ? undefined : linkOf(link),
      }),
    )
}

function textOf(name: string, given: string, longest: number): string {
  const text = given.trim()
  if (text === '' || text.length > longest) throw new UsageError(`The ${name} has 1 to ${longest} characters`)
  if (!text.isWellFormed()) throw new UsageError(`The ${name} contains characters that cannot be stored`)
  return text
}

function priorityOf(given: string) {
  const priority = PRIORITIES.find(known => known === given)
  if (!priority) throw new UsageError(`--priority '${given}' is none of ${PRIORITIES.join(', ')}`)
  return priority
}

function linkOf(given: string): string {
  if (!isShopPath(given)) throw new UsageError(`--link '${given}' is not a path of the shop such as /products`)
  return given
}

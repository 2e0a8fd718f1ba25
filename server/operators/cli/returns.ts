import type { Command } from '@commander-js/extra-typings'
import { RETURN_ANSWER_LENGTH } from '#contract/rules.ts'
import type { CommandOf, SendCommand } from './command.ts'
import { BEFORE, SINCE } from './options.ts'
import { MAX_LINES, readLimit, readTime, UsageError } from './values.ts'

const ID = ['<id>', 'The return’s id, as return list shows it'] as const
const DECISIONS = ['allow', 'refund', 'refuse'] as const

/** Adds the commands for cancellations and returns. */
export function addReturnCommands(market: Command, sendCommand: SendCommand): void {
  const returning = market.command('return').description('Look after cancellations and returns')
  const move = (command: Omit<CommandOf<'return move'>, 'name'>) => sendCommand({ name: 'return move', ...command })
  returning
    .command('list')
    .description('List open cancellations and returns, newest first')
    .option('--shop <shop>', 'Only those of this shop: its key or name')
    .option('--all', 'Also those that were declined or have ended')
    .option(...SINCE)
    .option(...BEFORE)
    .option('--limit <n>', 'How many at most', String(MAX_LINES))
    .action(({ shop, all: isAll = false, since, before, limit }) =>
      sendCommand({
        name: 'return list',
        shop,
        isAll,
        since: readTime('--since', since),
        before: readTime('--before', before),
        limit: readLimit(limit),
      }),
    )
  returning
    .command('show')
    .description('Show a return with its pictures; their addresses work for an hour or two')
    .argument(...ID)
    .option('--shop <shop>', 'Only if it is of this shop: its key or name')
    .action((id, { shop }) => sendCommand({ name: 'return show', id, shop }))
  returning
    .command('approve')
    .description('Approve a return; a cancellation is refunded at once')
    .argument(...ID)
    .option('--shop <shop>', 'Only if it is of this shop: its key or name')
    .action((id, { shop }) => move({ id, event: 'approve', shop }))
  returning
    .command('decline')
    .description('Decline a cancellation or return; the customer can ask the marketplace to decide')
    .argument(...ID)
    .requiredOption('--because <words>', 'Why, in words for the customer')
    .option('--shop <shop>', 'Only if it is of this shop: its key or name')
    .action((id, { because, shop }) => move({ id, event: 'decline', shop, answer: readWords(because) }))
  returning
    .command('received')
    .description('Mark a return as received, and refund it')
    .argument(...ID)
    .option('--restock', 'Put the units back into stock')
    .option('--shop <shop>', 'Only if it is of this shop: its key or name')
    .action((id, { restock: isRestocked = false, shop }) => move({ id, event: 'receive', shop, isRestocked }))
  returning
    .command('decide')
    .description('Decide an escalated cancellation or return')
    .argument(...ID)
    .argument('<decision>', 'allow: the customer may send it back; refund: the money goes back now; refuse')
    .option('--because <words>', 'Why, in words for the customer; needed for refuse')
    .action((id, decision, { because }) => {
      const event = DECISIONS.find(known => known === decision)
      if (!event) throw new UsageError(`'${decision}' is none of ${DECISIONS.join(', ')}`)
      if (event === 'refuse' && because === undefined) throw new UsageError('Say why: --because "…"')
      return move({ id, event, answer: because === undefined ? undefined : readWords(because) })
    })
}

function readWords(given: string): string {
  const words = given.trim()
  if (words === '' || words.length > RETURN_ANSWER_LENGTH)
    throw new UsageError(`--because needs 1 to ${RETURN_ANSWER_LENGTH} characters`)
  return words
}

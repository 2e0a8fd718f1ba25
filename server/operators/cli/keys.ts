import type { Command } from '@commander-js/extra-typings'
import { listKeys, revokeKeys, rotateKeys } from '#server/platform/signing-keys.ts'
import type { Handlers } from './app-context.ts'
import type { SendCommand } from './command.ts'
import { UnconfirmedError } from './confirm.ts'
import { say } from './say.ts'

/** Adds the commands for the keys that sign sessions and tokens. */
export function addKeyCommands(market: Command, sendCommand: SendCommand): void {
  const keys = market.command('keys').description('Look after the keys that sign sessions, tokens and addresses')
  keys
    .command('list')
    .description('List when each key was created and from when it signs; prints no key')
    .action(() => sendCommand({ name: 'keys list' }))
  keys
    .command('rotate')
    .summary('Sign with a new key from the next minute on')
    .description('Sign with a new key from the next minute on. The previous key stays valid until the next rotation')
    .action(() => sendCommand({ name: 'keys rotate' }))
  keys
    .command('revoke')
    .description('Replace keys that became known: all customers and shops must sign in again')
    .option('--yes', 'Without asking')
    .action(({ yes: isConfirmed = false }) => sendCommand({ name: 'keys revoke', isConfirmed }))
}

/** Handlers of the commands for the keys. */
export const keyHandlers = {
  async 'keys list'(_command, { database }, terminal) {
    const keys = await listKeys(database.db)
    const lines = keys.map(
      ({ createdAt, signsFrom }) => `made ${createdAt.toISOString()}, signs from ${signsFrom.toISOString()}`,
    )
    return say(terminal, lines.join('\n'))
  },

  async 'keys rotate'(_command, { database }, terminal) {
    await rotateKeys(database.db)
    return say(terminal, 'The shop signs with a new key in a minute; signatures of the previous key stay valid')
  },

  async 'keys revoke'({ isConfirmed }, { database }, terminal) {
    if (!isConfirmed)
      throw new UnconfirmedError('All customers must sign in again, and all tokens of shops must be issued again.')
    await revokeKeys(database.db)
    return say(terminal, 'All keys are new: customers must sign in again, and shops need new tokens')
  },
} satisfies Partial<Handlers>

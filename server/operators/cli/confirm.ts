import { createInterface } from 'node:readline/promises'

/** The command needs the operator's confirmation and has changed nothing. The message says what it would do. */
export class UnconfirmedError extends Error {}

/** Exit code of a command that must be confirmed. */
export const UNCONFIRMED = 3

interface Asked {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

/** Asks the operator to confirm. Without a terminal, returns false and explains `--yes`. */
export async function asksForYes({ input, output }: Asked): Promise<boolean> {
  if (!input.isTTY) {
    output.write('Nothing was changed: repeat the command with --yes to do it\n')
    return false
  }
  const terminal = createInterface({ input, output })
  // Ctrl+D and Ctrl+C count as no.
  const ended = new Promise<string>(resolve =>
    terminal.once('close', () => resolve('')).once('SIGINT', () => resolve('')),
  )
  const answer = await Promise.race([terminal.question('Go on? [y/N] '), ended])
  terminal.close()
  const isYes = /^y(es)?$/i.test(answer.trim())
  if (!isYes) output.write('Nothing was changed\n')
  return isYes
}

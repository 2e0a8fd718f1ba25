import { createInterface } from 'node:readline/promises'

/** The command waits for a yes: nothing has changed. Says what it would do. */
export class UnconfirmedError extends Error {}

/** The exit code of such a command. */
export const UNCONFIRMED = 3

interface Asked {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

/** Asks the operator; without a terminal the answer is no, and how to say yes is told. */
export async function asksForYes({ input, output }: Asked): Promise<boolean> {
  if (!input.isTTY) {
    output.write('Nothing was changed: repeat the command with --yes to do it\n')
    return false
  }
  const terminal = createInterface({ input, output })
  // Ctrl+D and Ctrl+C are no.
  const ended = new Promise<string>(resolve =>
    terminal.once('close', () => resolve('')).once('SIGINT', () => resolve('')),
  )
  const answer = await Promise.race([terminal.question('Go on? [y/N] '), ended])
  terminal.close()
  const isYes = /^y(es)?$/i.test(answer.trim())
  if (!isYes) output.write('Nothing was changed\n')
  return isYes
}

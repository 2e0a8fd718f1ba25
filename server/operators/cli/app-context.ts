import type { Provider } from '#server/provider.ts'
import type { Command, CommandOf } from './command.ts'

/** The services that commands use. */
export interface AppContext extends Pick<
  Provider,
  'config' | 'database' | 'media' | 'uploads' | 'sessions' | 'sellerTokens' | 'jobs'
> {
  /** URL of the running shop on this machine; undefined if no shop runs. */
  address?: string
}

/** The operator's terminal, which may belong to another process. */
export interface Terminal {
  read: AsyncIterable<Buffer>
  out(text: string): Promise<void>
  err(text: string): Promise<void>
  /** Whether standard error is a terminal. */
  isWatched: boolean
  signal: AbortSignal
}

/** Functions that run the commands; each resolves with the exit code. */
export type Handlers = {
  [Name in Command['name']]: (command: CommandOf<Name>, context: AppContext, terminal: Terminal) => Promise<number>
}

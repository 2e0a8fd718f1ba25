import type { Provider } from '#server/provider.ts'

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

import type { SellerTokens } from '#server/accounts/seller-tokens.ts'
import type { Sessions } from '#server/accounts/sessions.ts'
import type { Database } from '#server/db/types.ts'
import type { Media } from '#server/media/store.ts'
import type { HoldLimits } from '#server/orders/hold-limits.ts'
import type { Jobs } from '#server/platform/jobs.ts'

/** The services that commands use. */
export interface AppContext {
  database: Database
  media: Media
  sessions: Sessions
  sellerTokens: SellerTokens
  jobs: Jobs
  dataDir: string
  publicUrl: string
  holdLimits: HoldLimits
  /** Why customers get no mail; null if they do. */
  mailProblem: string | null
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

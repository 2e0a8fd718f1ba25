import type { SellerTokens } from '#server/accounts/seller-tokens.ts'
import type { Sessions } from '#server/accounts/sessions.ts'
import type { Database } from '#server/db/types.ts'
import type { Media } from '#server/media/store.ts'
import type { HoldLimits } from '#server/orders/hold-limits.ts'
import type { Jobs } from '#server/platform/jobs.ts'

/** The open shop that commands are carried out in. */
export interface AppContext {
  database: Database
  media: Media
  sessions: Sessions
  sellerTokens: SellerTokens
  jobs: Jobs
  dataDir: string
  publicUrl: string
  holdLimits: HoldLimits
  /** Why customers get no mail; null when they do. */
  mailProblem: string | null
  /** Where the shop listens on this machine; none of ours does without a running shop. */
  address?: string
}

/** The operator's terminal, wherever it is. */
export interface Terminal {
  read: AsyncIterable<Buffer>
  out(text: string): Promise<void>
  err(text: string): Promise<void>
  /** Whether standard error is looked at by a person. */
  isWatched: boolean
  signal: AbortSignal
}

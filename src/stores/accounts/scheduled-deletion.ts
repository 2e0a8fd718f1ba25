import type { Account } from '#contract/account.ts'
import { accountPart } from '../customer-data.ts'

/** When the customer's account will be deleted; null if it stays or is unknown, undefined while it loads. */
export const [$deletion, loadDeletion] = accountPart<Account['deletion'] | null>(
  account => account.deletion ?? null,
  null,
)

import { dropFromTab, readFromTab } from '../session-storage.ts'
import { INTENT, type StoredIntent } from './intent.ts'

/**
 * Drops the stored action of a customer whose session has ended if another customer has signed in since. Not in
 * `intent.ts`, which every page loads.
 */
export function dropForeignIntent(customerId: string): void {
  const stored = readFromTab(INTENT) as Partial<StoredIntent> | null
  if (stored?.customerId && stored.customerId !== customerId) dropFromTab(INTENT)
}

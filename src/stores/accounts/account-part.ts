import { atom } from 'nanostores'
import type { Account } from '#contract/account.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { startInBrowser } from '../start.ts'
import { $customer } from './session.ts'

/**
 * A store with one fact of the customer's account, and its loader: undefined until loaded, `fallback` if it cannot be
 * loaded. Failures are not reported.
 */
export function accountPart<T>(pick: (account: Account) => T, fallback: T) {
  const $part = atom<T | undefined>(undefined)

  async function load(): Promise<void> {
    const customer = $customer.get()
    if (!customer) return
    const part = await client.api.getAccount({}).then(pick, (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return $part.get() ?? fallback
    })
    if ($customer.get() === customer) $part.set(part)
  }

  startInBrowser($part, () => [
    $customer.subscribe(() => {
      $part.set(undefined)
      void load()
    }),
  ])
  return [$part, load] as const
}

import { atom } from 'nanostores'
import type { Account, AccountForm } from '#contract/account.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { showCurrency } from '../ui/currency.ts'
import { followChanges, notifyOtherTabs } from '../cross-tab-sync.ts'
import { responsesInOrder } from '../responses-in-order.ts'
import { $customerId } from './session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export type AccountLoad = { state: 'loading' } | { state: 'ready'; account: Account } | { state: 'failed' }

/** The customer's account as last loaded. */
export const $account = atom<AccountLoad>({ state: 'loading' })

const startLoad = responsesInOrder()

/** Loads the account. On failure it shows a toast and keeps the account that is already loaded. */
export async function loadAccount(): Promise<void> {
  if ($account.get().state === 'failed') $account.set({ state: 'loading' })
  if (await refreshAccount()) return
  toast('error', 'Failed to fetch user details')
  if ($account.get().state === 'loading') $account.set({ state: 'failed' })
}

/** Returns false if the account cannot be loaded. */
async function refreshAccount(): Promise<boolean> {
  const customerId = $customerId.get()
  if (!customerId) return true
  const isNewest = startLoad()
  try {
    const account = await client.api.getAccount({})
    if ($customerId.get() !== customerId || !isNewest()) return true
    $account.set({ state: 'ready', account })
    await showCurrency(account)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}

/** Saves the form and shows a toast. Throws `ApiError`. */
export async function updateAccount(form: AccountForm): Promise<void> {
  const { message } = await client.api.updateAccount(form)
  toast('success', message)
  notifyOtherTabs('account')
  // In case the account cannot be reloaded.
  const now = $account.get()
  if (now.state === 'ready') $account.set({ state: 'ready', account: { ...now.account, ...form } })
  await loadAccount()
}

startInBrowser($account, () => [
  $customerId.subscribe(() => {
    $account.set({ state: 'loading' })
    void loadAccount()
  }),
  // Another tab may have chosen another default address, which this tab's form would overwrite.
  followChanges('account', () => void refreshAccount()),
])

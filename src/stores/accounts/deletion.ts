import type { CurrentPasswordForm } from '#contract/profile.ts'
import { flash } from '#lib/flash.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { toast } from '../ui/toasts.ts'
import { loadAccount } from './account.ts'
import { forgetSession } from './tokens.ts'

/** Schedules the deletion of the account and ends the session; the next page shows the date. Throws `ApiError`. */
export async function deleteAccount(form: CurrentPasswordForm): Promise<void> {
  const { message } = await client.api.deleteAccount(form)
  flash('success', message)
  forgetSession()
}

/** Cancels the scheduled deletion. Throws `ApiError`. */
export async function keepAccount(): Promise<void> {
  const { message } = await client.api.keepAccount({})
  toast('success', message)
  notifyOtherTabs('account')
  await loadAccount()
}

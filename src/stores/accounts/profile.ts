import { atom } from 'nanostores'
import type { EmailForm, PasswordForm, Profile } from '#contract/profile.ts'
import { client } from '../client.ts'
import { followChanges, notifyOtherTabs } from '../cross-tab-sync.ts'
import { clear, type Load, loadInto } from '../load.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'
import { renewSession } from './renew-session.ts'
import { $customerId } from './session.ts'

/** The signed-in customer's name and email address. */
export const $profile = atom<Load<Profile>>({ state: 'loading' })

/** Loads the profile. Failures are shown through `$profile`. */
export async function loadProfile(): Promise<void> {
  if ($customerId.get()) await loadInto($profile, () => client.api.getProfile({}))
}

/** Throws `ApiError`. */
export async function changeName(form: { name: string }): Promise<void> {
  const { message } = await client.api.changeName(form)
  await renewSession()
  await reportAndReload(message)
}

/** Requests a mail with a link to the new address. Throws `ApiError`. */
export async function changeEmail(form: EmailForm): Promise<void> {
  await reportAndReload((await client.api.changeEmail(form)).message)
}

/** Withdraws an unconfirmed change of the address. Throws `ApiError`. */
export async function keepEmail(): Promise<void> {
  await reportAndReload((await client.api.keepEmail({})).message)
}

/** Ends the customer's other sessions. Throws `ApiError`. */
export async function changePassword(form: PasswordForm): Promise<void> {
  await reportAndReload((await client.api.changePassword(form)).message)
}

async function reportAndReload(message: string): Promise<void> {
  toast('success', message)
  notifyOtherTabs('account')
  await loadProfile()
}

startInBrowser($profile, () => [
  $customerId.subscribe(() => {
    clear($profile)
    void loadProfile()
  }),
  followChanges('account', () => void loadProfile()),
])

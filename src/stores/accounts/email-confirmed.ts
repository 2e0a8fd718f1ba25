import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { $customer } from './session.ts'
import { startInBrowser } from '../start.ts'

/** Whether the customer's address is confirmed, as far as is known; undefined before the provider has answered. */
export const $isEmailConfirmed = atom<boolean | undefined>(undefined)

/** Asks the provider whether the address is confirmed. A provider that does not say asks nothing of its customers. */
export async function loadEmailConfirmed(): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  const isConfirmed = await readEmailConfirmed().catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    return $isEmailConfirmed.get() ?? true
  })
  if ($customer.get() === customer) $isEmailConfirmed.set(isConfirmed)
}

async function readEmailConfirmed(): Promise<boolean> {
  return (await client.api.getAccount({})).emailConfirmed !== false
}

startInBrowser($isEmailConfirmed, () =>
  $customer.subscribe(() => {
    $isEmailConfirmed.set(undefined)
    void loadEmailConfirmed()
  }),
)

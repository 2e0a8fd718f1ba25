import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { $customer } from './session.ts'
import { startInBrowser } from '../start.ts'

/** Whether the customer's email address is confirmed; undefined until the provider has responded. */
export const $isEmailConfirmed = atom<boolean | undefined>(undefined)

/** Loads whether the address is confirmed. Counts as confirmed if the provider omits it or cannot be reached. */
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

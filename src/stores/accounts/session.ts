import { computed } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { flash } from '#lib/flash.ts'
import { visitLogin } from '#lib/accounts/guard.ts'
import { type Intent, storeIntent } from '#lib/accounts/intent.ts'
import { here } from '#lib/navigate.ts'
import { type Customer, decodeCustomer } from '#lib/accounts/storage.ts'
import { client } from '../page-client.ts'
import { $authToken, $customerToken, forgetSession } from './tokens.ts'

const SIGNED_OUT = 409

let last: Customer | null = null
/** The id of the customer who was last signed in on this page. */
let lastId: string | undefined

/** The customer named in the stored token. Follows other tabs. Stays the same object when only the token changes. */
export const $customer = computed([$authToken, $customerToken], (auth, customer) => {
  const next = decodeCustomer(auth || customer)
  if (JSON.stringify(next) !== JSON.stringify(last)) last = next
  if (next) lastId = next.id
  return last
})

/** The id of that customer. Does not change when they change their name or address. */
export const $customerId = computed($customer, customer => customer?.id ?? null)

/** Whether a call failed because the customer's session has ended. */
export function hasEndedSession({ status }: ApiError): boolean {
  return status === SIGNED_OUT && !$customer.get()
}

/**
 * If `error` means that the session has ended, opens the login page and stores `intent` to run after the next login of
 * the same customer. Returns false for any other error, or if a customer is signed in again.
 */
export function leadToLogin(error: ApiError, intent?: Intent): boolean {
  if (!hasEndedSession(error)) return false
  if (intent) storeIntent(intent, here(), lastId)
  flash('error', error.message)
  visitLogin()
  return true
}

/** Ends the session at the provider and always in this browser. The caller decides which page comes next. */
export async function signOut(): Promise<void> {
  try {
    await client.api.logout({})
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The customer is signed out anyway; the provider's session expires automatically.
    console.error('The logout request failed', error)
  } finally {
    forgetSession()
  }
}

import { computed } from 'nanostores'
import type { Login, Registration } from '#contract/auth.ts'
import { ApiError } from '#lib/api.ts'
import { flash } from '#lib/flash.ts'
import { visitLogin } from '#lib/accounts/guard.ts'
import { type Intent, keepIntent } from '#lib/accounts/intent.ts'
import { here } from '#lib/navigate.ts'
import { type Customer, decodeCustomer } from '#lib/accounts/storage.ts'
import { client } from '../client.ts'
import { $authToken, $customerToken, forgetSession, saveSession } from './tokens.ts'

const SIGNED_OUT = 409

let last: Customer | null = null

/**
 * Who is signed in on this browser, as far as its stored token tells; follows other tabs. The same object while it is
 * the same customer, whatever token speaks for them.
 */
export const $customer = computed([$authToken, $customerToken], (auth, customer) => {
  const next = decodeCustomer(auth || customer)
  if (JSON.stringify(next) !== JSON.stringify(last)) last = next
  return last
})

/** Opens an account and signs its owner in. Answers what the provider says; throws `ApiError`. */
export async function register(form: Registration): Promise<string> {
  const { message, ...session } = await client.api.register(form)
  saveSession(session)
  return message
}

/** Answers what the provider says; throws `ApiError`. */
export async function signIn(form: Login): Promise<string> {
  const { message, ...session } = await client.api.login(form)
  saveSession(session)
  return message
}

/**
 * Leads a customer whose session has ended to the login, as a visitor: from there they come back, and the click that
 * found it out is carried out. False when the refusal is another one, or somebody is signed in again.
 */
export function leadToLogin({ status, message }: ApiError, intent?: Intent): boolean {
  if (status !== SIGNED_OUT || $customer.get()) return false
  if (intent) keepIntent(intent, here())
  flash('error', message)
  visitLogin()
  return true
}

/** Ends the session at the provider and, whatever it answers, on this browser; where to go then is the caller's to say. */
export async function signOut(): Promise<void> {
  try {
    await client.api.logout({})
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Whoever wants to be signed out is: the provider ends what it did not hear of by itself.
    console.error('The provider did not hear of the logout', error)
  } finally {
    forgetSession()
  }
}

import type { VisitorChoice } from '#contract/account.ts'
import { type Login, login, type Registration, register as registerCall } from '#contract/auth.ts'
import type { Session } from '#contract/session.ts'
import { ApiError } from '#lib/api.ts'
import { dropForeignIntent } from '#lib/accounts/foreign-intent.ts'
import { CUSTOMER_TOKEN, decodeCustomer } from '#lib/accounts/storage.ts'
import { withCalls } from '../page-client.ts'
import { saveSession } from './tokens.ts'

const client = withCalls({ login, register: registerCall })

const UNSTORED =
  'Your browser cannot keep you logged in. Allow cookies and site data for this shop, or clear them, and try again.'

/** Creates an account and signs the customer in. Returns the provider's message; throws `ApiError`. */
export async function register(form: Registration & VisitorChoice): Promise<string> {
  const { message, ...session } = await client.api.register(form)
  start(session)
  return message
}

/** Returns the provider's message; throws `ApiError`. */
export async function signIn(form: Login): Promise<string> {
  const { message, ...session } = await client.api.login(form)
  start(session)
  return message
}

function start(session: Session): void {
  try {
    // The store itself would keep the token in memory if storage is blocked.
    localStorage.setItem(CUSTOMER_TOKEN, session.token)
  } catch {
    throw new ApiError(0, UNSTORED)
  }
  saveSession(session)
  const customer = decodeCustomer(session.token)
  if (customer) dropForeignIntent(customer.id)
}

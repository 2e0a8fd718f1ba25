import type { VisitorChoice } from '#contract/account.ts'
import { type Login, login, type Registration, register as registerCall } from '#contract/auth.ts'
import { dropForeignIntent } from '#lib/accounts/foreign-intent.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { withCalls } from '../page-client.ts'
import { saveSession } from './tokens.ts'

const client = withCalls({ login, register: registerCall })

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

function start(session: Parameters<typeof saveSession>[0]): void {
  saveSession(session)
  const customer = decodeCustomer(session.token)
  if (customer) dropForeignIntent(customer.id)
}

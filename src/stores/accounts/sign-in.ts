import type { VisitorChoice } from '#contract/account.ts'
import { type Login, login, type Registration, register as registerCall } from '#contract/auth.ts'
import { withCalls } from '../page-client.ts'
import { saveSession } from './tokens.ts'

const client = withCalls({ login, register: registerCall })

/** Creates an account and signs the customer in. Returns the provider's message; throws `ApiError`. */
export async function register(form: Registration & VisitorChoice): Promise<string> {
  const { message, ...session } = await client.api.register(form)
  saveSession(session)
  return message
}

/** Returns the provider's message; throws `ApiError`. */
export async function signIn(form: Login): Promise<string> {
  const { message, ...session } = await client.api.login(form)
  saveSession(session)
  return message
}

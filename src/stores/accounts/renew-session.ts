import { exclusivelyInBrowser, repeatLost } from '#lib/accounts/authorised.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../page-client.ts'
import { saveSession } from './tokens.ts'

/**
 * Exchanges the stored token for one with the customer's current name and address. Failures are ignored, because the
 * next regular refresh does the same.
 */
export async function renewSession(): Promise<void> {
  try {
    await repeatLost(() => exclusivelyInBrowser(async () => saveSession(await client.api.refreshToken({}))))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

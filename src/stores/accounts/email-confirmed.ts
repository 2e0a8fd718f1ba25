import { accountPart } from '../customer-data.ts'

/**
 * Whether the customer's email address is confirmed; undefined until the provider has responded. Counts as confirmed if
 * the provider omits it or cannot be reached.
 */
export const [$isEmailConfirmed, loadEmailConfirmed] = accountPart(account => account.emailConfirmed !== false, true)

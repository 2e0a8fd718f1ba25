import { eq } from 'drizzle-orm'
import type { Account, AccountForm } from '#contract/account.ts'
import { EMPTY_ADDRESS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import { NotFoundError } from '../platform/errors.ts'
import { describeDeletion } from './deletion.ts'

/** The account form's values as last saved. Throws a `NotFoundError` for an unknown customer. */
export async function readAccount(db: Db, userId: string): Promise<Account> {
  const [account] = await db
    .select({
      country: users.country,
      currency: users.currency,
      shippingDetails: users.shippingDetails,
      emailConfirmedAt: users.emailConfirmedAt,
      eraseAt: users.eraseAt,
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!account) throw new NotFoundError('There is no such account')
  const { country, currency, shippingDetails, emailConfirmedAt, eraseAt } = account
  return {
    country,
    currency,
    emailConfirmed: Boolean(emailConfirmedAt),
    ...(eraseAt && { deletion: await describeDeletion(db, userId, eraseAt) }),
    shippingDetails: shippingDetails ?? EMPTY_ADDRESS,
  }
}

/** Replaces the stored account details by the form's. */
export async function updateAccount(db: Db, userId: string, form: AccountForm, origin: RequestOrigin): Promise<void> {
  const { country, currency, shippingDetails } = form
  await transact(db, async tx => {
    await tx.update(users).set({ country, currency, shippingDetails }).where(eq(users.id, userId))
    await recordAudit(tx, { event: 'account', outcome: 'ok', actorId: userId, ...origin })
  })
}

import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { notifications, productAlerts, users, variants } from '#server/db/schema.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startEqualProcesses } from '#tests/support/processes/equal-processes.ts'

const CUSTOMERS = 120

const shop = await startEqualProcesses(3)
const { db } = shop.database
afterAll(shop.close)

/** The customers of the mails that were queued, in order. */
async function mailedTo(): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select data->>'userId' as id from ${sql.identifier(JOBS_SCHEMA)}.job where name = 'alertMail' order by 1`,
  )
  return rows.map(({ id }) => id)
}

describe('alerts of a shop of several processes', () => {
  test('notify each customer once, although every process gets the change', async () => {
    const train = await addProduct(db, { stock: 0 })
    const people = Array.from({ length: CUSTOMERS }, (_, at) => ({
      name: 'Ada',
      email: `ada-${at}@customers.test`,
      passwordHash: '',
      emailConfirmedAt: new Date(),
    }))
    const ids = (await db.insert(users).values(people).returning({ id: users.id })).map(({ id }) => id).toSorted()
    await db
      .insert(productAlerts)
      .values(ids.map(userId => ({ userId, productId: train.id, variantId: train.variantId })))
    const setStock = (stock: number) => db.update(variants).set({ stock }).where(eq(variants.id, train.variantId))

    // The stock changes while all processes send alerts, but never to 0: the mail would then store its alert again.
    for (const stock of [1, 2, 3, 1]) await setStock(stock)

    await expect.poll(() => db.$count(productAlerts), PATIENCE).toBe(0)
    const told = await db
      .select({ userId: notifications.userId })
      .from(notifications)
      .where(inArray(notifications.userId, ids))
    expect(told.map(({ userId }) => String(userId)).toSorted()).toEqual(ids)
    expect(await mailedTo()).toEqual(ids)
  })
})

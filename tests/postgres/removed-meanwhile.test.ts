import { type SQL, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { transact } from '#server/db/transact.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

/**
 * Runs `ask` for the customer while an operator’s removal is not committed yet. Returns its outcome
 * after the commit.
 */
async function askDuring<Answer>(removal: SQL, ask: () => Promise<Answer>): Promise<PromiseSettledResult<Answer>> {
  let answers = Promise.allSettled<Promise<Answer>[]>([])
  await transact(db, async tx => {
    await tx.execute(removal)
    answers = Promise.allSettled([ask()])
    await expect.poll(countWaiting, PATIENCE).toBe(1)
  })
  const [answer] = await answers
  return answer!
}

/** Returns how many statements of this database wait for a lock. */
async function countWaiting(): Promise<number | undefined> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.count
}

const refused = (status: number, message: string) => ({ status: 'rejected', reason: { status, message } })

test('saving a product returns 404 when the product is removed at the same time', async () => {
  const { api, id: userId } = await customer()
  const { id: productId } = await addProduct(db)

  const saved = await askDuring(sql`delete from products where id = ${productId}`, () =>
    api.addToWishlist({ userId, productId }),
  )

  expect(saved).toMatchObject(refused(404, 'Product not found'))
})

test('opening a chat returns 404 when the shop is removed at the same time', async () => {
  const { api, id: userId } = await customer()
  const { sellerId } = await addProduct(db)

  const opened = await askDuring(sql`delete from sellers where id = ${sellerId}`, () =>
    api.openConversation({ userId, sellerId }),
  )

  expect(opened).toMatchObject(refused(404, 'Store not found'))
})

test('writing a review or opening a chat asks for a sign-in when the customer is erased at the same time', async () => {
  const [ada, bob] = [await customer(), await customer()]
  const { id: productId, sellerId } = await addProduct(db)
  const erase = ({ id }: { id: string }) => sql`delete from users where id = ${id}`

  const reviewed = await askDuring(erase(ada), () => ada.api.submitReview({ productId, review: 'Good.', rating: 5 }))
  const opened = await askDuring(erase(bob), () => bob.api.openConversation({ userId: bob.id, sellerId }))

  expect([reviewed, opened]).toMatchObject([refused(409, 'Please login first'), refused(409, 'Please login first')])
  expect(await db.execute(sql`select rating_count from products where id = ${productId}`)).toMatchObject({
    rows: [{ rating_count: 0 }],
  })
})

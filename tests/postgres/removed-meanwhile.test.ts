import { eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { DAY_MS } from '#contract/rules.ts'
import { orders, returnPictures, variants } from '#server/db/schema.ts'
import type { Tx } from '#server/db/types.ts'
import { eraseCustomer } from '#server/operators/customers.ts'
import { releaseExpired } from '#server/orders/cancelling.ts'
import { settle } from '#server/payments/settling.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { addAttempt, addShippable, KENYA, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { addReturn, returnOf } from '#tests/support/provider/returning.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'
import { holdOpen, untilWaiting } from '#tests/support/faults/lock-waits.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const { db, database, jobs, sessions, customer, close } = await startProvider()
afterAll(close)

/**
 * Runs `ask` for the customer while an operator’s removal is not committed yet. Returns its outcome
 * after the commit.
 */
async function askDuring<Answer>(removal: SQL, ask: () => Promise<Answer>): Promise<PromiseSettledResult<Answer>> {
  let answers = Promise.allSettled<Promise<Answer>[]>([])
  await untilJobsAreDone()
  await holdOpen(database, async tx => {
    await tx.execute(removal)
    answers = Promise.allSettled([ask()])
    await untilWaiting(db, 1)
  })
  const [answer] = await answers
  return answer!
}

/** Waits for the jobs of requests before: they could wait for the same lock. */
async function untilJobsAreDone(): Promise<void> {
  const countJobs = async () => {
    const { rows } = await db.execute<{ count: number }>(
      sql`select count(*)::int from ${sql.identifier(JOBS_SCHEMA)}.job where state < 'completed'`,
    )
    return rows[0]?.count
  }
  await expect.poll(countJobs, PATIENCE).toBe(0)
}

const erase = ({ id }: { id: string }) => sql`delete from users where id = ${id}`

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

  const reviewed = await askDuring(erase(ada), () => ada.api.submitReview({ productId, review: 'Good.', rating: 5 }))
  const opened = await askDuring(erase(bob), () => bob.api.openConversation({ userId: bob.id, sellerId }))

  expect([reviewed, opened]).toMatchObject([refused(409, 'Please login first'), refused(409, 'Please login first')])
  expect(await db.execute(sql`select rating_count from products where id = ${productId}`)).toMatchObject({
    rows: [{ rating_count: 0 }],
  })
})

test('a return, and pictures of one, ask for a sign-in and leave nothing when the customer is erased at the same time', async () => {
  const [ada, bob] = [await customer(), await customer()]
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))
  const returnId = await addReturn(db, orderId)
  const files = [new File([new Uint8Array(await photograph())], 'crack.jpg')]

  const { orderId: other } = await bob.api.placeOrder(orderOf(bob.id, [await addShippable(db)]))

  const added = await askDuring(erase(ada), () => ada.api.addReturnPictures({ returnId, files }))

  const requested = await askDuring(erase(bob), () => bob.api.requestReturn(returnOf(other)))

  expect([added, requested]).toMatchObject([refused(409, 'Please login first'), refused(409, 'Please login first')])
  expect(await db.$count(returnPictures, eq(returnPictures.returnId, returnId))).toBe(0)
})

/** The payment counts, and the erasure is rejected. */
const STAYS = {
  outcomes: [
    { status: 'fulfilled', value: { outcome: 'paid' } },
    {
      status: 'rejected',
      reason: { message: expect.stringContaining('has paid orders that are not shipped') as string },
    },
  ],
  shippingInfo: KENYA,
}

test('a customer whose late payment reopens an order while being erased stays, with the address', async () => {
  const { product, ...order } = await toBePaid()
  await releaseExpired(db, jobs, new Date(Date.now() + DAY_MS))

  // Settling waits for the stock, with the order locked.
  const lock = (tx: Tx) => tx.select().from(variants).where(eq(variants.id, product.variantId)).for('update')
  expect(await eraseDuringPayment(order, lock)).toMatchObject(STAYS)
})

test('a customer who pays an order while being erased stays, with the address to which it is to be sent', async () => {
  const order = await toBePaid()

  const lock = (tx: Tx) => tx.select().from(orders).where(eq(orders.id, order.orderId)).for('update')
  expect(await eraseDuringPayment(order, lock)).toMatchObject(STAYS)
})

async function toBePaid() {
  const ada = await customer()
  const product = await addShippable(db)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  const attempt = await addAttempt(db, (await ada.api.getOrder({ orderId })).order)
  return { ada, product, orderId, attempt }
}

/** Erases the customer while the payment waits for `lock`. Returns the outcomes of both and the order's address. */
async function eraseDuringPayment(
  { ada, orderId, attempt }: Omit<Awaited<ReturnType<typeof toBePaid>>, 'product'>,
  lock: (tx: Tx) => Promise<unknown>,
) {
  let work: Promise<unknown>[] = []
  await untilJobsAreDone()
  await holdOpen(database, async tx => {
    await lock(tx)
    work = [database.unhurried(unlimitedDb => settle(unlimitedDb, jobs, attempt.id, reportOf(attempt)))]
    await untilWaiting(db, 1)
    work.push(database.unhurried(unlimitedDb => eraseCustomer(unlimitedDb, sessions, ada.email)))
    void work[1]!.catch(() => undefined)
    await untilWaiting(db, 2)
  })
  const outcomes = await Promise.allSettled(work)
  const { order } = await ada.api.getOrder({ orderId })
  return { outcomes, shippingInfo: order.shippingInfo }
}

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '#server/db/types.ts'
import { removeShop } from '#server/catalogue/seller-management.ts'
import { orderRequests } from '#server/db/schema.ts'
import { readHoldLimits } from '#server/orders/hold-limits.ts'
import { placeOrder } from '#server/orders/placing.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { addSeller, addShoe, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'
import { holdOpen, untilWaiting } from '#tests/support/faults/lock-waits.ts'

type Size = Awaited<ReturnType<typeof lastUnit>>['size']

/** Key of the advisory lock that delays the commit of a customer’s order. */
const AT_COMMIT = 11
const OUT_OF_STOCK = { code: 'CONFLICT', message: 'Out of stock' }

const { db, database, jobs, customer, close } = await startProvider()
afterAll(close)
const initialStock = new Map<string, number>()
afterEach(() => assertInvariants(db, { initialStock }))

/** Creates a shoe with one unit of a size and five of another, and two customers who want that one. */
async function lastUnit() {
  const [ada, bob] = [await customer(), await customer()]
  const shoe = await addShoe(db, { 42: { stock: 1 }, 43: { stock: 5 } })
  const [wanted, other] = shoe.variantIds as [string, string]
  initialStock.set(wanted, 1).set(other, 5)
  await jobs.start()
  return { ada, bob, shoe, size: { product: shoe, variantId: wanted } }
}

/** Places an order without the limit on lock waits. */
const orderPatiently = ({ id }: Customer, wanted: ReturnType<typeof orderOf>) =>
  database.unhurried(unlimitedDb => placeOrder({ db: unlimitedDb, jobs, holdLimits: readHoldLimits() }, id, wanted))

const order = ({ api, id }: Customer, size: Size) => api.placeOrder(orderOf(id, [size]))

const outcomesOf = async (...orders: Promise<unknown>[]) => {
  const answers = await Promise.allSettled(orders)
  return answers.map(answer => (answer.status === 'fulfilled' ? 'ordered' : (answer.reason as object)))
}

describe('the last unit', () => {
  test('goes to a customer who buys it between another customer’s check and order', async () => {
    const { ada, bob, shoe, size } = await lastUnit()
    const wanted = orderOf(ada.id, [size])
    let placing: Promise<unknown>[] = []

    await holdOpen(database, async tx => {
      await claimKey(tx, ada, wanted.key!)
      // Ada’s order has passed the stock check and waits to be stored.
      placing = [orderPatiently(ada, wanted)]
      void placing[0]!.catch(() => undefined)
      await untilWaiting(db, 1)
      await order(bob, size)
      await tx.execute(sql`delete from order_requests where user_id = ${ada.id}`)
    })

    expect(await outcomesOf(...placing)).toMatchObject([OUT_OF_STOCK])
    expect(await stocksOf(db, shoe)).toEqual([0, 5])
  })

  test('goes to the first of two customers when both have seen it in stock', async () => {
    const { ada, bob, shoe, size } = await lastUnit()
    let placing: Promise<unknown>[] = []

    await holdOpen(database, async tx => {
      await tx.execute(sql`select from variants where product_id = ${shoe.id} for update`)
      placing = [orderPatiently(ada, orderOf(ada.id, [size]))]
      await untilWaiting(db, 1)
      placing.push(orderPatiently(bob, orderOf(bob.id, [size])))
      void placing[1]!.catch(() => undefined)
      await untilWaiting(db, 2)
    })

    expect(await outcomesOf(...placing)).toMatchObject(['ordered', OUT_OF_STOCK])
    expect(await stocksOf(db, shoe)).toEqual([0, 5])
  })

  describe('in an order that is not committed yet', () => {
    beforeAll(async () => {
      await db.execute(sql`create table failing_orders (user_id text)`)
      await db.execute(
        sql.raw(`create function wait_at_commit() returns trigger language plpgsql as $$ begin
          perform pg_advisory_xact_lock_shared(${AT_COMMIT});
          if exists (select from failing_orders where user_id = new.user_id) then raise exception 'no commit'; end if;
          return null;
        end $$`),
      )
      await db.execute(sql`create constraint trigger wait_at_commit after insert on orders
        deferrable initially deferred for each row execute function wait_at_commit()`)
    })
    afterAll(() => db.execute(sql`drop trigger wait_at_commit on orders`))

    /** Both customers order while the first order cannot commit. */
    async function orderBoth({ ada, bob, size }: Awaited<ReturnType<typeof lastUnit>>) {
      let placing: Promise<unknown>[] = []
      await holdOpen(database, async tx => {
        await tx.execute(sql`select pg_advisory_xact_lock(${AT_COMMIT})`)
        placing = [orderPatiently(ada, orderOf(ada.id, [size]))]
        void placing[0]!.catch(() => undefined)
        await untilWaiting(db, 1)
        placing.push(orderPatiently(bob, orderOf(bob.id, [size])))
        void placing[1]!.catch(() => undefined)
        await untilWaiting(db, 2)
      })
      return outcomesOf(...placing)
    }

    test('is not sold to a second customer', async () => {
      const { shoe, ...both } = await lastUnit()
      expect(await orderBoth({ shoe, ...both })).toMatchObject(['ordered', OUT_OF_STOCK])
      expect(await stocksOf(db, shoe)).toEqual([0, 5])
    })

    test('is not removed with its shop', async () => {
      const { ada } = await lastUnit()
      const { id: sellerId } = await addSeller(db, { key: 'closing', shopName: 'Closing' })
      const toy = await addShippable(db, { stock: 2, sellerId, shopName: 'Closing' })
      initialStock.set(toy.variantId, 2)
      let work: Promise<unknown>[] = []
      await holdOpen(database, async tx => {
        await tx.execute(sql`select pg_advisory_xact_lock(${AT_COMMIT})`)
        work = [orderPatiently(ada, orderOf(ada.id, [toy]))]
        await untilWaiting(db, 1)
        work.push(database.unhurried(unlimitedDb => removeShop(unlimitedDb, 'closing')))
        void work[1]!.catch(() => undefined)
        await untilWaiting(db, 2)
      })

      expect(await outcomesOf(...work)).toMatchObject(['ordered', { code: 'CONFLICT' }])
    })

    test('is sold to a second customer when the first order fails', async () => {
      const { shoe, ...both } = await lastUnit()
      await db.execute(sql`insert into failing_orders values (${both.ada.id})`)
      expect(await orderBoth({ shoe, ...both })).toMatchObject([{ cause: { message: 'no commit' } }, 'ordered'])
      expect(await stocksOf(db, shoe)).toEqual([0, 5])
    })
  })
})

/** Uses the customer’s key in an open transaction, so that an order with this key has to wait. */
async function claimKey(tx: Tx, { id }: Customer, key: string): Promise<void> {
  await tx.insert(orderRequests).values({ userId: id, key: `key:${key}`, bodyHash: '', orderId: null })
}

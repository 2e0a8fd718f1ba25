import { inArray, sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { deliverAlerts } from '#server/cart/alert-delivery.ts'
import { productAlerts, products, users } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { blockCustomer } from '#server/operators/customers.ts'
import { addProduct, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const MORE_THAN_A_PAGE = 5000
const MORE_THAN_A_LOT = 600

const shop = await startProvider({ limits: 'alerts=10000/1h,api=10000/1m' })
const { db, jobs, customer, close } = shop
afterAll(close)
afterEach(() => db.delete(productAlerts))

const titlesTo = async ({ api }: Customer) => (await api.getNotifications({})).notifications.map(({ title }) => title)

/** Waits for the alert about a later change of another product: earlier changes have been handled by then. */
async function lookedAt(): Promise<void> {
  const witness = await customer()
  const lamp = await addProduct(db, { stock: 0 })
  await witness.api.addAlert({ productId: lamp.id })
  await setVariants(db, lamp, { stock: 1 })
  await expect.poll(() => titlesTo(witness), PATIENCE).toEqual(['It is back'])
}

/** Stores an alert that is met already, as if the shop had missed the change. */
async function missAlert({ id: userId }: Customer): Promise<void> {
  const { id: productId, variantId } = await addProduct(db)
  await lookedAt()
  await db.insert(productAlerts).values({ userId, productId, variantId })
}

/** From now on, the database rejects notifications to this customer. */
async function rejectNotificationsTo({ id }: Customer): Promise<void> {
  await db.execute(sql`create or replace function reject() returns trigger language plpgsql as
    $$ begin raise exception 'this notification cannot be stored'; end $$`)
  const condition = sql.raw(`(new.user_id = '${id}')`)
  await db.execute(sql`create or replace trigger reject before insert on notifications for each row
    when ${condition} execute function reject()`)
}

/** Many customers wait for a product that stays sold out. */
async function addUnmetAlerts(count: number): Promise<void> {
  const { id: productId, variantId } = await addProduct(db, { stock: 0 })
  const people = Array.from({ length: count }, (_, at) => ({
    name: 'Ada',
    email: `waiting-${at}@customers.test`,
    passwordHash: '',
  }))
  const waiting = await db.insert(users).values(people).returning({ userId: users.id })
  await db.insert(productAlerts).values(waiting.map(({ userId }) => ({ userId, productId, variantId })))
}

describe('a missed alert', () => {
  test('is sent although the delivery of an earlier one fails, and thousands are not met', async () => {
    const [eve, ada] = [await customer(), await customer()]
    await rejectNotificationsTo(eve)
    await missAlert(eve)
    await addUnmetAlerts(MORE_THAN_A_PAGE)
    await missAlert(ada)

    await expect(deliverAlerts(shop)).rejects.toThrow('could not be delivered')

    expect(await titlesTo(ada)).toEqual(['It is back'])
  })

  test('of a blocked customer is not tried again in each run', async () => {
    const [eve, ada] = [await customer(), await customer()]
    await missAlert(eve)
    await blockCustomer(db, { revokeAll: async () => undefined }, eve.email, true)
    const transact = vi.fn<(...work: never) => Promise<unknown>>(jobs.transact) as typeof jobs.transact
    const deliver = () => deliverAlerts({ db, jobs: { ...jobs, transact } })

    await deliver()
    expect(transact).not.toHaveBeenCalled()
    await missAlert(ada)
    await deliver()

    expect(transact).toHaveBeenCalledTimes(1)
    expect(await titlesTo(ada)).toEqual(['It is back'])
  })

  test('waits for another process if the shop closes', async () => {
    const ada = await customer()
    await missAlert(ada)

    await deliverAlerts({ db, jobs, closing: AbortSignal.abort() })

    expect(await titlesTo(ada)).toEqual([])
  })
})

test('an alert is sent when hundreds of products change at once, although another one cannot be sent', async () => {
  const [eve, ada] = [await customer(), await customer()]
  await rejectNotificationsTo(eve)
  await missAlert(eve)
  const kite = await addProduct(db, { stock: 0 })
  await ada.api.addAlert({ productId: kite.id })
  const { id: likeId } = await addProduct(db, { isHidden: true })
  const copies = Array.from({ length: MORE_THAN_A_LOT }, (_, at) => `copy-${at}`)
  const names = sql`select id from unnest(${sql.param(copies)}::text[]) id`
  await db.execute(sql`insert into products (id, seller_id, handle, slug, name, category, brand, shop_name, is_hidden)
    select name.id, seller_id, name.id, name.id, name, category, brand, shop_name, true
    from products product, (${names}) name where product.id = ${likeId}`)

  await transact(db, async tx => {
    await tx.update(products).set({ isHidden: false }).where(inArray(products.id, copies))
    await setVariants(tx, kite, { stock: 1 })
  })

  await expect.poll(() => titlesTo(ada), PATIENCE).toEqual(['It is back'])
})

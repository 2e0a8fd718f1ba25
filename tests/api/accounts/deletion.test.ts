import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { mailDeletion } from '#server/accounts/deletion.ts'
import { auditEvents, orders, users } from '#server/db/schema.ts'
import { assumeArrivals } from '#server/orders/arrivals.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { eraseDueAccounts } from '#server/orders/erasing.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { addShippable, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const DAY_MS = 24 * 3600_000

const { db, api, apiOf, customer, jobs, sessions, letters, close } = await startProvider()
afterAll(close)

const eraseAfter = (days: number) => eraseDueAccounts({ db, sessions, jobs }, new Date(Date.now() + days * DAY_MS))
const isThere = async ({ id }: Customer) => (await db.$count(users, eq(users.id, id))) > 0
const logIn = async ({ email, password }: Customer) => apiOf((await api.login({ email, password })).token)
const wrong = { status: 422, fields: { password: 'This is not your current password' } }

async function subjectsTo({ email }: Customer) {
  await lettersSent(db)
  return letters.filter(({ to }) => to === email).map(({ subject }) => subject)
}

async function payFor(ada: Customer): Promise<string> {
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))
  await payOrder(db, jobs, (await ada.api.getOrder({ orderId })).order)
  return orderId
}

describe('a customer who deletes their account', () => {
  test('is logged out everywhere, gets a mail with the date, and is erased after 14 days', async () => {
    const [ada, grace] = [await customer('Ada'), await customer('Grace')]
    const { message } = await ada.api.deleteAccount({ password: ada.password })

    expect(message).toMatch(/^Your account will be deleted on \d+ \w+ \d{4}$/)
    await expect(ada.api.getAccount({})).rejects.toMatchObject({ status: 409, code: 'INVALID_TOKEN' })
    expect(await subjectsTo(ada)).toEqual(['Your account will be deleted'])
    await eraseAfter(13)
    expect(await isThere(ada)).toBe(true)

    await eraseAfter(15)

    expect([await isThere(ada), await isThere(grace)]).toEqual([false, true])
    await expect(api.login({ email: ada.email, password: ada.password })).rejects.toMatchObject({ status: 422 })
    expect(await subjectsTo(ada)).toEqual(['Your account will be deleted', 'Your account has been deleted'])
    const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id))
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['deletion_requested', 'customer_erased']))
  })

  test('can keep it until the end of the day that the mail names', async () => {
    const ada = await customer()
    await ada.api.deleteAccount({ password: ada.password })
    await lettersSent(db)
    const { text } = letters.findLast(({ to }) => to === ada.email)!
    const [, day] = /delete your Piazza account on (\d+ \w+ \d{4})/.exec(text)!
    const lastSecond = new Date(`${day} 23:59:59 UTC`)

    await eraseDueAccounts({ db, sessions, jobs }, lastSecond)
    expect(await isThere(ada)).toBe(true)
    await eraseDueAccounts({ db, sessions, jobs }, new Date(lastSecond.getTime() + 1000))
    expect(await isThere(ada)).toBe(false)
  })

  test('gets no mail with the date if they keep the account before it could be sent', async () => {
    const ada = await customer()
    const sent: unknown[] = []
    const mail = { send: async (letter: unknown) => void sent.push(letter) }
    const about = { email: ada.email, at: new Date().toISOString(), waitsForOrders: false }
    await ada.api.deleteAccount({ password: ada.password })
    await mailDeletion({ db, mail, publicUrl: '' }, about)
    expect(sent).toMatchObject([{ subject: 'Your account will be deleted' }])

    await (await logIn(ada)).keepAccount({})
    await mailDeletion({ db, mail, publicUrl: '' }, about)

    expect(sent).toHaveLength(1)
  })

  test('can log in again and keep it with one call', async () => {
    const ada = await customer()
    await ada.api.deleteAccount({ password: ada.password })
    const again = await logIn(ada)
    const { deletion } = await again.getAccount({})
    expect(deletion?.waitsForOrders).toBe(false)

    expect(await again.keepAccount({})).toEqual({ message: 'Your account stays' })

    expect(await again.getAccount({})).not.toHaveProperty('deletion')
    await eraseAfter(15)
    expect(await isThere(ada)).toBe(true)
  })

  test('does not move the day by a second request', async () => {
    const ada = await customer()
    await ada.api.deleteAccount({ password: ada.password })
    const again = await logIn(ada)
    const before = await again.getAccount({})
    await again.deleteAccount({ password: ada.password })

    expect(await (await logIn(ada)).getAccount({})).toEqual(before)
  })

  test('needs their current password', async () => {
    const [ada, grace] = [await customer('Ada'), await customer('Grace')]

    await expect(ada.api.deleteAccount({ password: 'wrong' })).rejects.toMatchObject(wrong)
    expect(await ada.api.getAccount({})).not.toHaveProperty('deletion')
    expect(await grace.api.getAccount({})).not.toHaveProperty('deletion')
  })

  test('waits for orders that have not arrived, and leaves their amounts without name and address', async () => {
    const ada = await customer()
    const orderId = await payFor(ada)

    const { message } = await ada.api.deleteAccount({ password: ada.password })

    expect(message).toMatch(/, once your orders have arrived and your returns are complete$/)
    expect((await (await logIn(ada)).getAccount({})).deletion?.waitsForOrders).toBe(true)
    await eraseAfter(15)
    expect(await isThere(ada)).toBe(true)

    await shipOrder(db, jobs, orderId)
    expect((await (await logIn(ada)).getAccount({})).deletion?.waitsForOrders).toBe(true)
    await eraseAfter(16)
    expect(await isThere(ada)).toBe(true)

    await assumeArrivals(db, Date.now() + 60 * DAY_MS)
    await eraseAfter(17)
    expect(await isThere(ada)).toBe(false)
    const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
    expect(order!.priceCents).toBeGreaterThan(0)
    expect(order!.destination).toMatchObject({ name: '', address: '', country: 'Kenya' })
  })

  test('does not wait for a parcel that was refunded because it is lost', async () => {
    const ada = await customer()
    const orderId = await payFor(ada)
    await shipOrder(db, jobs, orderId)
    await refundOrder(db, jobs, orderId)

    await ada.api.deleteAccount({ password: ada.password })

    await eraseAfter(15)
    expect(await isThere(ada)).toBe(false)
  })
})

test('an account that cannot be erased does not keep others from being erased', async () => {
  const [ada, grace] = [await customer('Ada'), await customer('Grace')]
  for (const { api, password } of [ada, grace]) await api.deleteAccount({ password })
  await db.execute(sql`create function keep_ada() returns trigger language plpgsql as $$
    begin if old.name = 'Ada' then raise 'Ada stays'; end if; return old; end $$`)
  await db.execute(sql`create trigger keep_ada before delete on users for each row execute function keep_ada()`)

  await expect(eraseAfter(15)).rejects.toThrow('tasks failed')

  expect([await isThere(ada), await isThere(grace)]).toEqual([true, false])
  await db.execute(sql`drop trigger keep_ada on users`)
  expect(await eraseAfter(15)).toBe(1)
})

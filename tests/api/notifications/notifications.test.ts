import { eq, sql, TransactionRollbackError } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { getNotifications } from '#contract/notifications.ts'
import type { CommandOf } from '#server/operators/cli/command.ts'
import type { AppContext, Terminal } from '#server/operators/cli/app-context.ts'
import { handleCommand } from '#server/operators/cli/handle-command.ts'
import { notifications, notificationReads, users } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { type Announcer, silentAnnouncer } from '#server/chat/announcer.ts'
import { cancelByOperator, cancelOrder, refundOrder, releaseExpired } from '#server/orders/cancelling.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { settleRefund } from '#server/payments/refund-settling.ts'
import type { ProviderPayment } from '#server/payments/providers/payment-provider.ts'
import { settle } from '#server/payments/settling.ts'
import { type NewNotification, notify, sweepNotifications } from '#server/notifications/notifications.ts'
import { addAttempt, addShippable, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'
import { XSS_TEXTS } from '#tests/support/faults/xss.ts'

const DAY_MS = 24 * 3600_000
const LATER = sql`now() + interval '1 second'`

/** Which notification was announced to which customer; null means all customers. */
let announced: [userId: string | null, id: string | null][] = []
const announcer: Announcer = {
  ...silentAnnouncer,
  toCustomer: (userId, _event, payload) => void announced.push([userId, (payload as { id: string }).id]),
  toEveryCustomer: (_event, payload) => void announced.push([null, (payload as { id: string | null }).id]),
}
const { db, database, jobs, customer, request, close } = await startProvider({ announcer })
afterAll(close)
afterEach(async () => {
  await database.settled()
  announced = []
})

const listOf = async ({ api }: Customer) => (await api.getNotifications({})).notifications
const titlesOf = async (who: Customer) => (await listOf(who)).map(({ title }) => title)

async function tell(who: Customer | null, title: string, more: Partial<NewNotification> = {}): Promise<void> {
  await notify(db, { userId: who?.id ?? null, title, message: 'Look.', ...more })
}

describe('a notification', () => {
  test('is shown to its customer, or to all who had an account by then, newest first', async () => {
    const [ada, grace] = [await customer(), await customer()]
    await tell(ada, 'For Ada')
    await tell(null, 'For all')
    await tell(grace, 'For Grace', { priority: 'high', link: '/products?category=Toys' })
    const late = await customer()
    await db.update(users).set({ createdAt: LATER }).where(eq(users.id, late.id))

    expect(await titlesOf(ada)).toEqual(['For all', 'For Ada'])
    expect(await listOf(grace)).toEqual([
      expect.objectContaining({ title: 'For Grace', priority: 'high', link: '/products?category=Toys', readBy: [] }),
      expect.objectContaining({ title: 'For all', message: 'Look.', priority: 'medium', readBy: [] }),
    ])
    expect(await titlesOf(late)).toEqual([])
  })

  test('is marked as read once, and only for the customer who read it', async () => {
    const [ada, grace] = [await customer(), await customer()]
    await tell(null, 'For all')
    const [{ id } = { id: '' }] = await listOf(ada)

    const { message } = await ada.api.readNotification({ id })
    const [first] = await listOf(ada)
    await Promise.all([ada.api.readNotification({ id }), ada.api.readNotification({ id })])

    expect(message).toBe('Notification marked as read')
    expect(first?.readBy).toEqual([{ userId: ada.id, userType: 'customers', readAt: expect.any(String) as string }])
    expect(await listOf(ada)).toEqual([first])
    expect((await listOf(grace))[0]?.readBy).toEqual([])
  })

  test('cannot be read if it is another customer’s or older than the account', async () => {
    const ada = await customer()
    await tell(ada, 'For Ada')
    await tell(null, 'Before')
    const grace = await customer()
    await db.update(users).set({ createdAt: LATER }).where(eq(users.id, grace.id))
    const ids = (await listOf(ada)).map(({ id }) => id)

    for (const id of [...ids, 'nothing'])
      await expect(grace.api.readNotification({ id })).rejects.toMatchObject({
        status: 404,
        message: 'There is no such notification',
      })
    expect(await db.$count(notificationReads, eq(notificationReads.userId, grace.id))).toBe(0)
  })

  test('is announced to all windows when it is stored and when it is read', async () => {
    const ada = await customer()
    await database.settled()
    announced = []
    await tell(ada, 'For Ada')
    await tell(null, 'For all')
    const lost = transact(db, async tx => {
      await notify(tx, { userId: ada.id, title: 'Lost', message: '' })
      tx.rollback()
    })
    await expect(lost).rejects.toThrow(TransactionRollbackError)
    const [all, own] = await listOf(ada)
    await ada.api.readNotification({ id: own!.id })
    await ada.api.readNotification({ id: own!.id })
    await database.settled()

    expect(announced).toEqual([
      [ada.id, own?.id],
      [null, all?.id],
      [ada.id, own?.id],
    ])
  })

  test('with the same `about` key is stored only once', async () => {
    const ada = await customer()
    const told = await Promise.all(
      [1, 2, 3].map(() => notify(db, { userId: ada.id, title: 'Once', message: '', eventKey: `once:${ada.id}` })),
    )
    expect(told.filter(Boolean)).toHaveLength(1)
    expect(await titlesOf(ada)).toEqual(['Once'])
  })

  test.each(['javascript:alert(1)', 'https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example'])(
    'is rejected if it links outside the shop: %j',
    async link => {
      await expect(tell(null, 'Look', { link })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    },
  )

  test('is sent as plain text, even if it looks like HTML', async () => {
    const ada = await customer()
    for (const text of XSS_TEXTS) await tell(ada, text, { message: text })

    const answer = await request(`/api${getNotifications.path}`, { headers: { authorization: `Bearer ${ada.token}` } })

    expect(answer.headers.get('content-type')).toContain('application/json')
    const { notifications } = (await answer.json()) as { notifications: { title: string; message: string }[] }
    expect(notifications.map(({ title }) => title)).toEqual(XSS_TEXTS.toReversed())
    expect(notifications.map(({ message }) => message)).toEqual(XSS_TEXTS.toReversed())
  })

  test('is listed among the latest 200', async () => {
    const ada = await customer()
    const rows = Array.from({ length: 205 }, (_, at) => ({
      userId: ada.id,
      title: String(at),
      message: '',
      createdAt: new Date(Date.now() - at * 1000),
    }))
    await db.insert(notifications).values(rows)
    const listed = await titlesOf(ada)
    expect([listed.length, listed[0], listed.at(-1)]).toEqual([200, '0', '199'])
  })

  test('is deleted 90 days after its customer has read it, or after a year', async () => {
    const ada = await customer()
    await db
      .update(users)
      .set({ createdAt: new Date(0) })
      .where(eq(users.id, ada.id))
    const add = async (title: string, days: number, readDays: number | null, userId: string | null = ada.id) => {
      const createdAt = new Date(Date.now() - days * DAY_MS)
      const [added] = await db.insert(notifications).values({ userId, title, message: '', createdAt }).returning()
      const readAt = readDays === null ? null : new Date(Date.now() - readDays * DAY_MS)
      if (readAt) await db.insert(notificationReads).values({ notificationId: added!.id, userId: ada.id, readAt })
    }
    await add('read long ago', 100, 91)
    await add('read lately', 100, 89)
    await add('unread', 364, null)
    await add('a year old', 366, null)
    await add('for all, read long ago', 100, 91, null)
    await add('for all, a year old', 366, null, null)

    await sweepNotifications(db)

    const left = (await titlesOf(ada)).filter(title => title !== 'For all')
    expect(left.toSorted()).toEqual(['Before', 'for all, read long ago', 'read lately', 'unread'])
  })
})

describe('the operator’s notify command', () => {
  async function market(order: Omit<CommandOf<'notify'>, 'name'>) {
    const said = { out: '', err: '' }
    const terminal = {
      out: async (text: string) => void (said.out += text),
      err: async (text: string) => void (said.err += text),
    }
    const code = await handleCommand({ name: 'notify', ...order }, { database } as AppContext, terminal as Terminal)
    return { code, ...said }
  }

  test('notifies one customer or all customers', async () => {
    const nia = await customer()
    const one = { title: 'Hello', message: 'Nia', priority: 'medium', link: '/products' } as const
    const told = await market({ ...one, to: nia.email.toUpperCase() })
    expect(told).toEqual({ code: 0, out: `Notified ${nia.email}\n`, err: '' })
    const all = await market({ title: 'Sale', message: 'Today', priority: 'high' })
    expect(all).toEqual({ code: 0, out: `Notified ${await db.$count(users)} customers\n`, err: '' })

    expect(await listOf(nia)).toMatchObject([
      { title: 'Sale', message: 'Today', priority: 'high' },
      { title: 'Hello', message: 'Nia', priority: 'medium', link: '/products' },
    ])
  })

  test('prints an error for an unknown email address', async () => {
    const rejected = await market({ title: 'Hello', message: 'You', priority: 'low', to: 'nobody@x.test' })
    expect(rejected).toEqual({ code: 1, out: '', err: 'No customer has the address nobody@x.test\n' })
  })
})

describe('an order’s notifications', () => {
  async function placed(wishes = 1) {
    const ada = await customer()
    const products = await Promise.all(
      Array.from({ length: wishes }, (_, at) => addShippable(db, { shopName: `Quay ${at}` })),
    )
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, products))
    const { order } = await ada.api.getOrder({ orderId })
    const attempt = await addAttempt(db, order)
    const say = (status: ProviderPayment['status'], own = attempt) =>
      settle(db, jobs, own.id, reportOf(own, { status }))
    return { ada, orderId, order, attempt, say }
  }

  test('report payment, each parcel and delivery once, with a link to the order', async () => {
    const { ada, orderId, say } = await placed(2)
    await say('failed')
    await say('succeeded')
    await say('succeeded')
    await shipOrder(db, jobs, orderId)
    for (const shop of ['Quay 1', 'Quay 0']) await deliverOrder(db, orderId, { shop })

    const told = await listOf(ada)
    expect(told.map(({ title, priority }) => [title, priority]).toReversed()).toEqual([
      ['Your payment did not go through', 'high'],
      ['Your order is paid', 'medium'],
      ['Your order is on its way', 'medium'],
      ['Your order is on its way', 'medium'],
      ['Your order from Quay 1 has arrived (1 of 2 shops)', 'medium'],
      ['Your order from Quay 0 has arrived (2 of 2 shops)', 'medium'],
    ])
    expect(new Set(told.map(({ link }) => link))).toEqual(new Set([`/dashboard/order/details/${orderId}`]))
    await database.settled()
    expect(announced.filter(([userId]) => userId === ada.id)).toHaveLength(6)
  })

  test('report a cancellation, its reason and the refund', async () => {
    const [own, late, refused, awaited] = [await placed(), await placed(), await placed(), await placed()]
    await cancelOrder(db, jobs, own.ada.id, own.orderId)
    await awaited.say('processing')
    await cancelByOperator(db, jobs, awaited.orderId)
    await refused.say('succeeded')
    await cancelByOperator(db, jobs, refused.orderId)
    await settleRefund(db, jobs, refused.attempt.id)
    await releaseExpired(db, jobs, new Date(Date.now() + DAY_MS))

    expect((await listOf(own.ada)).map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'as you asked. Your order was not paid. If a payment still arrives, we will refund it.',
      ) as string,
    ])
    expect((await listOf(awaited.ada)).map(({ message }) => message)).toEqual([
      expect.stringContaining('If your payment still arrives, we will refund it.') as string,
    ])
    expect((await listOf(late.ada)).map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'not paid in time. If a payment still arrives, we will send you the order as long as everything is in stock, and refund you otherwise.',
      ) as string,
    ])
    expect((await listOf(refused.ada)).map(({ message }) => message).toReversed()).toEqual([
      expect.stringContaining('We have received your payment') as string,
      expect.stringContaining('We are refunding your payment') as string,
      expect.stringContaining('5-7 business days') as string,
    ])
  })

  test('report that a wrong amount was paid and is refunded', async () => {
    const { ada, attempt } = await placed()
    await settle(db, jobs, attempt.id, reportOf(attempt, { amountCents: attempt.amountCents - 1 }))
    const [told] = await listOf(ada)
    expect(told).toMatchObject({ title: 'We are refunding your payment', priority: 'high' })
    expect(told?.message).toContain('You can pay again while we hold it for you.')
  })

  test('report no failed payment after a successful one, and nothing that was rolled back', async () => {
    const { ada, orderId, order, say } = await placed()
    const other = await addAttempt(db, order)
    await say('succeeded')
    await say('failed', other)
    const transact: typeof jobs.transact = (on, work) =>
      jobs.transact(on, tx => work(tx, () => Promise.reject(new Error('the process ends here'))))
    await expect(refundOrder(db, { ...jobs, transact }, orderId)).rejects.toThrow('the process ends here')

    expect(await titlesOf(ada)).toEqual(['Your order is paid'])
  })
})

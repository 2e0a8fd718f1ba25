import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { REFUND_TIME } from '#contract/rules.ts'
import { auditEvents, paymentAttempts, refunds } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefund, payRefunds } from '#server/payments/refund-paying.ts'
import { settlePartRefund, settleRefund } from '#server/payments/refund-settling.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { assertInvariants, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const PRICE_CENTS = 2499
const LETTER = 'We have refunded your payment'
const GOODS = 'Wooden train'

const shop = await startPayingShop(startStripe)
afterAll(shop.close)
afterEach(() => assertInvariants(shop.db, shop))

async function paid(given?: Awaited<ReturnType<typeof shop.waiting>>) {
  const order = given ?? (await shop.waiting())
  const payable = await order.start()
  shop.fake.pay(payable)
  await order.confirm()
  const attempt = (await order.attempts()).find(({ reference }) => reference === payable.reference)
  const { orderId } = order
  return {
    ...order,
    payable,
    attemptId: attempt!.id,
    refund: (cents: number) => refundPart(shop.db, shop.jobs, orderId, cents),
    storedRefunds: () => shop.db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(refunds.seq),
    audited: async (event: string) => {
      const rows = await shop.db.select().from(auditEvents).where(eq(auditEvents.event, event)).orderBy(auditEvents.id)
      return rows.filter(({ details }) => details['orderId'] === orderId || details['attemptId'] === attempt!.id)
    },
    /** The texts of the letters about refunds, once all letters are sent. */
    refundLetters: async () => {
      await lettersSent(shop.db)
      const own = shop.letters.filter(({ to, subject }) => to === order.ada.email && subject.startsWith(LETTER))
      return own.map(({ text }) => text)
    },
    /** The notifications about refunds, newest first. */
    notified: async () => {
      const { notifications } = await order.ada.api.getNotifications({})
      return notifications.filter(({ title }) => title.includes('refund')).map(({ title, message }) => [title, message])
    },
    /** Pays the pending refunds until the order is like this. */
    becomes: (what: Partial<Awaited<ReturnType<typeof order.read>>>) =>
      vi.waitFor(async () => {
        await shop.db.update(paymentAttempts).set({ refundAskedAt: null }).where(eq(paymentAttempts.orderId, orderId))
        await payRefunds(shop.paymentContext)
        expect(await order.read()).toMatchObject(what)
      }, PATIENCE),
  }
}

test('a part that was refunded is recorded once, with its amount, and the customer is notified once', async () => {
  const { orderId, attemptId, refund, storedRefunds, audited, becomes, ledger, mails } = await paid()
  await refund(700)
  await becomes({ refundedCents: 700 })
  const [part] = await storedRefunds()

  expect(await settlePartRefund(shop.db, shop.jobs, part!)).toBe(false)

  expect(await audited('part_refund')).toMatchObject([
    { outcome: 'ok', details: { orderId, attemptId, refundId: part!.id, amountCents: 700 } },
  ])
  expect(await ledger()).toHaveLength(2)
  await vi.waitFor(() => expect(mails().filter(subject => subject === LETTER)).toHaveLength(1), PATIENCE)
})

test('the refund of the rest waits for the parts', async () => {
  const { attemptId, orderId, payable, refund, becomes } = await paid()
  shop.fake.misbehave(payable, 'error')
  await refund(300)
  await refundOrder(shop.db, shop.jobs, orderId)

  const early = settleRefund(shop.db, shop.jobs, attemptId)

  await expect(early).rejects.toThrow(`attempt ${attemptId} still has unpaid partial refunds`)
  shop.fake.misbehave(payable, null)
  await becomes({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })
})

test('an order whose parts were all refunded is refunded without another payment or letter', async () => {
  const { refund, becomes, ledger, refundLetters, notified } = await paid()
  await refund(1000)
  await becomes({ refundedCents: 1000 })
  await refund(PRICE_CENTS - 1000)

  await becomes({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })

  expect((await ledger()).map(({ amountCents }) => amountCents)).toEqual([PRICE_CENTS, 1000, PRICE_CENTS - 1000])
  const letters = await refundLetters()
  expect(letters).toHaveLength(2)
  expect(letters.at(-1)).toContain('$14.99')
  expect((await notified()).map(([title]) => title)).toEqual(['We have refunded $14.99', 'We have refunded $10.00'])
})

test('a refund of the whole order as a part of it is notified once, as all of the payment', async () => {
  const { refund, becomes, refundLetters, notified } = await paid()

  await refund(PRICE_CENTS)

  await becomes({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })
  expect(await notified()).toEqual([[LETTER, `It was for ${GOODS}. ${REFUND_TIME}`]])
  expect(await refundLetters()).toHaveLength(1)
})

test.each<[string, { amountCents?: number }]>([
  ['second', {}],
  ['wrong', { amountCents: PRICE_CENTS - 1 }],
])('the refund of a %s payment says that the order stays paid', async (_, { amountCents = PRICE_CENTS }) => {
  const order = await shop.waiting()
  const first = await order.start()
  shop.fake.pay(first, { status: 'failed' })
  await order.confirm()
  const { becomes, notified } = await paid(order)

  shop.fake.pay(first, { amountCents })
  await shop.deliver(first)

  await vi.waitFor(() => expect(shop.fake.refunds.get(first.reference)).toEqual([amountCents]), PATIENCE)
  await becomes({ paymentStatus: 'paid' })
  const title = 'We have refunded one of your payments'
  await vi.waitFor(
    async () =>
      expect((await notified())[0]).toEqual([
        title,
        `Your order of ${GOODS} stays paid by another one. ${REFUND_TIME}`,
      ]),
    PATIENCE,
  )
  await lettersSent(shop.db)
  const letter = shop.letters.findLast(({ to, subject }) => to === order.ada.email && subject.startsWith(title))
  expect(letter?.text).toContain(`We have refunded $${amountCents / 100}. Your order stays paid by another payment.`)
})

test('a refund of the whole order is recorded once with all that was paid', async () => {
  const { orderId, attemptId, audited, becomes, ledger, steps, refundLetters } = await paid()
  await refundOrder(shop.db, shop.jobs, orderId)
  await becomes({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })

  expect(await settleRefund(shop.db, shop.jobs, attemptId)).toBe(false)

  expect(await audited('refund')).toMatchObject([
    { outcome: 'ok', details: { orderId, attemptId, amountCents: PRICE_CENTS } },
  ])
  expect(await ledger()).toEqual([
    { kind: 'charge', amountCents: PRICE_CENTS },
    { kind: 'refund', amountCents: PRICE_CENTS },
  ])
  expect((await steps()).slice(-2)).toEqual(['refund_pending', 'refunded'])
  expect(await refundLetters()).toEqual([expect.stringContaining('$24.99')])
})

test('an order that was paid twice is refunded once both payments are', async () => {
  const order = await shop.waiting()
  const first = await order.start()
  shop.fake.pay(first, { status: 'failed' })
  await order.confirm()
  const { orderId, payable: second, attempts, becomes, read } = await paid(order)
  const statusOf = async ({ reference }: typeof first) =>
    (await attempts()).find(attempt => attempt.reference === reference)?.status
  // The first payment succeeds after all; its refund fails once, and is requested again a minute later.
  shop.fake.pay(first)
  shop.fake.failRefund(first)
  await shop.deliver(first)
  await vi.waitFor(async () => expect(await statusOf(first)).toBe('refund_pending'), PATIENCE)

  await refundOrder(shop.db, shop.jobs, orderId)

  await vi.waitFor(async () => {
    await payRefunds(shop.paymentContext)
    expect(await statusOf(second)).toBe('refunded')
  }, PATIENCE)
  expect(await read()).toMatchObject({ paymentStatus: 'refund_pending' })
  await becomes({ paymentStatus: 'refunded' })
  expect(shop.fake.refunds.get(first.reference)).toEqual([PRICE_CENTS])
})

test('a refund waits while the shop has no payment provider', async () => {
  const { orderId, attemptId, becomes, read } = await paid()
  await refundOrder(shop.db, withoutJobs(shop.jobs), orderId)
  const withoutProvider = { ...shop.paymentContext, provider: null }

  await payRefunds(withoutProvider)
  await payRefund(withoutProvider, attemptId)

  expect(await read()).toMatchObject({ paymentStatus: 'refund_pending' })
  await becomes({ paymentStatus: 'refunded' })
})

import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import type { DeliveryStatus, OrderStatus } from '#contract/orders.ts'
import { orders, payments, sellerOrders } from '#server/db/schema.ts'
import type { CancelledBy } from '#server/db/schema/steps.ts'
import { cancelByOperator, refundOrder, releaseExpired } from '#server/orders/cancelling.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { ORDER_TRANSITIONS, orderAfter, type OrderEvent, STOCK_STATES } from '#server/orders/order-states.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { settle } from '#server/payments/settling.ts'
import { ServiceError } from '#server/platform/errors.ts'
import { ApiError } from '#lib/api.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { rounds } from '#tests/support/rounds.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const limits = ['placeOrder', 'ordersPerDay', 'returns', 'api'].map(name => `${name}=1000000/1m`).join(',')
const { db, jobs, customer, paymentContext, close } = await startProvider({ limits })
afterAll(close)
const ada = await customer()
const rival = await customer()

const STOCK = 3
const UNITS = 2

const STEPS = [
  'pays',
  'cancels',
  'cancelsAllUnits',
  'holdEnds',
  'operatorCancels',
  'operatorRefunds',
  'shopShips',
  'rivalBuysTheRest',
] as const
type Step = (typeof STEPS)[number]

/** An order of one shop, in the words of its customer. */
class Model {
  status: OrderStatus = 'pending'
  cancelledBy: CancelledBy | null = null
  delivery: DeliveryStatus = 'Pending'
  stock = STOCK - UNITS
  /** Whether the shop holds a payment that it does not have to refund. */
  isPaid = false
  paymentCount = 0

  /** Applies the step. Returns false, and changes nothing, when the shop must reject it. */
  apply(step: Step): boolean {
    switch (step) {
      case 'pays':
        return this.pay()
      case 'cancels':
        if (this.status === 'pending') return this.cancel('customer')
        return this.status === 'cancelled'
      case 'cancelsAllUnits':
        return this.isPaid && this.delivery === 'Processing' && this.cancel('customer')
      case 'holdEnds':
        return this.status === 'pending' ? this.cancel('time') : true
      case 'operatorCancels':
        return this.status !== 'cancelled' && this.delivery !== 'Shipped' && this.cancel('operator')
      case 'operatorRefunds':
        if (!this.isPaid) return false
        this.isPaid = false
        return this.delivery === 'Shipped' ? true : this.cancel('operator')
      case 'shopShips':
        if (this.delivery !== 'Processing') return false
        this.delivery = 'Shipped'
        return true
      default:
        if (this.stock === 0) return false
        this.stock = 0
        return true
    }
  }

  private pay(): boolean {
    this.paymentCount += 1
    const isRevived = this.cancelledBy === 'time' && !this.hasPaidTooLate && this.stock >= UNITS
    if (this.status !== 'pending' && !isRevived) {
      if (this.status === 'cancelled') this.hasPaidTooLate = true
      return true
    }
    if (isRevived) this.stock -= UNITS
    this.status = 'placed'
    this.cancelledBy = null
    this.delivery = 'Processing'
    this.isPaid = true
    return true
  }

  /** The first payment after a cancellation goes back; from then on, the order cannot be paid. */
  private hasPaidTooLate = false

  private cancel(by: CancelledBy): true {
    this.status = 'cancelled'
    this.cancelledBy = by
    this.delivery = 'Cancelled'
    this.isPaid = false
    this.stock += UNITS
    return true
  }
}

/** An unpaid order, and what can happen to it. */
async function startOrder() {
  const product = await addShippable(db, { stock: STOCK })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product, quantity: UNITS }]))
  const { order } = await ada.api.getOrder({ orderId })
  const actions: Record<Step, () => Promise<unknown>> = {
    async pays() {
      const attempt = await addAttempt(db, order)
      return settle(db, jobs, attempt.id, reportOf(attempt))
    },
    cancels: () => ada.api.cancelOrder({ orderId }),
    async cancelsAllUnits() {
      const { available } = await ada.api.getReturns({ orderId })
      const { sellerOrderId = '', lines = [{ lineId: '', quantity: 1 }] } = available[0] ?? {}
      const meant = { kind: 'cancellation' as const, reason: 'changed_mind' as const, words: '' }
      const all = lines.map(({ lineId, quantity }) => ({ lineId, quantity }))
      return ada.api.requestReturn({ orderId, sellerOrderId, ...meant, lines: all })
    },
    holdEnds: () => releaseExpired(db, jobs, new Date(Date.now() + 48 * 3600_000)),
    operatorCancels: () => cancelByOperator(db, jobs, orderId),
    operatorRefunds: () => refundOrder(db, jobs, orderId),
    shopShips: () => shipOrder(db, jobs, orderId),
    async rivalBuysTheRest() {
      const quantity = await stockOf(db, product)
      const bought = await rival.api.placeOrder(orderOf(rival.id, [{ product, quantity }]))
      const attempt = await addAttempt(db, (await rival.api.getOrder(bought)).order)
      return settle(db, jobs, attempt.id, reportOf(attempt))
    },
  }
  const read = async () => {
    const [stored] = await db.select().from(orders).where(eq(orders.id, orderId))
    const [part] = await db.select().from(sellerOrders).where(eq(sellerOrders.orderId, orderId))
    return { ...stored!, delivery: part!.deliveryStatus, stock: await stockOf(db, product) }
  }
  return { product, orderId, priceCents: order.priceCents, actions, read }
}
type Started = Awaited<ReturnType<typeof startOrder>>

/** Whether the shop did the step; rejects for anything but a rejection of the request. */
async function tryStep({ actions }: Started, step: Step): Promise<boolean> {
  try {
    await actions[step]()
    return true
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ApiError) return false
    throw error
  }
}

/** What a customer has paid for an order and got back. */
async function readMoney(orderId: string) {
  const rows = await db.select().from(payments).where(eq(payments.orderId, orderId))
  const sumOf = (kind: string) => rows.reduce((sum, row) => (row.kind === kind ? sum + row.amountCents : sum), 0)
  return { chargedCents: sumOf('charge'), refundedCents: sumOf('refund') }
}

/** Histories that contain each transition of the table. */
const EXAMPLES: [Step[]][] = [
  [['cancels', 'pays', 'holdEnds', 'operatorCancels']],
  [['holdEnds', 'pays', 'cancels', 'cancelsAllUnits', 'pays']],
  [['holdEnds', 'rivalBuysTheRest', 'cancels', 'pays', 'pays']],
  [['operatorCancels', 'pays', 'shopShips', 'operatorRefunds']],
  [['pays', 'operatorCancels', 'pays']],
  [['pays', 'shopShips', 'operatorCancels', 'operatorRefunds', 'pays']],
]

test('whatever happens to an order, its status, stock and money are those of a model', async () => {
  const walked = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 3, maxLength: 12 }), async steps => {
      const [model, started] = [new Model(), await startOrder()]
      const initialStock = new Map([[started.product.variantId, STOCK]])
      for (const step of steps) {
        const before = model.status
        expect([step, await tryStep(started, step)]).toEqual([step, model.apply(step)])

        const { status, stockState, cancelledBy, delivery, stock, paymentStatus } = await started.read()
        const isPaid = paymentStatus === 'paid'
        expect([step, { status, cancelledBy, delivery, stock, isPaid }]).toEqual([
          step,
          {
            status: model.status,
            cancelledBy: model.cancelledBy,
            delivery: model.delivery,
            stock: model.stock,
            isPaid: model.isPaid,
          },
        ])
        expect(stockState).toBe(STOCK_STATES[status])
        await assertInvariants(db, { initialStock })
        if (before !== model.status) walked.add(`${before} ${model.cancelledBy ?? 'pay'} ${model.status}`)
      }
      await payRefunds(paymentContext)
      const { priceCents, orderId } = started
      const chargedCents = model.paymentCount * priceCents
      const keptCents = model.isPaid ? priceCents : 0
      // A job may have begun to pay the refund.
      await vi.waitFor(
        async () => expect(await readMoney(orderId)).toEqual({ chargedCents, refundedCents: chargedCents - keptCents }),
        PATIENCE,
      )
    }),
    { numRuns: rounds(20, 1000), examples: EXAMPLES },
  )
  const listed = Object.entries(ORDER_TRANSITIONS).flatMap(([from, moves]) =>
    Object.entries(moves).map(([event, to]) => `${from} ${event} ${to}`),
  )
  expect([...walked].toSorted()).toEqual(listed.toSorted())
})

test('an order never makes a transition that is not listed', () => {
  const events: OrderEvent[] = ['pay', 'customer', 'time', 'operator']
  for (const [from, moves] of Object.entries(ORDER_TRANSITIONS))
    for (const event of events.filter(each => !(each in moves)))
      expect(() => orderAfter(from as OrderStatus, event)).toThrow(
        `an order that is ${from} does not change by ${event}`,
      )
})

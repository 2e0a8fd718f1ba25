import { eq, sql } from 'drizzle-orm'
import { orders, orderSteps, paymentAttempts, payments } from '#server/db/schema.ts'
import type { PaymentContext } from '#server/payments/context.ts'
import type { PaymentProvider } from '#server/payments/providers/payment-provider.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import type { FakePayments, Payable } from '../fakes/fake-payments.ts'
import { subjectOf } from './letters.ts'
import { addShippable, orderOf } from './ordering.ts'
import { startProvider } from './provider.ts'

/** A `lookedUpAt` after which payments and charges are due to be looked up. */
export const LONG_AGO = sql`${paymentAttempts.createdAt} - interval '1 day'`

/** A shop with a fake payment provider. */
export async function startPayingShop(start: () => Promise<FakePayments>) {
  const fake = await start()
  const limits = ['placeOrder', 'ordersPerDay', 'confirm', 'api'].map(name => `${name}=100000/1m`).join(',')
  const provider = await startProvider({ payment: fake.config, limits })
  const { db, paymentContext, request, letters, customer } = provider
  /** Stock of each product before the first order. */
  const initialStock = new Map<string, number>()

  /** Creates a customer with an unpaid order. Returns functions to act on it and inspect it. */
  async function waiting({ stock = 5, priceCents = 1999 } = {}) {
    const ada = await customer()
    const product = await addShippable(db, { stock, priceCents })
    initialStock.set(product.variantId, stock)
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
    const isItsOwn = eq(payments.orderId, orderId)
    const { kind, amountCents } = payments
    return {
      ada,
      product,
      orderId,
      start: () => ada.api.startPayment({ orderId }),
      confirm: () => ada.api.confirmOrder({ orderId }),
      read: async () => (await ada.api.getOrder({ orderId })).order,
      /** Oldest first. */
      ledger: () => db.select({ kind, amountCents }).from(payments).where(isItsOwn).orderBy(payments.id),
      steps: async () => {
        const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId)).orderBy(orderSteps.id)
        return steps.map(({ step }) => step.kind)
      },
      attempts: () => db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId)),
      /** Makes the payments two hours old: from then on, providers list all refunds. */
      hoursLater: () =>
        db
          .update(payments)
          .set({ createdAt: new Date(Date.now() - 2 * 3600_000) })
          .where(isItsOwn),
      mails: () => letters.filter(({ to }) => to === ada.email).map(subjectOf),
      /** Minutes for which the order still holds its units. */
      heldMinutes: async () => {
        const [row] = await db.select().from(orders).where(eq(orders.id, orderId))
        return row?.heldUntil && Math.round((row.heldUntil.getTime() - Date.now()) / 60_000)
      },
      /** Ends the hold on the order's units. */
      expire: () =>
        db
          .update(orders)
          .set({ heldUntil: new Date(Date.now() - 1000) })
          .where(eq(orders.id, orderId)),
    }
  }

  /** Delivers a webhook to the shop. */
  function deliver(attempt: Payable, event?: string) {
    const { headers, body } = fake.webhook(attempt, event)
    const path = `/api/payment/webhook/${fake.config.provider}`
    return request(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  }

  /** Runs the five-minute reconciliation at once, as if the last lookup were long ago. */
  async function reconcileNow() {
    await db.update(paymentAttempts).set({ lookedUpAt: LONG_AGO })
    await reconcile(paymentContext)
  }

  /** Returns the payment context; `happens` runs before each lookup of a payment at the provider. */
  function asking(happens: (attempt: { reference: string }) => unknown): PaymentContext {
    const asked = paymentContext.provider as PaymentProvider
    const readPayment: PaymentProvider['readPayment'] = async attempt => {
      await happens(attempt)
      return asked.readPayment(attempt)
    }
    return { ...paymentContext, provider: { ...asked, readPayment } }
  }

  return {
    ...provider,
    asking,
    fake,
    initialStock,
    waiting,
    deliver,
    reconcileNow,
    async close() {
      await provider.close()
      await fake.close()
    },
  }
}

import { eq } from 'drizzle-orm'
import { orders, orderSteps, paymentAttempts, payments } from '#server/db/schema.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import type { FakePayments, Payable } from '../fakes/fake-payments.ts'
import { addShippable, orderOf } from './ordering.ts'
import { startProvider } from './provider.ts'

/** A shop whose payments a fake provider takes. */
export async function startPayingShop(start: () => Promise<FakePayments>) {
  const fake = await start()
  const limits = ['placeOrder', 'confirm', 'api'].map(name => `${name}=100000/1m`).join(',')
  const provider = await startProvider({ payment: fake.config, limits })
  const { db, paymentContext, request, letters, customer } = provider
  /** Units of what was ordered before anybody ordered it. */
  const initialStock = new Map<string, number>()

  /** A customer with an order that waits for its payment, and everything one may ask about it. */
  async function waiting({ stock = 5, priceCents = 1999 } = {}) {
    const ada = await customer()
    const product = await addShippable(db, { stock, priceCents })
    initialStock.set(product.id, stock)
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
      /** The oldest first. */
      ledger: () => db.select({ kind, amountCents }).from(payments).where(isItsOwn).orderBy(payments.id),
      steps: async () => {
        const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId)).orderBy(orderSteps.id)
        return steps.map(step => step.kind.split(':')[0])
      },
      attempts: () => db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId)),
      mails: () => letters.filter(({ to }) => to === ada.email).map(({ subject }) => subject),
      /** How long its units are kept from now on. */
      heldMinutes: async () => {
        const [row] = await db.select().from(orders).where(eq(orders.id, orderId))
        return row?.heldUntil && Math.round((row.heldUntil.getTime() - Date.now()) / 60_000)
      },
      /** As if its time were over. */
      expire: () =>
        db
          .update(orders)
          .set({ heldUntil: new Date(Date.now() - 1000) })
          .where(eq(orders.id, orderId)),
    }
  }

  /** The provider tells the shop. */
  function deliver(attempt: Payable, event?: string) {
    const { headers, body } = fake.webhook(attempt, event)
    const path = `/api/payment/webhook/${fake.config.provider}`
    return request(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  }

  /** What happens every five minutes, as if nobody had been asked for that long. */
  async function reconcileNow() {
    await db.update(paymentAttempts).set({ askedAt: null })
    await reconcile(paymentContext)
  }

  return {
    ...provider,
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

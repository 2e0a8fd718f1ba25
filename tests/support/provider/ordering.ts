import { randomUUID } from 'node:crypto'
import type { Order, OrderSummary, ShippingForm } from '#contract/orders.ts'
import { discountedCents } from '#contract/rules.ts'
import type { Db } from '#server/db/types.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { paymentAttempts } from '#server/db/schema.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { checkInvariants } from '#server/orders/invariants.ts'
import type { ProviderPayment } from '#server/payments/providers/payment-provider.ts'
import { settle } from '#server/payments/settling.ts'
import type { Api } from '#lib/api.ts'
import { addProduct } from '../catalogue/catalogue.ts'
import type { Customer, Provider } from './provider.ts'

type Ordered = Parameters<Api['placeOrder']>[0]
export type Stocked = Awaited<ReturnType<typeof addProduct>>

/** Shipping price of `addShippable` products to Kenya, in cents per line. */
export const SHIPPING_CENTS = 500

export const KENYA: ShippingForm = {
  name: 'Ada Lovelace',
  address: '12 Analytical Lane',
  phone: '+254 700 000000',
  post: '00100',
  province: 'Nairobi County',
  city: 'Nairobi',
  area: 'Westlands',
  country: 'Kenya',
}

export function addShippable(db: Db, product: Parameters<typeof addProduct>[1] = {}): Promise<Stocked> {
  return addProduct(db, { shippingPrices: { Kenya: SHIPPING_CENTS }, ...product })
}

/** The customer's orders, newest first. */
export async function ordersOf({ api, id }: Customer): Promise<OrderSummary[]> {
  return (await api.getOrders({ userId: id, status: 'all' })).orders
}

/** The data of a product that an order request needs. */
type Orderable = Pick<Stocked, 'id' | 'priceCents' | 'discount' | 'shippingPrices'>
type Wish = { product: Orderable; quantity?: number; lineId?: string; variantId?: string }

/** The request that the checkout sends: these products to Kenya, at their current prices. */
export function orderOf(userId: string, wishes: (Orderable | Wish)[], change: Partial<Ordered> = {}): Ordered {
  const lines = wishes.map((wish): Wish => ('product' in wish ? wish : { product: wish }))
  const priceCents = lines.reduce(
    (sum, { product, quantity = 1 }) =>
      sum + quantity * discountedCents(product) + (product.shippingPrices['Kenya'] ?? 0),
    0,
  )
  const groups = lines.map(({ product, quantity = 1, lineId, variantId }) => ({
    products: [{ quantity, productInfo: { _id: product.id }, variantId, ...(lineId && { _id: lineId }) }],
  }))
  return { userId, priceCents, groups, shippingInfo: KENYA, key: randomUUID(), ...change }
}

/** Orders a free product and ships it. Resolves with the parcel's id. */
export async function sendGift({ db, jobs }: { db: Db; jobs: Jobs }, { api, id }: Customer): Promise<string> {
  const gift = await addShippable(db, { priceCents: 0, shippingPrices: { Kenya: 0 } })
  const { orderId } = await api.placeOrder(orderOf(id, [gift]))
  await shipOrder(db, jobs, orderId)
  return (await api.getOrder({ orderId })).sellerOrders[0]!.parcels[0]!._id
}

/** In mutation tests one shop serves many mutants: the damage of one must not fail the runs of the next. */
const thrownFindings = new Set<string>()

/** Throws if orders, stock and money do not add up. */
export async function assertInvariants(...given: Parameters<typeof checkInvariants>): Promise<void> {
  const findings = (await checkInvariants(...given)).filter(finding => !thrownFindings.has(finding))
  if (process.env.MUTANT_TRIES) findings.forEach(finding => thrownFindings.add(finding))
  if (findings.length > 0) throw new Error(findings.join('\n'))
}

/** Adds a payment attempt as `startPayment` does. */
export async function addAttempt(db: Db, order: Pick<Order, '_id' | 'priceCents'>) {
  const [attempt] = await db
    .insert(paymentAttempts)
    .values({
      orderId: order._id,
      provider: 'sandbox',
      reference: randomUUID(),
      clientSecret: randomUUID(),
      amountCents: order.priceCents,
    })
    .returning()
  return attempt!
}

/** Pays an order: adds an attempt and applies the provider's report on it. */
export async function payOrder(db: Db, jobs: Jobs, order: Pick<Order, '_id' | 'priceCents'>) {
  const attempt = await addAttempt(db, order)
  await settle(db, jobs, attempt.id, reportOf(attempt))
  return attempt
}

/** Pays an order as the checkout does: starts a payment, pays it by card in the sandbox and confirms the order. */
export async function payInSandbox(request: Provider['request'], { api }: Customer, orderId: string): Promise<void> {
  const { reference } = await api.startPayment({ orderId })
  const body = JSON.stringify({ reference, method: 'card', number: '4242424242424242' })
  const headers = { 'content-type': 'application/json' }
  await request('/api/payment/sandbox/pay', { method: 'POST', headers, body })
  await api.confirmOrder({ orderId })
}

/** Drops all jobs of transactions, as if no process had run them yet. */
export function withoutJobs(jobs: Jobs): Jobs {
  return { ...jobs, transact: (db, work) => jobs.transact(db, tx => work(tx, () => Promise.resolve())) }
}

/** The provider's report of a successful payment for an attempt. */
export function reportOf(
  { amountCents, currency, reference }: typeof paymentAttempts.$inferSelect,
  change: Partial<ProviderPayment> = {},
): ProviderPayment {
  return { status: 'succeeded', amountCents, currency, reference, providerId: `paid-${reference}`, ...change }
}

/** Rows for a customer's cart or saved lines, of products that do not exist. */
export function otherLines(userId: string, count: number) {
  const snapshot = { slug: 'x', name: 'x', category: '', brand: '', sellerId: 's', shopName: 's', picture: undefined }
  return Array.from({ length: count }, (_, at) => ({
    userId,
    quantity: 1,
    agreedCents: 1,
    snapshot,
    productId: `other-${at}`,
    variantId: `other-${at}`,
  }))
}

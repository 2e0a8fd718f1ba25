import { randomUUID } from 'node:crypto'
import { type Api, ApiError } from '#lib/api.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import type { FakePayments, Payable } from '../fakes/fake-payments.ts'
import { apiAt } from '../processes/api-at.ts'
import { orderOf, type Stocked } from '../provider/ordering.ts'

/** A charge that the provider has taken. It either pays its order (`isKept`) or must be refunded. */
export interface Charge {
  orderId: string
  reference: string
  cents: number
  isKept: boolean
}

/** What the shop has acknowledged and what the provider has done. */
export interface Bookings {
  orders: { orderId: string; customerId: string; token: string }[]
  paid: Set<string>
  charges: Charge[]
  /** Paid orders that are cancelled unit by unit. */
  parted: Parted[]
}

interface Parted {
  orderId: string
  reference: string
  /** The cancellations that the shop has acknowledged. */
  returnIds: string[]
}

interface Shopping {
  origin: string
  fake: FakePayments
  shoe: Stocked
  known: Bookings
}

interface Purchase extends Shopping {
  api: Api
  orderId: string
  attempt: Payable
}

/** A customer who orders and pays, in each of the `ways` in turn, until the shop no longer responds. */
export async function shopOnAndOn(shopping: Shopping, first: number, ways: readonly Way[] = WAYS): Promise<void> {
  const { origin, shoe, known } = shopping
  try {
    const email = `${randomUUID()}@customers.test`
    const { token } = await apiAt(origin).register({ name: 'Ada', email, password: 'Correct-Horse-9' })
    const customerId = decodeCustomer(token)!.id
    const api = apiAt(origin, token)
    for (let turn = first; ; turn += 1) {
      const { orderId } = await api.placeOrder(
        orderOf(customerId, [
          { product: shoe, quantity: UNITS, variantId: shoe.variantIds[turn % shoe.variantIds.length]! },
        ]),
      )
      known.orders.push({ orderId, customerId, token })
      const attempt = await api.startPayment({ orderId })
      await ways[turn % ways.length]!({ ...shopping, api, orderId, attempt })
    }
  } catch (error) {
    // The process was killed, as expected. A rejected call would be a defect.
    if (error instanceof ApiError && !error.isSilent) throw error
  }
}

type Way = (purchase: Purchase) => Promise<void>

const UNITS = 3
const WAYS: Way[] = [payInFull, payTooLittle, payAfterCancelling, refundAtProvider]
/** Customers who cancel unit by unit: all three, two, one. */
export const RETURNING: Way[] = [3, 2, 1].map(count => purchase => cancelUnits(purchase, count))

async function payInFull({ api, known, fake, orderId, attempt }: Purchase): Promise<void> {
  fake.pay(attempt)
  known.charges.push({ orderId, reference: attempt.reference, cents: attempt.amountCents, isKept: true })
  const { paymentStatus } = await api.confirmOrder({ orderId })
  if (paymentStatus === 'paid') known.paid.add(orderId)
}

async function cancelUnits({ api, known, fake, orderId, attempt }: Purchase, count: number): Promise<void> {
  fake.pay(attempt)
  const parted: Parted = { orderId, reference: attempt.reference, returnIds: [] }
  known.parted.push(parted)
  await api.confirmOrder({ orderId })
  for (let unit = 0; unit < count; unit += 1) {
    const [part] = (await api.getReturns({ orderId })).available
    if (!part) throw new Error(`nothing of order ${orderId} can be cancelled`)
    const lines = [{ lineId: part.lines[0]!.lineId, quantity: 1 }]
    const about = { orderId, sellerOrderId: part.sellerOrderId, lines }
    const { returnId } = await api.requestReturn({ ...about, kind: 'cancellation', reason: 'mistake', words: '' })
    parted.returnIds.push(returnId)
  }
}

async function payTooLittle({ api, known, fake, orderId, attempt }: Purchase): Promise<void> {
  const cents = attempt.amountCents - 1
  fake.pay(attempt, { amountCents: cents })
  known.charges.push({ orderId, reference: attempt.reference, cents, isKept: false })
  await api.confirmOrder({ orderId })
  await api.cancelOrder({ orderId })
}

async function payAfterCancelling(purchase: Purchase): Promise<void> {
  const { api, known, fake, orderId, attempt } = purchase
  await api.cancelOrder({ orderId })
  fake.pay(attempt)
  known.charges.push({ orderId, reference: attempt.reference, cents: attempt.amountCents, isKept: false })
  await deliverWebhook(purchase)
}

/** Pays, then refunds the payment in the provider's own dashboard. */
async function refundAtProvider(purchase: Purchase): Promise<void> {
  await payInFull(purchase)
  const { known, fake, orderId, attempt } = purchase
  const charge = known.charges.find(({ reference }) => reference === attempt.reference)!
  charge.isKept = false
  known.paid.delete(orderId)
  fake.refunds.set(attempt.reference, [charge.cents])
  await deliverWebhook(purchase)
}

async function deliverWebhook({ origin, fake, attempt }: Purchase): Promise<void> {
  const { headers, body } = fake.webhook(attempt, 'charge.refunded')
  const url = new URL(`/api/payment/webhook/${fake.config.provider}`, origin)
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}

import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { DeliveryStatus } from '#contract/orders.ts'
import { receiveParcel } from '#server/orders/arrivals.ts'
import { cancelByOperator, refundOrder } from '#server/orders/cancelling.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { ServiceError } from '#server/platform/errors.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { rounds } from '#tests/support/rounds.ts'
import { addShippable, assertInvariants, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const limits = ['placeOrder', 'ordersPerDay', 'api'].map(name => `${name}=1000000/1m`).join(',')
const { db, jobs, customer, close } = await startProvider({ limits })
afterAll(close)

const RUNS = rounds(20, 1000)
const STEPS = 10
const SHOPS = ['Clay', 'Yarn']
const ORDERED = [3, 2]
const STOCK = 5

type Step =
  | { kind: 'ship'; shop: number; line: number; quantity: number }
  | { kind: 'shipRest' | 'deliver'; shop: number }
  | { kind: 'deliverOne' | 'receive'; shop: number; number: number }
  | { kind: 'cancel' | 'refund' }

const shop = fc.nat(SHOPS.length - 1)
const number = fc.integer({ min: 1, max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ship' as const),
      shop,
      line: fc.nat(ORDERED.length - 1),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('shipRest', 'deliver'), shop }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('deliverOne', 'receive'), shop, number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cancel', 'refund') }) },
)

/** A seller's part: the unsent units of each line, and its parcels. */
class PartModel {
  unsent = [...ORDERED]
  parcels: { units: number[]; hasArrived: boolean }[] = []
  stock = ORDERED.map(quantity => STOCK - quantity)

  get status(): DeliveryStatus {
    if (this.unsent.some(units => units > 0)) return 'Processing'
    if (this.parcels.length === 0) return 'Cancelled'
    return this.parcels.every(({ hasArrived }) => hasArrived) ? 'Delivered' : 'Shipped'
  }

  send(units: number[]): boolean {
    if (this.status !== 'Processing' || units.some((each, line) => each > this.unsent[line]!)) return false
    this.unsent = this.unsent.map((left, line) => left - units[line]!)
    this.parcels.push({ units, hasArrived: false })
    return true
  }

  arrive(isMeant: (number: number) => boolean): boolean {
    const sent = this.parcels.filter(({ hasArrived }, at) => !hasArrived && isMeant(at + 1))
    for (const parcel of sent) parcel.hasArrived = true
    return sent.length > 0
  }

  cancelUnsent(): void {
    this.stock = this.stock.map((units, line) => units + this.unsent[line]!)
    this.unsent = this.unsent.map(() => 0)
  }
}

class Model {
  parts = SHOPS.map(() => new PartModel())
  isPaid = true

  /** Applies the step. Returns false, and changes nothing, when the shop must reject it. */
  apply(step: Step): boolean {
    if (!('shop' in step)) return this.end(step.kind)
    const part = this.parts[step.shop]!
    if (step.kind === 'ship') return part.send(ORDERED.map((_, line) => (line === step.line ? step.quantity : 0)))
    if (step.kind === 'shipRest') return part.send([...part.unsent])
    if (!('number' in step)) return part.arrive(() => true)
    // A parcel that has arrived may be received again.
    const isKnown = step.kind === 'receive' && part.parcels.length >= step.number
    return part.arrive(each => each === step.number) || isKnown
  }

  private end(kind: 'cancel' | 'refund'): boolean {
    const isShipped = this.parts.some(({ parcels }) => parcels.length > 0)
    if (!this.isPaid || (kind === 'cancel' && isShipped)) return false
    this.isPaid = false
    for (const part of this.parts) part.cancelUnsent()
    return true
  }
}

/** A paid order of two lines from each of two shops. */
async function startOrder() {
  const ada = await customer()
  const wishes = []
  for (const shopName of SHOPS) {
    const first = await addShippable(db, { shopName, stock: STOCK })
    const second = await addShippable(db, { shopName, stock: STOCK, sellerId: first.sellerId })
    wishes.push([first, second] as const)
  }
  const lines = wishes.flatMap(own => own.map((product, at) => ({ product, quantity: ORDERED[at]! })))
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, lines))
  await payOrder(db, jobs, (await ada.api.getOrder({ orderId })).order)
  const initialStock = new Map(wishes.flat().map(({ variantId }) => [variantId, STOCK]))
  return { ada, orderId, wishes, initialStock }
}
type Started = Awaited<ReturnType<typeof startOrder>>

async function takeStep({ ada, orderId, wishes }: Started, step: Step): Promise<unknown> {
  if (!('shop' in step))
    return step.kind === 'cancel' ? cancelByOperator(db, jobs, orderId) : refundOrder(db, jobs, orderId)
  const shopName = SHOPS[step.shop]!
  switch (step.kind) {
    case 'ship': {
      const items = [{ name: wishes[step.shop]![step.line]!.slug, quantity: step.quantity }]
      return shipOrder(db, jobs, orderId, { shop: shopName, items })
    }
    case 'shipRest':
      return shipOrder(db, jobs, orderId, { shop: shopName })
    case 'deliver':
      return deliverOrder(db, orderId, { shop: shopName })
    case 'deliverOne':
      return deliverOrder(db, orderId, { shop: shopName, number: step.number })
    default: {
      const { sellerOrders } = await ada.api.getOrder({ orderId })
      const part = sellerOrders.find(each => each.shopName === shopName)!
      return receiveParcel(db, ada.id, part.parcels[step.number - 1]?._id ?? 'none')
    }
  }
}

/** Whether the shop did the step; rejects for anything but a rejection of the request. */
async function tryStep(started: Started, step: Step): Promise<boolean> {
  try {
    await takeStep(started, step)
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

test('any history of parcels and cancellations leaves stock, money and statuses that add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS }), async steps => {
      const [model, started] = [new Model(), await startOrder()]
      for (const each of steps) {
        expect([each, await tryStep(started, each)]).toEqual([each, model.apply(each)])

        await assertInvariants(db, started)
        const { order, sellerOrders } = await started.ada.api.getOrder(started)
        for (const [at, shopName] of SHOPS.entries()) {
          const [part, own] = [model.parts[at]!, sellerOrders.find(seller => seller.shopName === shopName)!]
          expect(own.deliveryStatus).toBe(part.status)
          expect(own.parcels.map(({ status }) => status === 'arrived')).toEqual(
            part.parcels.map(({ hasArrived }) => hasArrived),
          )
          expect(await Promise.all(started.wishes[at]!.map(product => stockOf(db, product)))).toEqual(part.stock)
        }
        expect(order.paymentStatus).toBe(model.isPaid ? 'paid' : 'refund_pending')
      }
    }),
    { numRuns: RUNS },
  )
})

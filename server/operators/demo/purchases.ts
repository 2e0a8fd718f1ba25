import { sumsOf } from '#contract/order-sums.ts'
import type { DeliveryStatus, OrderStatus, PaymentStatus, ShippingForm } from '#contract/orders.ts'
import { discountedCents } from '#contract/rules.ts'
import type { CancelledBy, Step } from '#server/db/schema/steps.ts'
import type { orderLines, orders, orderSteps, sellerOrders } from '#server/db/schema.ts'
import type { DemoContent, ProductContent } from './content.ts'
import type { PictureOf } from './pictures.ts'
import { promiseOf } from '#server/orders/pricing.ts'
import { STOCK_STATES } from '#server/orders/order-states.ts'
import { sumBy } from '#server/platform/sum.ts'
import { customerId, DEMO_ADDRESS } from './customer.ts'
import { type ParcelRows, parcelRows } from './parcels.ts'
import { attemptIdOf } from './payments.ts'
import { daysAgo, demoId, demoNumber, inCents, morningAgo, transitDaysOf, variantRows } from './rows.ts'

interface Purchase {
  key: string
  daysAgo: number
  status: OrderStatus
  paymentStatus: PaymentStatus
  cancelledBy?: CancelledBy
  lines: { product: string; variant?: number; quantity: number }[]
  /** The status of each shop's part, by the shop's key. */
  delivery: Record<string, DeliveryStatus>
  carrier?: string
  trackingNumber?: string
}

/** The orders of the demo's customer: one in each state, newest first. */
const PURCHASES: Purchase[] = [
  {
    key: 'to-pay',
    daysAgo: 0,
    status: 'pending',
    paymentStatus: 'unpaid',
    lines: [{ product: 'beeswax-pillar-candle', variant: 1, quantity: 2 }],
    delivery: { 'hearth-hollow': 'Pending' },
  },
  {
    key: 'preparing',
    daysAgo: 1,
    status: 'placed',
    paymentStatus: 'paid',
    lines: [{ product: 'barnaby-the-bear', quantity: 1 }],
    delivery: { 'pips-toybox': 'Processing' },
  },
  {
    key: 'under-way',
    daysAgo: 4,
    status: 'placed',
    paymentStatus: 'paid',
    lines: [
      { product: 'cirrus-trail', variant: 2, quantity: 1 },
      { product: 'everyday-tee-heavy-organic-jersey', variant: 1, quantity: 2 },
    ],
    delivery: { soleway: 'Shipped', 'marrow-thread': 'Processing' },
    carrier: 'DHL',
    trackingNumber: '00340434161094015902',
  },
  {
    key: 'arrived',
    daysAgo: 16,
    status: 'placed',
    paymentStatus: 'paid',
    lines: [
      { product: 'assam-tea-second-flush', quantity: 2 },
      { product: 'amalfi-lemons-2-kg', quantity: 1 },
    ],
    delivery: { 'mercato-verde': 'Delivered' },
    carrier: 'Corriere del Porto',
  },
  {
    key: 'not-paid-in-time',
    daysAgo: 23,
    status: 'cancelled',
    paymentStatus: 'unpaid',
    cancelledBy: 'time',
    lines: [{ product: 'basalt-14-laptop', quantity: 1 }],
    delivery: { northlight: 'Cancelled' },
  },
  {
    key: 'refunded',
    daysAgo: 38,
    status: 'cancelled',
    paymentStatus: 'refunded',
    cancelledBy: 'operator',
    lines: [{ product: 'everyday-fountain-pen', variant: 2, quantity: 1 }],
    delivery: { 'bench-bobbin': 'Cancelled' },
  },
]

/** How long the demo's unpaid order waits for its payment. */
const HELD_DAYS = 30

interface PurchaseRows extends ParcelRows {
  orders: (typeof orders.$inferInsert)[]
  sellerOrders: (typeof sellerOrders.$inferInsert)[]
  lines: (typeof orderLines.$inferInsert)[]
  steps: (typeof orderSteps.$inferInsert)[]
}

/** Units that the customer has paid for, by product: they are part of the products' units sold. */
export function boughtUnits(): Map<string, number> {
  const units = new Map<string, number>()
  for (const { paymentStatus, lines } of PURCHASES) {
    if (paymentStatus !== 'paid') continue
    for (const { product, quantity } of lines) units.set(product, (units.get(product) ?? 0) + quantity)
  }
  return units
}

export const purchaseId = (key: string) => demoId('order', `customer:${key}`)
export const partId = (key: string, shop: string) => demoId('shop order', `customer:${key}:${shop}`)

/** The rows of the customer's orders. `slugOf` returns a product's slug by its key. */
export function purchaseRows(
  content: DemoContent,
  pictureOf: PictureOf,
  slugOf: (key: string) => string,
): PurchaseRows {
  const rows: PurchaseRows = { orders: [], sellerOrders: [], lines: [], steps: [], parcels: [], parcelLines: [] }
  for (const purchase of PURCHASES) {
    const lines = purchase.lines.map(line => lineOf(content, purchase.key, line, pictureOf, slugOf))
    const total = sumsOf(
      lines.map(({ row, shippingPrices }) => ({
        quantity: row.quantity,
        product: { priceCents: row.unitCents, discount: 0, shippingPrices },
      })),
      DEMO_ADDRESS.country,
    )
    rows.orders.push(orderOf(purchase, total))
    const own = lines.map(({ row }) => row)
    const parts = partsOf(content, purchase, own)
    const sent = parcelRows(parts, own, () => tripOf(purchase))
    rows.sellerOrders.push(...parts)
    rows.lines.push(...own)
    rows.parcels.push(...sent.parcels)
    rows.parcelLines.push(...sent.parcelLines)
    rows.steps.push(...stepsOf(purchase))
  }
  return rows
}

function partsOf(
  { shops }: DemoContent,
  purchase: Purchase,
  lines: PurchaseRows['lines'],
): PurchaseRows['sellerOrders'] {
  return Object.entries(purchase.delivery).map(([shop, deliveryStatus]) => {
    const id = partId(purchase.key, shop)
    const content = shops.find(({ key }) => key === shop)!
    const promise = { handlingDays: content.handlingDays, transitDays: transitDaysOf(content) }
    const own = lines.filter(({ sellerOrderId }) => sellerOrderId === id)
    return {
      id,
      orderId: purchaseId(purchase.key),
      sellerId: demoId('shop', shop),
      shopName: content.shopName,
      priceCents: sumBy(own, ({ quantity, unitCents, shippingCents = 0 }) => quantity * unitCents + shippingCents),
      deliveryStatus,
      deliveryDays: promiseOf(promise, DEMO_ADDRESS.country),
      deliveredAt: deliveryStatus === 'Delivered' ? tripOf(purchase).arrivedAt : null,
    }
  })
}

/** When the parcels of an order leave and arrive. */
function tripOf({ daysAgo: days, carrier, trackingNumber }: Purchase) {
  return {
    paidAt: paidAtOf(days),
    sentAt: morningAgo(days - 2),
    arrivedAt: morningAgo(days - 6),
    carrier,
    trackingNumber,
  }
}

const paidAtOf = (days: number) => morningAgo(days, 90)

function orderOf(
  { key, daysAgo: days, status, paymentStatus, cancelledBy, lines }: Purchase,
  { priceCents, shippingCents }: { priceCents: number; shippingCents: number },
): typeof orders.$inferInsert {
  const { postal: post, ...rest } = DEMO_ADDRESS
  const destination: ShippingForm = { ...rest, post }
  const isPaid = paymentStatus === 'paid' || paymentStatus === 'refunded'
  return {
    id: purchaseId(key),
    number: demoNumber(`customer:${key}`),
    userId: customerId,
    status,
    paymentStatus,
    priceCents,
    shippingCents,
    itemCount: sumBy(lines, ({ quantity }) => quantity),
    destination,
    stockState: STOCK_STATES[status],
    heldUntil: status === 'pending' ? daysAgo(-HELD_DAYS) : null,
    cancelledBy: cancelledBy ?? null,
    isDemo: true,
    createdAt: morningAgo(days),
    paidAt: isPaid ? paidAtOf(days) : null,
  }
}

function lineOf(
  { products, shops }: DemoContent,
  order: string,
  { product: key, variant = 0, quantity }: Purchase['lines'][number],
  pictureOf: PictureOf,
  slugOf: (key: string) => string,
) {
  const product = products.find(each => each.key === key)!
  const { name, category, brand, seller, images } = product
  const bought = variantRows(product, pictureOf)[variant]!
  const { id: variantId, options = [], sku = '', priceCents, discount = 0 } = bought
  const shippingPrices = shippingOf(product, shops)
  return {
    shippingPrices,
    row: {
      id: demoId('line', `customer:${order}:${key}`),
      sellerOrderId: partId(order, seller),
      productId: demoId('product', key),
      variantId: variantId!,
      quantity,
      unitCents: discountedCents({ priceCents, discount }),
      shippingCents: shippingPrices[DEMO_ADDRESS.country] ?? 0,
      snapshot: {
        slug: slugOf(key),
        name,
        category,
        brand,
        priceCents,
        discount,
        picture: bought.picture ?? pictureOf(images[0] ?? '', name) ?? undefined,
        variant: options.length > 0 ? { options, sku } : undefined,
      },
    },
  }
}

function shippingOf({ seller, shippingExtra }: ProductContent, shops: DemoContent['shops']): Record<string, number> {
  const rates = shops.find(({ key }) => key === seller)!.shippingRates
  return { ...inCents(rates), ...inCents(shippingExtra) }
}

/** The steps of an order, an hour or more apart. */
function stepsOf(purchase: Purchase) {
  const { key, daysAgo: days, paymentStatus, cancelledBy, delivery } = purchase
  const { paidAt, sentAt, arrivedAt } = tripOf(purchase)
  const steps: [Step, at: Date][] = [[{ kind: 'placed' }, morningAgo(days)]]
  if (paymentStatus !== 'unpaid') steps.push([{ kind: 'paid' }, paidAt])
  for (const [shop, status] of Object.entries(delivery)) {
    const sellerOrderId = partId(key, shop)
    if (status === 'Shipped' || status === 'Delivered') steps.push([{ kind: 'shipped', sellerOrderId }, sentAt])
    if (status === 'Delivered') steps.push([{ kind: 'delivered', sellerOrderId }, arrivedAt])
  }
  if (cancelledBy) steps.push([{ kind: 'cancelled', by: cancelledBy }, morningAgo(days, 1800)])
  if (paymentStatus === 'refunded')
    steps.push([{ kind: 'refunded', attemptId: attemptIdOf(purchaseId(key)) }, morningAgo(days - 1)])
  return steps.map(([step, at]) => ({
    orderId: purchaseId(key),
    step,
    sellerOrderId: 'sellerOrderId' in step ? step.sellerOrderId : null,
    at,
  }))
}

import { arrivalOf, totalDays } from '#contract/delivery.ts'
import type { ProductSnapshot } from '#contract/product.ts'
import type { OrderedProduct } from '#contract/ordered-product.ts'
import {
  type DeliveryStatus,
  EMPTY_SHIPPING_FORM,
  type Order,
  type OrderSummary,
  type SellerOrder,
} from '#contract/orders.ts'
import type { OrderRefund, Parcel, TimelineStep } from '#contract/parcels.ts'
import type { ReturnStatus } from '#contract/returns.ts'
import { nameWithoutSku } from '#contract/variants.ts'
import type { orderLines, orders, orderSteps } from '../db/schema.ts'
import type { CancelledBy, Step, StepKind } from '../db/schema/steps.ts'
import { pictureAddress } from '../catalogue/pictures.ts'
import { toChosen } from '../catalogue/variants.ts'
import { dollars } from '../platform/usd.ts'
import { cancelledUnits, linesWith, type OrderPart, type StoredParcel, unsentUnits } from './parts.ts'
import { isRefunded } from './payment-states.ts'
import { decidedText, RETURNS, TO_CUSTOMER, type Wording } from './return-texts.ts'

type StoredOrder = typeof orders.$inferSelect
type RecordedStep = typeof orderSteps.$inferSelect
type Line = typeof orderLines.$inferSelect

/** From the furthest behind to the furthest ahead. */
const DELIVERY_PROGRESS: DeliveryStatus[] = ['Pending', 'Processing', 'Shipped', 'Delivered']

/** An order in the form of the contract. */
export function toOrder(
  order: StoredOrder,
  {
    parts,
    steps,
    refunds,
    refundedCents,
    wording,
  }: { parts: OrderPart[]; steps: RecordedStep[]; refunds: OrderRefund[]; refundedCents: number; wording: Wording },
): Order {
  const { id, number, userId, priceCents, shippingCents, itemCount, createdAt, status, paymentStatus, destination } =
    order
  return {
    _id: id,
    number,
    userId: userId ?? '',
    priceCents,
    shippingCents,
    items: itemCount,
    date: createdAt.toISOString(),
    paidAt: order.paidAt?.toISOString(),
    status,
    paymentStatus,
    secondsLeft: status === 'pending' && paymentStatus === 'unpaid' ? secondsLeft(order, Date.now()) : undefined,
    refundedCents,
    deliveryStatus: overallStatus(parts.map(part => part.deliveryStatus)),
    shippingInfo: destination ?? EMPTY_SHIPPING_FORM,
    groups: parts.map(part => {
      const { sellerId, shopName, priceCents, lines, deliveryDays: days } = part
      const deliveryDays = days && !order.paidAt ? totalDays(days) : undefined
      return { sellerId, shopName, priceCents, products: toProducts(part, lines), deliveryDays }
    }),
    timeline: timelineOf(steps, parts, wording),
    refunds,
  }
}

/** How long an unpaid order holds its units. */
export function secondsLeft({ heldUntil }: Pick<StoredOrder, 'heldUntil'>, now: number): number {
  return Math.max(0, Math.floor(((heldUntil?.getTime() ?? now) - now) / 1000))
}

/** What customers read about an order's steps; with `TO_OPERATOR`, what operators read. */
export function timelineOf(steps: RecordedStep[], parts: OrderPart[], wording = TO_CUSTOMER): TimelineStep[] {
  const partOf = new Map(
    parts.flatMap(part => [part.id, ...part.parcels.map(parcel => parcel.id)].map(each => [each, part])),
  )
  const statusOf = new Map<string, ReturnStatus>()
  return steps.flatMap(({ at, step }) => {
    const part = partOf.get('parcelId' in step ? step.parcelId : 'sellerOrderId' in step ? step.sellerOrderId : '')
    let text = (part && assumedText(step, part)) ?? textOf(step, part?.shopName ?? 'the shop', wording)
    if ('returnId' in step) {
      if (step.status === 'received' && statusOf.get(step.returnId) === 'escalated') text = decidedText(wording)
      statusOf.set(step.returnId, step.status)
    }
    return text ? [{ at: at.toISOString(), text, sellerOrderId: part?.id }] : []
  })
}

/** A line in a list of orders, with the part that it belongs to. */
interface ListedLine extends Pick<Line, 'snapshot'> {
  part: Pick<OrderPart, 'id' | 'sellerId' | 'shopName' | 'deliveryStatus'> & { isPartlySent: boolean }
}

/** An order as a row of a list, in the form of the contract. */
export function toSummary(order: StoredOrder, lines: ListedLine[]): OrderSummary {
  const { id, number, priceCents, paymentStatus, status, createdAt, itemCount } = order
  const parts = [...Map.groupBy(lines, ({ part }) => part.id).values()]
  return {
    _id: id,
    number,
    priceCents,
    paymentStatus,
    deliveryStatus: overallStatus(parts.map(([first]) => first!.part.deliveryStatus)),
    status,
    date: createdAt.toISOString(),
    items: itemCount,
    parts: parts.map(own => {
      const { sellerId, shopName, deliveryStatus, isPartlySent } = own[0]!.part
      return {
        sellerId,
        shopName,
        deliveryStatus,
        isPartlySent: isPartlySent || undefined,
        products: own.map(({ snapshot }) => ({
          name: snapshot ? nameWithoutSku(snapshot) : '',
          image: snapshot?.picture && pictureAddress(snapshot.picture),
        })),
      }
    }),
  }
}

/** Status of a whole order: that of the part furthest behind. `Cancelled` only if all parts are. */
function overallStatus(parts: DeliveryStatus[]): DeliveryStatus {
  return DELIVERY_PROGRESS.find(status => parts.includes(status)) ?? 'Cancelled'
}

/** One seller's part of an order in the form of the contract. */
export function toSellerOrder(part: OrderPart, order: Pick<StoredOrder, 'paidAt' | 'paymentStatus'>): SellerOrder {
  const { id, sellerId, shopName, priceCents, deliveryStatus, deliveryDays, lines } = part
  const unsent = unsentUnits(part)
  const paidAt = isRefunded(order) ? null : order.paidAt
  return {
    _id: id,
    sellerId,
    shopName,
    priceCents,
    deliveryStatus,
    products: toProducts(part, lines),
    parcels: part.parcels.map(parcel => toParcel(part, parcel)),
    unsent: toProducts(part, linesWith(lines, unsent)),
    arrival: paidAt && deliveryDays && unsent.size > 0 ? arrivalOf(paidAt.getTime(), deliveryDays) : undefined,
    cancelled: toProducts(part, linesWith(lines, cancelledUnits(part))),
  }
}

function toParcel(part: OrderPart, parcel: StoredParcel): Parcel {
  const { id, number, status, carrier, trackingNumber, sentAt, expectedAt, arrivedAt, reportedBy, units } = parcel
  return {
    _id: id,
    number,
    status,
    carrier: carrier ?? undefined,
    trackingNumber: trackingNumber ?? undefined,
    sentAt: sentAt.toISOString(),
    expectedAt: expectedAt.toISOString(),
    arrivedAt: arrivedAt?.toISOString(),
    reportedBy: reportedBy ?? undefined,
    products: toProducts(part, linesWith(part.lines, units)),
  }
}

function toProducts(part: OrderPart, lines: Line[]): OrderedProduct[] {
  return lines.map(line => ({
    quantity: line.quantity,
    productInfo: toSnapshot(line, part),
    variant: line.variantId ? toChosen(line.variantId, line.snapshot?.variant) : undefined,
  }))
}

function toSnapshot({ productId, unitCents, snapshot }: Line, { sellerId, shopName }: OrderPart): ProductSnapshot {
  const { picture, variant, ...known } = snapshot ?? {
    slug: '',
    name: '',
    category: '',
    brand: '',
    priceCents: unitCents,
    discount: 0,
  }
  const image = picture && pictureAddress(picture)
  return { _id: productId, ...known, images: image ? [image] : [], sellerId, shopName }
}

const CANCELLED: Record<CancelledBy, (wording: Wording) => string> = {
  customer: ({ you }) => `Cancelled by ${you}`,
  time: () => 'Cancelled: it was not paid in time',
  operator: () => 'Cancelled by the marketplace',
}

type Worded = Exclude<
  StepKind,
  'cancelled' | 'return' | 'cancellation' | 'part_refund_pending' | 'part_refunded' | 'part_returned' | DeliveryStep
>

type DeliveryStep = 'packed' | 'shipped' | 'delivered' | 'parcel_sent' | 'parcel_arrived'

const DELIVERIES: Record<DeliveryStep, (shopName: string) => string> = {
  packed: shopName => `Packed by ${shopName}`,
  shipped: shopName => `Shipped by ${shopName}`,
  delivered: shopName => `Delivered from ${shopName}`,
  parcel_sent: shopName => `Partly shipped by ${shopName}`,
  parcel_arrived: shopName => `A parcel from ${shopName} has arrived`,
}

/** The text of an arrival that nobody has reported; undefined for other steps. */
function assumedText(step: Step, { shopName, parcels }: OrderPart): string | undefined {
  const assumed = parcels.filter(({ reportedBy }) => reportedBy === 'time')
  if (step.kind === 'delivered' && assumed.length > 0) return `Counts as arrived from ${shopName}`
  const isParcel = step.kind === 'parcel_arrived' && assumed.some(({ id }) => id === step.parcelId)
  return isParcel ? `A parcel from ${shopName} counts as arrived` : undefined
}

const TEXTS: Record<Worded, string | ((wording: Wording) => string) | null> = {
  placed: 'Order received',
  processing: 'Payment on its way',
  failed: 'Payment did not go through',
  lapsed: 'Payment not completed in time',
  paid: 'Payment received',
  revived: 'Reopened: the payment arrived after the deadline',
  paid_again: 'Paid a second time',
  paid_wrong: 'Paid with a different amount or currency',
  // Reports on another payment concern only the operator.
  mismatch: null,
  disputed: ({ your }) => `Disputed at ${your} bank`,
  // Its amount is a step of its own.
  dispute_lost: null,
  returned: 'Refunded at the payment provider',
  refund_pending: 'Refund on its way',
  refunded: 'Refunded',
  refund_bounced: ({ your }) => `Refund returned by ${your} bank`,
}

/** The text of a step; null for steps that customers do not see. */
function textOf(step: Step, shopName: string, wording: Wording): string | null {
  if (step.kind === 'cancelled') return CANCELLED[step.by](wording)
  if ('amountCents' in step) return PART_REFUNDS[step.kind](dollars(step.amountCents))
  if ('parcelId' in step) return DELIVERIES[step.kind](shopName)
  if (step.kind === 'return' || step.kind === 'cancellation') return RETURNS[step.kind][step.status](shopName, wording)
  if (!('sellerOrderId' in step)) {
    const text = TEXTS[step.kind]
    return typeof text === 'function' ? text(wording) : text
  }
  return DELIVERIES[step.kind](shopName)
}

const PART_REFUNDS: Record<'part_refund_pending' | 'part_refunded' | 'part_returned', (amount: string) => string> = {
  part_refund_pending: amount => `Refund of ${amount} on its way`,
  part_refunded: amount => `Refunded ${amount}`,
  part_returned: amount => `Refunded ${amount} at the payment provider`,
}

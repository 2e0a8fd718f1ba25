import type { Product } from '#contract/catalog.ts'
import type { DeliveryStatus, Order, SellerOrder, ShippingForm } from '#contract/orders.ts'
import type { orderLines, orders, orderSteps } from '../db/schema.ts'
import type { OrderPart } from './parts.ts'
import { pictureAddress } from '../catalogue/pictures.ts'

type StoredOrder = typeof orders.$inferSelect
type Step = typeof orderSteps.$inferSelect
type Line = typeof orderLines.$inferSelect

const NOWHERE: ShippingForm = {
  name: '',
  address: '',
  phone: '',
  post: '',
  province: '',
  city: '',
  area: '',
  country: '',
}

const STEPS_OF_DELIVERY: DeliveryStatus[] = ['Pending', 'Processing', 'Shipped', 'Delivered']

/** An order in the form of the contract. */
export function toOrder(order: StoredOrder, parts: OrderPart[], steps: Step[]): Order {
  const { id, userId, priceCents, shippingCents, itemCount, createdAt, status, paymentStatus, destination } = order
  const shopNames = new Map(parts.map(part => [part.id, part.shopName]))
  return {
    _id: id,
    userId: userId ?? '',
    priceCents,
    shippingCents,
    items: itemCount,
    date: createdAt.toISOString(),
    status,
    paymentStatus,
    deliveryStatus: overallStatus(parts.map(part => part.deliveryStatus)),
    shippingInfo: destination ?? NOWHERE,
    groups: parts.map(part => {
      const { sellerId, shopName, priceCents, products } = toSellerOrder(part)
      return { sellerId, shopName, priceCents, products }
    }),
    timeline: steps.filter(isToldOf).map(step => ({ at: step.at.toISOString(), text: tell(step, shopNames) })),
  }
}

/** Status of a whole order: that of the part furthest behind. `Cancelled` only if all parts are. */
export function overallStatus(parts: DeliveryStatus[]): DeliveryStatus {
  return STEPS_OF_DELIVERY.find(step => parts.includes(step)) ?? 'Cancelled'
}

/** One seller's part of an order in the form of the contract. */
export function toSellerOrder(part: OrderPart): SellerOrder {
  const { id, sellerId, shopName, priceCents, deliveryStatus, lines } = part
  const products = lines.map(line => ({ quantity: line.quantity, productInfo: asOrdered(line, part) }))
  return { _id: id, sellerId, shopName, priceCents, deliveryStatus, products }
}

/** The product as it was when it was ordered, from its snapshot. */
function asOrdered({ productId, unitCents, seen }: Line, { sellerId, shopName }: OrderPart): Product {
  const { picture, ...known } = seen ?? {
    slug: '',
    name: '',
    category: '',
    brand: '',
    priceCents: unitCents,
    discount: 0,
  }
  const image = picture && pictureAddress(picture)
  return {
    _id: productId,
    ...known,
    stock: 0,
    description: '',
    images: image ? [image] : [],
    rating: 0,
    ratingCount: 0,
    sellerId,
    shopName,
    isPromoted: false,
    banner: null,
    shippingPrices: {},
    variants: [],
  }
}

const TEXTS: Record<string, string> = {
  placed: 'Order received',
  processing: 'Payment on its way',
  failed: 'Payment did not go through',
  lapsed: 'Payment not completed in time',
  paid: 'Payment received',
  revived: 'Taken up again: the payment came after the time was over',
  paid_again: 'Paid a second time',
  paid_wrong: 'Paid with another amount or currency',
  'cancelled:customer': 'Cancelled by you',
  'cancelled:time': 'Cancelled: it was not paid in time',
  'cancelled:operator': 'Cancelled by the marketplace',
  disputed: 'Disputed at your bank',
  returned: 'Given back at the payment provider',
  refund_pending: 'Refund on its way',
  refunded: 'Refunded',
}

/** Reports on another payment concern only the operator. */
function isToldOf({ kind }: Step): boolean {
  return !kind.startsWith('mismatch:')
}

function tell({ kind, sellerOrderId }: Step, shopNames: Map<string, string>): string {
  const [what = kind] = kind.split(':')
  const shopName = shopNames.get(sellerOrderId ?? '') ?? 'the shop'
  if (what === 'shipped') return `Shipped by ${shopName}`
  if (what === 'delivered') return `Delivered from ${shopName}`
  return TEXTS[kind] ?? TEXTS[what] ?? what
}

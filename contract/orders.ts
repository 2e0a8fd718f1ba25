import * as z from 'zod/mini'
import { Product } from './product.ts'
import { COUNTRIES } from './countries.ts'
import { Arrival, DayRange } from './delivery.ts'
import { endpoint, renamed } from './endpoint.ts'
import { OrderedProduct } from './ordered-product.ts'
import { OrderRefund, Parcel, TimelineStep } from './parcels.ts'
import { ADDRESS_LENGTH, EMPTY_ADDRESS, MAX_CART_LINES, MAX_STOCK } from './rules.ts'
import { Acknowledgement, completed, hint, Id, isBlank, plain, text, Usd } from './wire.ts'

/** Error message for every empty field of the checkout form. */
export const MISSING_FIELDS = 'Please fill in all required fields'

const line = plain('The address', MISSING_FIELDS).check(
  z.trim(),
  z.refine(value => !isBlank(value), MISSING_FIELDS),
  z.maxLength(ADDRESS_LENGTH, `At most ${ADDRESS_LENGTH} characters`),
)

/** The checkout form. The browser and the provider both validate with it. In saved addresses, `post` is `postal`. */
export const ShippingForm = z.object({
  name: line,
  address: line,
  phone: line,
  post: line,
  province: line,
  city: line,
  area: line,
  country: line.check(z.refine(value => COUNTRIES.includes(value as never), 'Choose a country')),
})
export type ShippingForm = z.output<typeof ShippingForm>

const { postal, ...emptyLines } = EMPTY_ADDRESS
export const EMPTY_SHIPPING_FORM: ShippingForm = { ...emptyLines, post: postal }

/** Accepts both spellings of the postal code, `post` and `postal`. */
const ShippingInfo = z.codec(z.unknown(), ShippingForm, {
  decode: given => {
    const { postal, ...rest } = (given ?? {}) as Record<string, unknown>
    return { post: postal, ...rest } as ShippingForm
  },
  encode: form => form,
})

const OrderStatus = z.enum(['placed', 'pending', 'cancelled'])
export type OrderStatus = z.output<typeof OrderStatus>
/** The statuses by which a list of orders can be filtered. */
export const ORDER_STATUSES = ['all', ...OrderStatus.options] as const
/** Other clients may send more statuses. They become `none`, which no order has. */
const OrderFilter = z.catch(z.enum([...ORDER_STATUSES, 'none']), 'none')
export type OrderFilter = z.output<typeof OrderFilter>
/** Providers of this API may send statuses of their own, which count as unpaid. */
export const PaymentStatus = z.catch(z.enum(['unpaid', 'processing', 'paid', 'refund_pending', 'refunded']), 'unpaid')
export type PaymentStatus = z.output<typeof PaymentStatus>
export const DeliveryStatus = z.enum(['Pending', 'Processing', 'Shipped', 'Delivered', 'Cancelled'])
export type DeliveryStatus = z.output<typeof DeliveryStatus>
/** Other providers use lower case and have more statuses; the unknown ones count as 'Processing'. */
const WireDeliveryStatus = z.codec(z.string(), DeliveryStatus, {
  decode: given => DeliveryStatus.options.find(each => each.toLowerCase() === given.toLowerCase()) ?? 'Processing',
  encode: status => status,
})

const OrderGroup = renamed(
  {
    sellerId: z.string(),
    shopName: z.string(),
    price: Usd,
    products: z.array(OrderedProduct),
    /** Days from the payment to the arrival; undefined once paid, and if the shop promised nothing. */
    deliveryDays: z.optional(DayRange),
  },
  { price: 'priceCents' },
)

const addressLine = z._default(z.string(), '')
/** The address as stored with the order. Not validated, because the form's rules may have changed since. */
export const Destination = completed(
  z.object({
    name: addressLine,
    address: addressLine,
    phone: addressLine,
    post: addressLine,
    province: addressLine,
    city: addressLine,
    area: addressLine,
    country: addressLine,
  }),
  ({ postal }) => ({ post: postal }),
)

/** The status of all parts together. Other providers may omit it. */
const deliveryStatus = z.optional(WireDeliveryStatus)

/** Providers may omit `status` (a paid order is placed, any other pending) and `number` (replaced by the id). */
const omitted = ({ _id, payment_status }: Record<string, unknown>) => ({
  number: _id,
  status: payment_status === 'paid' ? 'placed' : 'pending',
})

/**
 * `number` is the order number that people see: 'PZ-4F7K2M'. `priceCents` includes shipping. `shippingCents` may be
 * unknown. `date`, `paidAt` and the steps' `at` are ISO 8601; an order that was never paid has no `paidAt`.
 */
export const Order = completed(
  renamed(
    {
      _id: z.string(),
      number: z.string(),
      userId: z.string(),
      price: Usd,
      shippingPrice: z.optional(Usd),
      items: z.int(),
      date: z.string(),
      paidAt: z.optional(z.string()),
      status: OrderStatus,
      payment_status: PaymentStatus,
      /** Seconds until an unpaid order is released, by the provider's clock. Absent unless it can be paid now. */
      secondsLeft: z.optional(z.int()),
      /** The amount refunded so far; `payment_status` stays `paid` until the whole payment is refunded. */
      refunded_amount: z._default(Usd, 0),
      delivery_status: deliveryStatus,
      shippingInfo: Destination,
      products: z.array(OrderGroup),
      timeline: z._default(z.array(TimelineStep), []),
      refunds: z._default(z.array(OrderRefund), []),
    },
    {
      price: 'priceCents',
      shippingPrice: 'shippingCents',
      payment_status: 'paymentStatus',
      refunded_amount: 'refundedCents',
      delivery_status: 'deliveryStatus',
      products: 'groups',
    },
  ),
  given => ({ ...omitted(given), shippingPrice: given['shipping_fee'] }),
  ({ shippingPrice }) => ({ shipping_fee: shippingPrice }),
)
export type Order = z.output<typeof Order>

export const SellerOrder = renamed(
  {
    _id: z.string(),
    sellerId: z.string(),
    shopName: z.string(),
    price: Usd,
    delivery_status: WireDeliveryStatus,
    products: z.array(OrderedProduct),
    /** Oldest first. */
    parcels: z._default(z.array(Parcel), []),
    /** Units that the shop still has to send. */
    unsent: z._default(z.array(OrderedProduct), []),
    /** When those should arrive; undefined before the payment, after a refund, and if the shop promised nothing. */
    arrival: z.optional(Arrival),
    /** Units that were cancelled while the rest was prepared or sent. */
    cancelled: z._default(z.array(OrderedProduct), []),
  },
  { price: 'priceCents', delivery_status: 'deliveryStatus' },
)
export type SellerOrder = z.output<typeof SellerOrder>

const WireParts = z.object({ order: z.unknown(), sellerOrders: z.array(z.record(z.string(), z.unknown())) })
/** Other providers send only a seller order's seller and status. The order's group of that seller has the rest. */
const OrderWithParts = z.codec(WireParts, z.object({ order: Order, sellerOrders: z.array(SellerOrder) }), {
  decode: ({ order, sellerOrders }) => {
    const { products = [] } = (order ?? {}) as { products?: { sellerId?: unknown }[] }
    const groupOf = (sellerId: unknown) => products.find(group => group.sellerId === sellerId)
    return {
      order,
      sellerOrders: sellerOrders.map(part => ({ _id: part.sellerId, ...groupOf(part.sellerId), ...part }) as never),
    }
  },
  encode: ({ order, sellerOrders }) => ({ order, sellerOrders: sellerOrders as Record<string, unknown>[] }),
})

/** A seller's part in a list of orders, with a picture of each product. Other providers may omit the parts. */
const PartSummary = renamed(
  {
    sellerId: z.string(),
    shopName: z.string(),
    delivery_status: WireDeliveryStatus,
    /** Something of it is sent, and something is not. */
    isPartlySent: z.optional(z.boolean()),
    products: z.array(z.object({ name: z.string(), image: z.optional(z.string()) })),
  },
  { delivery_status: 'deliveryStatus' },
)
export type PartSummary = z.output<typeof PartSummary>

/** One row in a table of orders. */
export const OrderSummary = completed(
  renamed(
    {
      _id: z.string(),
      number: z.string(),
      price: Usd,
      payment_status: PaymentStatus,
      delivery_status: deliveryStatus,
      status: OrderStatus,
      date: z.string(),
      items: z.int(),
      parts: z._default(z.array(PartSummary), []),
    },
    { price: 'priceCents', payment_status: 'paymentStatus', delivery_status: 'deliveryStatus' },
  ),
  omitted,
)
export type OrderSummary = z.output<typeof OrderSummary>

/** Clients of this API family send the whole product. The provider reads only its id. */
const OrderedInfo = z.codec(z.looseObject({ _id: Id('productInfo._id') }), z.custom<Product | Pick<Product, '_id'>>(), {
  decode: ({ _id }) => ({ _id }),
  encode: product => ('slug' in product ? z.encode(Product, product) : product),
})

/**
 * One line to order. `_id` is the cart line that the order consumes, which must have the same quantity; absent when
 * bought without the cart. Without `variantId`, the cart line's variant is ordered, or the product's only one.
 */
const WantedLine = z.object({
  _id: z.optional(Id('_id')),
  quantity: z.int().check(z.minimum(1), z.maximum(MAX_STOCK)),
  productInfo: OrderedInfo,
  variantId: z.optional(Id('variantId')),
})

/**
 * Orders the lines at the provider's own prices. `priceCents` is the total that the customer saw, with shipping: if it
 * differs, the call fails with 422, code PRICE_CHANGED and a `summary`. `key` makes the request idempotent.
 */
export const placeOrder = endpoint({
  method: 'POST',
  path: '/home/order/palce-order',
  input: renamed(
    {
      userId: Id('userId'),
      price: Usd,
      items: hint(z.int()),
      products: z
        .array(
          renamed(
            {
              sellerId: hint(z.string()),
              shopName: hint(z.string()),
              price: hint(Usd),
              products: z.array(WantedLine).check(z.minLength(1), z.maxLength(MAX_CART_LINES)),
            },
            { price: 'priceCents' },
          ),
        )
        .check(z.minLength(1, 'There is nothing to order'), z.maxLength(MAX_CART_LINES)),
      shippingInfo: ShippingInfo,
      key: z.optional(text('Idempotency-Key', 200)),
    },
    { price: 'priceCents', products: 'groups' },
  ),
  headers: { key: 'idempotency-key' },
  output: z.object({ orderId: z.string() }),
  isForCustomers: true,
})
export type NewOrder = z.output<(typeof placeOrder)['input']>

/** Newest first. */
export const getOrders = endpoint({
  method: 'GET',
  path: '/home/customer/gat-orders/:customerId/:status',
  input: renamed({ customerId: Id('customerId'), status: OrderFilter }, { customerId: 'userId' }),
  output: z.object({ orders: z.array(OrderSummary) }),
  isForCustomers: true,
})

export const getOrder = endpoint({
  method: 'GET',
  path: '/home/customer/gat-order/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: OrderWithParts,
  isForCustomers: true,
})

export const getDashboard = endpoint({
  method: 'GET',
  path: '/home/customer/gat-dashboard-data/:userId',
  input: z.object({ userId: Id('userId') }),
  output: renamed(
    { totalOrder: z.int(), pendingOrder: z.int(), cancelledOrder: z.int(), recentOrders: z.array(OrderSummary) },
    { totalOrder: 'orderCount', pendingOrder: 'pendingCount', cancelledOrder: 'cancelledCount' },
  ),
  isForCustomers: true,
})

/** Possible only while nothing is paid and no payment is in progress. */
export const cancelOrder = endpoint({
  method: 'PUT',
  path: '/home/order/cancel/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

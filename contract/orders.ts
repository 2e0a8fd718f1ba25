import * as z from 'zod/mini'
import { Product } from './catalog.ts'
import { COUNTRIES } from './countries.ts'
import { endpoint, renamed } from './endpoint.ts'
import { ADDRESS_LENGTH, MAX_CART_LINES, MAX_STOCK } from './rules.ts'
import { Acknowledgement, completed, hint, Id, isBlank, plain, text, Usd } from './wire.ts'

/** Said once for every field of the checkout's form that is empty (spec section 5). */
export const MISSING_FIELDS = 'Please fill in all required fields'

const line = plain('The address', MISSING_FIELDS).check(
  z.trim(),
  z.refine(value => !isBlank(value), MISSING_FIELDS),
  z.maxLength(ADDRESS_LENGTH, `At most ${ADDRESS_LENGTH} characters`),
)

/** The checkout's form, as the browser checks it and as the provider takes it. Saved addresses say `postal` for `post`. */
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

/** Either spelling of the postal code is taken. */
const ShippingInfo = z.codec(z.unknown(), ShippingForm, {
  decode: given => {
    const { postal, ...rest } = (given ?? {}) as Record<string, unknown>
    return { post: postal, ...rest } as ShippingForm
  },
  encode: form => form,
})

const OrderStatus = z.enum(['placed', 'pending', 'cancelled'])
export type OrderStatus = z.output<typeof OrderStatus>
/** What a list of orders can be asked for. */
export const ORDER_STATUSES = ['all', ...OrderStatus.options] as const
/** Other clients know more statuses: `none` stands for those, and no order has it. */
const OrderFilter = z.catch(z.enum([...ORDER_STATUSES, 'none']), 'none')
export type OrderFilter = z.output<typeof OrderFilter>
/** Providers of this API say 'paid' or something of their own, which counts as not paid. */
export const PaymentStatus = z.catch(z.enum(['unpaid', 'processing', 'paid', 'refund_pending', 'refunded']), 'unpaid')
export type PaymentStatus = z.output<typeof PaymentStatus>
export const DeliveryStatus = z.enum(['Pending', 'Processing', 'Shipped', 'Delivered', 'Cancelled'])
export type DeliveryStatus = z.output<typeof DeliveryStatus>
/** Other providers spell them in lower case and have more of them: those are steps of processing. */
const SaidDeliveryStatus = z.codec(z.string(), DeliveryStatus, {
  decode: said => DeliveryStatus.options.find(each => each.toLowerCase() === said.toLowerCase()) ?? 'Processing',
  encode: status => status,
})

/** Of the product only what the order keeps: it costs and is called what it did when it was ordered. */
const OrderedProduct = z.object({
  quantity: z.int(),
  productInfo: completed(Product, ({ _id = '' }) => ({
    _id,
    slug: _id,
    category: '',
    stock: 0,
    description: '',
    rating: 0,
  })),
})
const OrderGroup = renamed(
  { sellerId: z.string(), shopName: z.string(), price: Usd, products: z.array(OrderedProduct) },
  { price: 'priceCents' },
)

const addressLine = z._default(z.string(), '')
/** Where an order goes, as it was written down then: the rules of the form may have changed since. */
const Destination = completed(
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

/** Of all parts together. Other providers may leave it out. */
const deliveryStatus = z.optional(SaidDeliveryStatus)

/** Without a `status` of its own, an order that is paid is placed and any other one pending. */
const statusByPayment = ({ payment_status }: Record<string, unknown>) => ({
  status: payment_status === 'paid' ? 'placed' : 'pending',
})

/** `priceCents` is items and shipping; `shippingCents` may be unknown. `date` and the steps' `at` are ISO 8601. */
export const Order = completed(
  renamed(
    {
      _id: z.string(),
      userId: z.string(),
      price: Usd,
      shippingPrice: z.optional(Usd),
      items: z.int(),
      date: z.string(),
      status: OrderStatus,
      payment_status: PaymentStatus,
      delivery_status: deliveryStatus,
      shippingInfo: Destination,
      products: z.array(OrderGroup),
      timeline: z._default(z.array(z.object({ at: z.string(), text: z.string() })), []),
    },
    {
      price: 'priceCents',
      shippingPrice: 'shippingCents',
      payment_status: 'paymentStatus',
      delivery_status: 'deliveryStatus',
      products: 'groups',
    },
  ),
  given => ({ ...statusByPayment(given), shippingPrice: given['shipping_fee'] }),
  ({ shippingPrice }) => ({ shipping_fee: shippingPrice }),
)
export type Order = z.output<typeof Order>

export const SellerOrder = renamed(
  {
    _id: z.string(),
    sellerId: z.string(),
    shopName: z.string(),
    price: Usd,
    delivery_status: SaidDeliveryStatus,
    products: z.array(OrderedProduct),
  },
  { price: 'priceCents', delivery_status: 'deliveryStatus' },
)
export type SellerOrder = z.output<typeof SellerOrder>

const WireParts = z.object({ order: z.unknown(), sellerOrders: z.array(z.record(z.string(), z.unknown())) })
/** Of a seller order, other providers say only whose it is and its status: the rest is the order's group of that seller. */
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

/** One row of the tables of orders. */
export const OrderSummary = completed(
  renamed(
    {
      _id: z.string(),
      price: Usd,
      payment_status: PaymentStatus,
      delivery_status: deliveryStatus,
      status: OrderStatus,
      date: z.string(),
      items: z.int(),
    },
    { price: 'priceCents', payment_status: 'paymentStatus', delivery_status: 'deliveryStatus' },
  ),
  statusByPayment,
)
export type OrderSummary = z.output<typeof OrderSummary>

/** Clients of this API family send the whole product; the provider reads its id alone. */
const OrderedInfo = z.codec(z.looseObject({ _id: Id('productInfo._id') }), z.custom<Product | Pick<Product, '_id'>>(), {
  decode: ({ _id }) => ({ _id }),
  encode: product => ('slug' in product ? z.encode(Product, product) : product),
})

/** What is ordered: `_id` is a cart line that the order uses up, once; absent when something is bought at once. */
const WantedLine = z.object({
  _id: z.optional(Id('_id')),
  quantity: z.int().check(z.minimum(1), z.maximum(MAX_STOCK)),
  productInfo: OrderedInfo,
})

/**
 * Orders what the groups name, at the provider's own prices. `priceCents` is what the customer saw, items and shipping:
 * another sum is refused (422, code PRICE_CHANGED, with `summary`). `key` makes a repeated request the same order.
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

/** What an order would cost now, sent along with a refused price. */
export const PriceSummary = renamed(
  { itemsPrice: Usd, shippingPrice: Usd, price: Usd },
  { itemsPrice: 'itemsCents', shippingPrice: 'shippingCents', price: 'priceCents' },
)
export type PriceSummary = z.output<typeof PriceSummary>

/** Newest first. */
export const getOrders = endpoint({
  method: 'GET',
  path: '/home/customer/gat-orders/:customerId/:status',
  input: renamed(
    {
      customerId: Id('customerId'),
      status: OrderFilter,
    },
    { customerId: 'userId' },
  ),
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
    {
      totalOrder: z.int(),
      pendingOrder: z.int(),
      cancelledOrder: z.int(),
      recentOrders: z.array(OrderSummary),
    },
    { totalOrder: 'orderCount', pendingOrder: 'pendingCount', cancelledOrder: 'cancelledCount' },
  ),
  isForCustomers: true,
})

/** Only while nothing is paid and no payment is on its way. */
export const cancelOrder = endpoint({
  method: 'PUT',
  path: '/home/order/cancel/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

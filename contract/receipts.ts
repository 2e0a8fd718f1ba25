import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { Destination, DeliveryStatus, PaymentStatus } from './orders.ts'
import { Id, Usd } from './wire.ts'

/** `options` is the chosen variant, for example 'Colour: Blue, Size: M'; '' without one. */
const ReceiptLine = renamed(
  { name: z.string(), options: z.string(), sku: z.string(), quantity: z.int(), unitPrice: Usd, price: Usd },
  { unitPrice: 'unitCents', price: 'cents' },
)
export type ReceiptLine = z.output<typeof ReceiptLine>

/**
 * A refund. `at` is when it was paid, ISO 8601; undefined while it is pending. `shopName` names the shop whose part was
 * refunded; undefined for the whole order.
 */
const ReceiptRefund = renamed(
  { at: z.optional(z.string()), amount: Usd, shopName: z.optional(z.string()) },
  { amount: 'cents' },
)
export type ReceiptRefund = z.output<typeof ReceiptRefund>

/** One shop's part. `number` is its invoice number: 'PZ-4F7K2M-1'. `address` has the lines of the shop's address. */
const ReceiptPart = renamed(
  {
    sellerOrderId: z.string(),
    number: z.string(),
    shopName: z.string(),
    address: z.array(z.string()),
    delivery_status: DeliveryStatus,
    lines: z.array(ReceiptLine),
    itemsPrice: Usd,
    shippingPrice: Usd,
    price: Usd,
    /** Refunds of this part alone. */
    refunds: z.array(ReceiptRefund),
  },
  {
    delivery_status: 'deliveryStatus',
    itemsPrice: 'itemsCents',
    shippingPrice: 'shippingCents',
    price: 'priceCents',
  },
)
export type ReceiptPart = z.output<typeof ReceiptPart>

/** Dates are ISO 8601. All amounts are exactly as they were paid. */
export const Receipt = renamed(
  {
    _id: z.string(),
    number: z.string(),
    date: z.string(),
    paidAt: z.string(),
    payment_status: PaymentStatus,
    shippingInfo: Destination,
    parts: z.array(ReceiptPart),
    itemsPrice: Usd,
    shippingPrice: Usd,
    price: Usd,
    /** What the customer has paid, if that is not the price: a customer may pay too much. */
    paid_amount: z.optional(Usd),
    refunds: z.array(ReceiptRefund),
    /** The amount of the order's payment that has been refunded so far. */
    refunded_amount: Usd,
  },
  {
    _id: 'orderId',
    payment_status: 'paymentStatus',
    itemsPrice: 'itemsCents',
    shippingPrice: 'shippingCents',
    price: 'priceCents',
    paid_amount: 'paidCents',
    refunded_amount: 'refundedCents',
  },
)
export type Receipt = z.output<typeof Receipt>

/** The receipt of one of the customer's paid orders; 404 for any other order. */
export const getReceipt = endpoint({
  method: 'GET',
  path: '/home/customer/receipt/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: Receipt,
  isForCustomers: true,
})

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
 * Money that goes back. `at` is when it was refunded, ISO 8601; undefined while it is on its way. `shopName` is whose part
 * it is for; undefined for the whole order.
 */
const ReceiptRefund = renamed(
  { at: z.optional(z.string()), amount: Usd, shopName: z.optional(z.string()) },
  { amount: 'cents' },
)
export type ReceiptRefund = z.output<typeof ReceiptRefund>

/** What one shop sold. `number` is the invoice's, made from the order's: 'PZ-4F7K2M-1'. `address` is the shop's, by lines. */
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

/** Dates are ISO 8601. Sums are exact: prices as they were paid. */
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
    refunds: z.array(ReceiptRefund),
    /** What was refunded so far of the order's payment. */
    refunded_amount: Usd,
  },
  {
    _id: 'orderId',
    payment_status: 'paymentStatus',
    itemsPrice: 'itemsCents',
    shippingPrice: 'shippingCents',
    price: 'priceCents',
    refunded_amount: 'refundedCents',
  },
)
export type Receipt = z.output<typeof Receipt>

/** The receipt of a customer's order that was paid; 404 for any other. */
export const getReceipt = endpoint({
  method: 'GET',
  path: '/home/customer/receipt/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: Receipt,
  isForCustomers: true,
})

import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { OrderedProduct } from './ordered-product.ts'
import { Acknowledgement, Id, text, Usd } from './wire.ts'

const ParcelStatus = z.enum(['sent', 'arrived'])
export type ParcelStatus = z.output<typeof ParcelStatus>

/** Who said that a parcel has arrived; `time`: nobody did, but it must have. */
const ArrivalReporter = z.enum(['seller', 'customer', 'time'])
export type ArrivalReporter = z.output<typeof ArrivalReporter>

export const CARRIER_LENGTH = 60
export const TRACKING_LENGTH = 60

/** Dates are ISO 8601. `trackingUrl` in carriers.ts makes the link that follows it. */
export const Parcel = z.object({
  _id: z.string(),
  /** Counts from 1 within the seller's part. */
  number: z.int(),
  status: ParcelStatus,
  carrier: z.optional(z.string()),
  trackingNumber: z.optional(z.string()),
  sentAt: z.string(),
  expectedAt: z.string(),
  arrivedAt: z.optional(z.string()),
  reportedBy: z.optional(ArrivalReporter),
  products: z.array(OrderedProduct),
})
export type Parcel = z.output<typeof Parcel>

/** A step of an order; `sellerOrderId` is whose part it is about, undefined for the whole order. `at` is ISO 8601. */
export const TimelineStep = z.object({ at: z.string(), text: z.string(), sellerOrderId: z.optional(z.string()) })
export type TimelineStep = z.output<typeof TimelineStep>

/** `payment`: the card or mobile money that paid. `by_hand`: the marketplace did it at the payment provider. */
const RefundTarget = z.enum(['card', 'payment', 'by_hand'])
export type RefundTarget = z.output<typeof RefundTarget>

/** Money that goes back to the customer; `at` is when it did, ISO 8601, undefined while it is on its way. */
export const OrderRefund = renamed(
  { at: z.optional(z.string()), amount: Usd, to: RefundTarget },
  { amount: 'amountCents' },
)
export type OrderRefund = z.output<typeof OrderRefund>

/** The customer says that a parcel has arrived. Does nothing for one that has arrived already. */
export const receiveParcel = endpoint({
  method: 'PUT',
  path: '/home/customer/receive-parcel/:parcelId',
  input: z.object({ parcelId: Id('parcelId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

const TRACKING_TOKEN_LENGTH = 1000

const TrackedProduct = z.object({ name: z.string(), quantity: z.int(), image: z.optional(z.string()) })
export type TrackedProduct = z.output<typeof TrackedProduct>

const TrackedParcel = z.object({
  number: z.int(),
  status: ParcelStatus,
  carrier: z.optional(z.string()),
  trackingNumber: z.optional(z.string()),
  sentAt: z.string(),
  expectedAt: z.string(),
  arrivedAt: z.optional(z.string()),
  products: z.array(TrackedProduct),
})

/** `products` is what is in no parcel. */
const TrackedPart = renamed(
  {
    shopName: z.string(),
    delivery_status: z.enum(['Pending', 'Processing', 'Shipped', 'Delivered', 'Cancelled']),
    parcels: z.array(TrackedParcel),
    products: z.array(TrackedProduct),
  },
  { delivery_status: 'deliveryStatus' },
)
export type TrackedPart = z.output<typeof TrackedPart>

/**
 * How far an order is, for whoever holds the token of a mailed link: no names, addresses, prices or payments. Fails with
 * 422 for a token that has expired, was changed, or was ended by the customer.
 */
export const trackOrder = endpoint({
  method: 'POST',
  path: '/home/track-order',
  input: z.object({ token: text('token', TRACKING_TOKEN_LENGTH) }),
  output: renamed(
    { _id: z.string(), number: z.string(), parts: z.array(TrackedPart), until: z.string() },
    { _id: 'orderId' },
  ),
})
export type TrackedOrder = z.output<(typeof trackOrder)['output']>

/** Ends the links of all mails about an order that were sent so far. */
export const endTracking = endpoint({
  method: 'PUT',
  path: '/home/customer/end-tracking/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { Arrival } from './delivery.ts'
import { OrderedProduct } from './ordered-product.ts'
import { Acknowledgement, Id, text, Usd } from './wire.ts'

const ParcelStatus = z.enum(['sent', 'arrived'])
export type ParcelStatus = z.output<typeof ParcelStatus>

/** Who reported the arrival of a parcel; `time`: nobody did, but it counts as arrived by now. */
const ArrivalReporter = z.enum(['seller', 'customer', 'time'])
export type ArrivalReporter = z.output<typeof ArrivalReporter>

export const CARRIER_LENGTH = 60
export const TRACKING_LENGTH = 60

/** Where a parcel is. Dates are ISO 8601. `trackingUrl` builds the link to the tracking page. */
const parcelProgress = {
  /** Numbered from 1 within the seller's part. */
  number: z.int(),
  status: ParcelStatus,
  carrier: z.optional(z.string()),
  trackingNumber: z.optional(z.string()),
  sentAt: z.string(),
  expectedAt: z.string(),
  arrivedAt: z.optional(z.string()),
}

export const Parcel = z.object({
  _id: z.string(),
  ...parcelProgress,
  reportedBy: z.optional(ArrivalReporter),
  products: z.array(OrderedProduct),
})
export type Parcel = z.output<typeof Parcel>

/**
 * A step of an order. `sellerOrderId` is its seller's part; undefined for a step of the whole order. `at` is ISO 8601.
 */
export const TimelineStep = z.object({ at: z.string(), text: z.string(), sellerOrderId: z.optional(z.string()) })
export type TimelineStep = z.output<typeof TimelineStep>

/**
 * `card` and `payment`: back to what the customer paid with, a card or anything else. `by_hand`: made by the operator
 * at the payment provider.
 */
const RefundTarget = z.enum(['card', 'payment', 'by_hand'])

/** What the customer paid with. `ending` is the last four digits of the card or bank account, if they are known. */
const PaidWith = z.object({ kind: z.enum(['card', 'mobile_money', 'bank']), ending: z.optional(z.string()) })
export type PaidWith = z.output<typeof PaidWith>

/**
 * A refund to the customer. `at` is when it was paid, ISO 8601; undefined while it is pending. `paid_with` is undefined
 * if the provider did not say it.
 */
export const OrderRefund = renamed(
  { at: z.optional(z.string()), amount: Usd, to: RefundTarget, paid_with: z.optional(PaidWith) },
  { amount: 'amountCents', paid_with: 'paidWith' },
)
export type OrderRefund = z.output<typeof OrderRefund>

/** The customer reports that a parcel has arrived. Does nothing if it has arrived already. */
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

/** `reportedBy` is missing if somebody has reported the arrival. */
const TrackedParcel = z.object({
  ...parcelProgress,
  reportedBy: z.optional(z.literal('time')),
  products: z.array(TrackedProduct),
})

/**
 * `products` are those that are in no parcel, and `arrival` is when they should arrive. `returns` are the steps of
 * cancellations and returns, oldest first.
 */
const TrackedPart = renamed(
  {
    shopName: z.string(),
    delivery_status: z.enum(['Pending', 'Processing', 'Shipped', 'Delivered', 'Cancelled']),
    parcels: z.array(TrackedParcel),
    products: z.array(TrackedProduct),
    arrival: z.optional(Arrival),
    returns: z._default(z.array(z.object({ at: z.string(), text: z.string() })), []),
  },
  { delivery_status: 'deliveryStatus' },
)
export type TrackedPart = z.output<typeof TrackedPart>

/**
 * The progress of an order, for anyone who has the token of a mailed link: without names, addresses, prices and
 * payments. Fails with 422 if the token is expired, forged, or invalidated by the customer.
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

/** Invalidates the links in all mails about an order that were sent so far. */
export const endTracking = endpoint({
  method: 'PUT',
  path: '/home/customer/end-tracking/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

interface Carrier {
  /** The name that customers see. */
  name: string
  /** URL of the tracking page without the tracking number, which is appended. */
  trackingPage: `https://${string}`
}

/** Carriers with a tracking page. Other carriers are shown without a link. */
const CARRIERS: readonly Carrier[] = [
  { name: 'Aramex', trackingPage: 'https://www.aramex.com/us/en/track/results?ShipmentNumber=' },
  { name: 'Australia Post', trackingPage: 'https://auspost.com.au/mypost/track/details/' },
  { name: 'Canada Post', trackingPage: 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=' },
  { name: 'Colissimo', trackingPage: 'https://www.laposte.fr/outils/suivre-vos-envois?code=' },
  { name: 'DHL', trackingPage: 'https://www.dhl.com/global-en/home/tracking.html?submit=1&tracking-id=' },
  { name: 'DPD', trackingPage: 'https://tracking.dpd.de/status/en_US/parcel/' },
  { name: 'FedEx', trackingPage: 'https://www.fedex.com/fedextrack/?trknbr=' },
  { name: 'GLS', trackingPage: 'https://gls-group.com/GROUP/en/parcel-tracking?match=' },
  { name: 'Royal Mail', trackingPage: 'https://www.royalmail.com/track-your-item#/tracking-results/' },
  { name: 'UPS', trackingPage: 'https://www.ups.com/track?tracknum=' },
  { name: 'USPS', trackingPage: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=' },
]

/** The usual spelling of a carrier's name; an unknown name is returned unchanged. */
export function carrierName(given: string): string {
  return findCarrier(given)?.name ?? given
}

/** URL of the tracking page of a parcel; undefined for carriers without one. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | undefined {
  const page = carrier === null ? undefined : findCarrier(carrier)?.trackingPage
  return page && trackingNumber ? page + encodeURIComponent(trackingNumber) : undefined
}

function findCarrier(given: string): Carrier | undefined {
  const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')
  return CARRIERS.find(({ name }) => lettersOf(name) === lettersOf(given))
}

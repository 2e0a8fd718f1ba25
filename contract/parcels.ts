import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OrderedProduct } from './ordered-product.ts'
import { Acknowledgement, Id } from './wire.ts'

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

/** The customer says that a parcel has arrived. Does nothing for one that has arrived already. */
export const receiveParcel = endpoint({
  method: 'PUT',
  path: '/home/customer/receive-parcel/:parcelId',
  input: z.object({ parcelId: Id('parcelId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

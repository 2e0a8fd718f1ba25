import type { DeliveryStatus } from '#contract/orders.ts'

/** What changes the status of a seller's part. `cancel` ends only what is not sent. */
export type DeliveryEvent = 'pay' | 'send' | 'arrive' | 'cancel'

/** Units of a seller's part; the others are contained in `ordered`. */
export interface UnitCounts {
  ordered: number
  cancelled: number
  sent: number
  /** Part of `sent`. */
  arrived: number
}

/** The statuses to which an event may lead. An event that is missing cannot happen in that status. */
const TRANSITIONS: Record<DeliveryStatus, Partial<Record<DeliveryEvent, readonly DeliveryStatus[]>>> = {
  Pending: { pay: ['Processing'], cancel: ['Cancelled'] },
  // A part stays `Processing` until all of it is sent, even if parcels have arrived.
  Processing: {
    send: ['Processing', 'Shipped'],
    // Nothing is unsent if the rest was cancelled by its customer.
    arrive: ['Processing', 'Shipped', 'Delivered'],
    cancel: ['Cancelled', 'Shipped', 'Delivered'],
  },
  Shipped: { arrive: ['Shipped', 'Delivered'] },
  Delivered: {},
  // The payment of a cancelled order may arrive late.
  Cancelled: { pay: ['Processing'] },
}

/** The statuses in which an event can happen. */
export function statusesBefore(event: DeliveryEvent): DeliveryStatus[] {
  const all = Object.keys(TRANSITIONS) as DeliveryStatus[]
  return all.filter(status => TRANSITIONS[status][event])
}

/** The status after an event, of a paid part with these units. Throws an Error for a transition that is not listed. */
export function nextStatus(from: DeliveryStatus, event: DeliveryEvent, units: UnitCounts): DeliveryStatus {
  const to = statusOf(units)
  if (!TRANSITIONS[from][event]?.includes(to)) throw new Error(`${event} does not lead from ${from} to ${to}`)
  return to
}

function statusOf({ ordered, cancelled, sent, arrived }: UnitCounts): DeliveryStatus {
  if (cancelled === ordered) return 'Cancelled'
  if (sent + cancelled < ordered) return 'Processing'
  return arrived < sent ? 'Shipped' : 'Delivered'
}

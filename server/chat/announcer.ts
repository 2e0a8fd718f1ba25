import type { CustomerEvents, SellerEvents } from '#contract/realtime.ts'

/**
 * Sends events about stored data to connected clients. Delivery is not guaranteed: clients that were offline load what
 * they missed. Call it after the transaction, never inside it. Never throws.
 */
export interface Announcer {
  /** To all windows of a customer. */
  toCustomer<Event extends keyof CustomerEvents>(userId: string, event: Event, payload: CustomerEvents[Event]): void
  /** To all connected customers. */
  toEveryCustomer<Event extends keyof CustomerEvents>(event: Event, payload: CustomerEvents[Event]): void
  toSeller<Event extends keyof SellerEvents>(sellerId: string, event: Event, payload: SellerEvents[Event]): void
  /** To all connected sellers. */
  toEverySeller<Event extends keyof SellerEvents>(event: Event, payload: SellerEvents[Event]): void
}

/** For processes without connected clients. */
export const silentAnnouncer: Announcer = {
  toCustomer: ignore,
  toEveryCustomer: ignore,
  toSeller: ignore,
  toEverySeller: ignore,
}

function ignore(): void {}

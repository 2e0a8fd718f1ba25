import type { CustomerHears, SellerHears } from '#contract/realtime.ts'

/**
 * Tells people, where they are connected, what has been stored. Nobody may depend on it: whoever was away asks for what
 * came since. Announce after the transaction, never inside it. Never throws.
 */
export interface Announcer {
  /** To every window of a customer. */
  toCustomer<Event extends keyof CustomerHears>(userId: string, event: Event, told: CustomerHears[Event]): void
  /** To every customer who is there. */
  toEveryCustomer<Event extends keyof CustomerHears>(event: Event, told: CustomerHears[Event]): void
  toSeller<Event extends keyof SellerHears>(sellerId: string, event: Event, told: SellerHears[Event]): void
}

/** Where nobody can be connected. */
export const nobodyHears: Announcer = { toCustomer: ignore, toEveryCustomer: ignore, toSeller: ignore }

function ignore(): void {}

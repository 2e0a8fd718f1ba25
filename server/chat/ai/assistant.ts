import type { TrainingProduct } from '#contract/catalog.ts'
import type { Category } from '#contract/chat.ts'
import type { DeliveryStatus } from '#contract/orders.ts'

export interface Said {
  by: 'customer' | 'shop'
  text: string
}

/** What one customer has ordered from the shop. */
export interface KnownOrder {
  id: string
  date: Date
  deliveryStatus: DeliveryStatus
  priceCents: number
}

/** A customer's message with all that a reply may know. Everything but `publicUrl` was written by others. */
export interface Question {
  text: string
  /** What was said before, oldest first. */
  history: Said[]
  shopName: string
  /** The best-selling ones. */
  products: TrainingProduct[]
  /** Those that the message seems to be about, the likeliest first. */
  matches: TrainingProduct[]
  /** Cents by country. */
  shippingRates: Record<string, number>
  /** The customer's own; empty when it is not known. */
  country: string
  /** The latest first. */
  orders: KnownOrder[]
  publicUrl: string
}

export interface Reply {
  category: Category
  /** Plain text. */
  text: string
}

/** Answers customers in a shop's name. Throws `AssistantAway` when it cannot. */
export interface Assistant {
  reply(question: Question): Promise<Reply>
}

/** There is no answer now; the message says why and holds no secret. */
export class AssistantAwayError extends Error {}

import type { TrainingProduct } from '#contract/training.ts'
import type { Category } from '#contract/chat.ts'
import type { DeliveryStatus } from '#contract/orders.ts'

/** A message of the conversation, as the assistant sees it. */
export interface HistoryMessage {
  by: 'customer' | 'shop'
  text: string
}

/** An order of the customer from this shop. */
export interface KnownOrder {
  id: string
  date: Date
  deliveryStatus: DeliveryStatus
  priceCents: number
}

/**
 * A customer's message with all that a reply may use. All fields except `publicUrl` come from customers or shops: never
 * trust them.
 */
export interface Question {
  /** The customer's words. */
  text: string
  /** The name of the product or order that the message is about; empty if there is none. */
  subject: string
  /** The product that the message is about, with more of its description than others. It comes first in `matches`. */
  product?: TrainingProduct | undefined
  /** Earlier messages, oldest first. */
  history: HistoryMessage[]
  shopName: string
  /** The shop's best-selling products. */
  products: TrainingProduct[]
  /** Products that the message seems to be about, best matches first. */
  matches: TrainingProduct[]
  /** Cents by country. */
  shippingRates: Record<string, number>
  /** The customer's country; empty if unknown. */
  country: string
  /** Newest first. */
  orders: KnownOrder[]
  publicUrl: string
}

export interface Reply {
  category: Category
  /** Plain text. */
  text: string
}

/** Replies to customers in a shop's name. Rejects with `AssistantAwayError` when it cannot. */
export interface Assistant {
  reply(question: Question): Promise<Reply>
}

/** No reply is possible now; the message says why and contains no secret. */
export class AssistantAwayError extends Error {}

import { shopSlug } from './rules.ts'

// Pages that more than one place leads to: the storefront's links, the server's letters, notifications and replies.

/** The page of a product. */
export function productPath({ slug }: { slug: string }): string {
  return `/product/details/${encodeURIComponent(slug)}`
}

/** The page of a product's shop. */
export function shopPath({ shopName, sellerId }: { shopName: string; sellerId: string }): string {
  return `/stores/${encodeURIComponent(shopSlug(shopName))}/${encodeURIComponent(sellerId)}`
}

/** The page of the customer's order. */
export function orderPath(orderId: string): string {
  return `/dashboard/order/details/${encodeURIComponent(orderId)}`
}

/** Where an order is paid. */
export function paymentPath(orderId: string): string {
  return `/payment?order=${encodeURIComponent(orderId)}`
}

/** Where the customer sees what became of a payment; without its secret where the payment provider adds it. */
export function resultPath(clientSecret?: string): string {
  const page = '/order/confirm'
  return clientSecret ? `${page}?payment_intent_client_secret=${encodeURIComponent(clientSecret)}` : page
}

/** The page of the conversation with a seller; without one, that of all conversations. */
export function chatPath(sellerId?: string): string {
  const page = '/dashboard/chat'
  return sellerId ? `${page}/${encodeURIComponent(sellerId)}` : page
}

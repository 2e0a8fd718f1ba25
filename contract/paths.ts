import { shopSlug } from './rules.ts'

// Paths of pages that are linked from several places: the storefront, emails, notifications and chat replies.

export function productPath({ slug }: { slug: string }): string {
  return `/product/details/${encodeURIComponent(slug)}`
}

/** Path of the shop that sells a product. */
export function shopPath({ shopName, sellerId }: { shopName: string; sellerId: string }): string {
  return `/stores/${encodeURIComponent(shopSlug(shopName))}/${encodeURIComponent(sellerId)}`
}

export function orderPath(orderId: string): string {
  return `/dashboard/order/details/${encodeURIComponent(orderId)}`
}

/** The page on which the customer pays an order. */
export function paymentPath(orderId: string): string {
  return `/payment?order=${encodeURIComponent(orderId)}`
}

/** The page that shows a payment's outcome. Omit the secret where the payment provider appends it. */
export function resultPath(clientSecret?: string): string {
  const page = '/order/confirm'
  return clientSecret ? `${page}?payment_intent_client_secret=${encodeURIComponent(clientSecret)}` : page
}

/** The page of the conversation with a seller; without `sellerId`, the page of all conversations. */
export function chatPath(sellerId?: string): string {
  const page = '/dashboard/chat'
  return sellerId ? `${page}/${encodeURIComponent(sellerId)}` : page
}

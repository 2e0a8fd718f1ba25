import type { Intent } from './intent.ts'

/** Says why a login is needed: for the clicked action, or for the page to be opened; null for other pages. */
export function loginReason(intent: Intent | null, next: string): string | null {
  if (intent?.kind === 'addToCart')
    return `Log in to add ${intent.name ?? 'this product'} to your cart: it will be there when you return.`
  if (intent?.kind === 'addToWishlist')
    return `Log in to save ${intent.name}: it will be on your wishlist when you return.`
  if (intent?.kind === 'tellWhenBack') return `Log in to be notified when ${intent.name} is back in stock.`
  const { pathname, hash } = new URL(next, 'https://shop.example')
  if (hash === '#reviews') return 'Log in to write a review, or to mark one as helpful.'
  return REASONS.find(([path]) => pathname.startsWith(path))?.[1] ?? null
}

/** Reasons by the beginning of the page's path. */
const REASONS = [
  ['/shipping', 'Log in to check out: your items will be waiting.'],
  ['/payment', 'Log in to pay for your order.'],
  ['/order/confirm', 'Log in to see the result of your payment.'],
  ['/cart', 'Log in to see your cart.'],
  ['/dashboard/my-wishlist', 'Log in to see your wishlist.'],
  ['/dashboard/chat', 'Log in to chat with the shops.'],
  ['/dashboard', 'Log in to see your orders and your account.'],
] as const

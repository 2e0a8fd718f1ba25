import type { APIRequestContext } from 'playwright/test'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { testWithShop } from '#tests/support/provider/own-shop.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'

/** Shown to everyone on these pages of the demo marketplace, without any interaction. `{…}` is filled in. */
const ON_DEMO_PAGES: Record<string, string[]> = {
  '/': [
    'Sell online',
    'Search',
    'Top selling products',
    'Featured stores',
    'See all',
    'Latest Product',
    'Top Rated Products',
    'On discount',
    'About us',
    'Privacy policy',
    'Return and refund policy',
    'Terms and conditions',
    '© 2025',
  ],
  '/stores': ['Official stores', '{total} Stores', 'Verified stores', 'All stores', 'Home'],
  [STORE]: ['Verified', 'About', '{total} products'],
  '/products': ['Latest Products', 'Filter items', 'Price', 'Rating'],
  '/products/search?value=zzzzzz': ['No products found.', 'Browse Other Products'],
  [PRODUCT]: [
    'More from {shop}',
    'Related Products',
    'In Stock({count})',
    'Add to cart',
    'Buy Now',
    'Chat seller',
    'Copy Link',
    'Description',
    'Reviews',
    'Login',
  ],
  '/product/details/nothing-here': ['Product Not Available'],
  '/login': ['Reset password', 'Email', 'Password'],
  '/register': ['Name', 'Email', 'Password'],
  '/forgotpassword': ['Email', 'Reset Password'],
  '/dashboard': [
    'Account & Shipping',
    'Notifications',
    'Logout',
    'Are you sure you want to logout?',
    'You will need to log in again to access your account.',
    'Cancel',
  ],
  '/return-refund-policy': ['30 days', '5-7 business days'],
  '/terms-and-conditions': ['18 or older'],
}

/** Shown on pages of a marketplace with a single product that is unrated and out of stock, in an unverified shop. */
const ON_SPARSE_PAGES: Record<string, string[]> = {
  '/': ['No stores available at the moment.'],
  '/stores?sort=verified': ['No stores available at the moment.'],
  '/product/details/only': ['No more products from this shop', 'No rating', 'Out of Stock'],
}

const sparse = testWithShop(async db => {
  await addProduct(db, { slug: 'only', name: 'Only', stock: 0 })
})

/** A pattern for a text with any values filled in. */
function seenAs(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map(part => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(parts.join('.+?'))
}

/** The text of a page without scripts and markup. */
async function wordsOf(request: APIRequestContext, path: string): Promise<string> {
  const html = await (await request.get(path)).text()
  const [, body = ''] = /<body[^>]*>([^]*)/.exec(html) ?? []
  const words = body.replace(/<(script|style)\b[^]*?<\/\1>/g, ' ').replace(/<[^>]+>/g, ' ')
  return words.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replace(/\s+/g, ' ')
}

async function missing(request: APIRequestContext, pages: Record<string, string[]>) {
  const found: string[] = []
  // One after the other: a busy machine renders so many pages at once too slowly, and the shop responds with 503.
  for (const [path, texts] of Object.entries(pages)) {
    const words = await wordsOf(request, path)
    found.push(...texts.filter(text => !seenAs(text).test(words)).map(text => `${path}: ${text}`))
  }
  return found
}

test('pages contain the texts that must not change', { tag: '@desktop' }, async ({ request }) => {
  expect(await missing(request, ON_DEMO_PAGES)).toEqual([])
})

sparse('pages that have little to show say so in its words', { tag: '@desktop' }, async ({ request }) => {
  expect(await missing(request, ON_SPARSE_PAGES)).toEqual([])
})

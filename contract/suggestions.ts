import * as z from 'zod/mini'
import { Category } from './catalogue.ts'
import { endpoint, renamed } from './endpoint.ts'
import { CATEGORY_LENGTH, SEARCH_LENGTH } from './rules.ts'
import { queryText, Usd } from './wire.ts'

/**
 * Prices after discounts: `price` of the cheapest variant that can be bought, `highestPrice` of the most expensive one.
 */
export const SuggestedProduct = renamed(
  { _id: z.string(), slug: z.string(), name: z.string(), image: z.string(), price: Usd, highestPrice: Usd },
  { price: 'paidCents', highestPrice: 'highestCents' },
)
export type SuggestedProduct = z.output<typeof SuggestedProduct>

/** `slug` is the shop's name in the URL of its page. */
export const SuggestedShop = z.object({
  sellerId: z.string(),
  shopName: z.string(),
  slug: z.string(),
  image: z.string(),
})
export type SuggestedShop = z.output<typeof SuggestedShop>

/**
 * Suggestions for an unfinished search: each typed word begins a word of the name or of the product's brand. Empty for
 * fewer than `MIN_SUGGESTED_LETTERS` letters. `category` restricts the products.
 */
export const getSuggestions = endpoint({
  method: 'GET',
  path: '/home/suggestions',
  input: renamed({ value: queryText('value', SEARCH_LENGTH), category: queryText('category', CATEGORY_LENGTH) }, {}),
  output: z.object({
    products: z.array(SuggestedProduct),
    categories: z.array(Category),
    sellers: z.array(SuggestedShop),
  }),
})
export type Suggestions = z.output<(typeof getSuggestions)['output']>

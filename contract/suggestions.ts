import * as z from 'zod/mini'
import { Category } from './catalog.ts'
import { endpoint, renamed } from './endpoint.ts'
import { CATEGORY_LENGTH, SEARCH_LENGTH } from './rules.ts'
import { queryText, Usd } from './wire.ts'

/** `price` is what the cheapest variant that can be bought costs after its discount, `highestPrice` the dearest. */
export const SuggestedProduct = renamed(
  { _id: z.string(), slug: z.string(), name: z.string(), image: z.string(), price: Usd, highestPrice: Usd },
  { price: 'paidCents', highestPrice: 'highestCents' },
)
export type SuggestedProduct = z.output<typeof SuggestedProduct>

/** `slug` is the shop's name in the address of its page. */
export const SuggestedShop = z.object({
  sellerId: z.string(),
  shopName: z.string(),
  slug: z.string(),
  image: z.string(),
})
export type SuggestedShop = z.output<typeof SuggestedShop>

/**
 * What the words typed so far may lead to: each of them begins a word of the name, or of a product's brand. Empty
 * before `MIN_SUGGESTED_LETTERS`. `category` limits the products.
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

import * as z from 'zod/mini'
import { endpoint, NoInput, renamed } from './endpoint.ts'
import { Facets, filteredQuery, OfferedFilter } from './filters.ts'
import { ReviewPage } from './reviews.ts'
import {
  CATEGORY_LENGTH,
  COUNTRY_LENGTH,
  LISTING_SORTS,
  PRODUCTS_PER_PAGE,
  SEARCH_LENGTH,
  SELLERS_PER_PAGE,
} from './rules.ts'
import { ProductShop, Seller } from './shops.ts'
import { Banner, Product } from './product.ts'
import { Id, queryBoolean, queryChoice, queryInteger, queryPage, queryPrice, queryText, text, Usd } from './wire.ts'

/** `productCount` counts visible products up to 1,000; not every provider has it. */
export const Category = z.object({ name: z.string(), image: z.string(), productCount: z.optional(z.int()) })
export type Category = z.output<typeof Category>

/** On the wire, side lists are groups of three: one group per carousel page. */
const InThrees = z.codec(z.array(z.array(Product)), z.array(z.custom<Product>()), {
  decode: groups => groups.flat(),
  encode: products =>
    Array.from({ length: Math.ceil(products.length / 3) }, (_, at) => products.slice(at * 3, at * 3 + 3)),
})

export const getCategories = endpoint({
  method: 'GET',
  path: '/home/get-categorys',
  input: NoInput,
  output: renamed({ categorys: z.array(Category) }, { categorys: 'categories' }),
})

export const getSellers = endpoint({
  method: 'GET',
  path: '/home/sellers',
  input: renamed(
    {
      verified: queryBoolean('verified'),
      featured: queryBoolean('featured'),
      page: queryPage('page'),
      parPage: queryInteger('parPage', 1, 50),
    },
    { parPage: 'pageSize' },
  ),
  output: renamed(
    { sellers: z.array(Seller), totalSellers: z.int(), parPage: z._default(z.int(), SELLERS_PER_PAGE) },
    { totalSellers: 'total', parPage: 'pageSize' },
  ),
})

export const getFeaturedSellers = endpoint({
  method: 'GET',
  path: '/home/featured-sellers',
  input: NoInput,
  output: z.object({ sellers: z.array(Seller) }),
})

export const getHomeProducts = endpoint({
  method: 'GET',
  path: '/home/get-products',
  input: NoInput,
  output: renamed(
    {
      products: z.array(Product),
      latest_product: InThrees,
      topRated_product: InThrees,
      discount_product: InThrees,
    },
    { latest_product: 'latest', topRated_product: 'topRated', discount_product: 'onDiscount' },
  ),
})

/**
 * `id` is an id or a slug. With `reviewPage`, the response includes that page of the product's reviews. Not every
 * provider has `shop`.
 */
export const getProduct = endpoint({
  method: 'GET',
  path: '/home/get-product/:id',
  input: renamed({ id: text('id', 300), reviews: queryPage('reviews') }, { reviews: 'reviewPage' }),
  output: renamed(
    {
      product: Product,
      relatedProducts: z.array(Product),
      moreProducts: z.array(Product),
      shop: z.optional(ProductShop),
      reviews: z.optional(ReviewPage),
    },
    { relatedProducts: 'related', moreProducts: 'fromSameShop' },
  ),
})

/** Product data that may have changed since the page was cached. Kept small for the product page's script. */
export const getAvailability = endpoint({
  method: 'GET',
  path: '/home/get-availability/:id',
  input: z.object({ id: text('id', 300) }),
  output: z.object({
    stock: z.int(),
    variants: z._default(z.array(z.object({ _id: z.string(), stock: z.int() })), []),
  }),
})

/** `priceRange` is in whole US dollars, after discounts; `destinations` are the countries that any shop ships to. */
export const getPriceRange = endpoint({
  method: 'GET',
  path: '/home/price-range-latest-product',
  input: NoInput,
  output: renamed(
    {
      latest_product: InThrees,
      priceRange: z.object({ low: z.number(), high: z.number() }),
      destinations: z._default(z.array(z.string()), []),
    },
    { latest_product: 'latest' },
  ),
})

/**
 * The filters of a listing. Prices are US dollars after discounts; rating r means r ≤ rating < r + 1; `discount` is a
 * minimum in percent. The query also takes `brand`, `shop` (ids) and `option.NAME`; a repeated parameter lists
 * alternatives. A product matches if one variant that can be bought has a chosen value of each option and a price in
 * the range. `literal` switches the correction of misspelt words off.
 */
export const ProductQuery = filteredQuery(
  {
    category: queryText('category', CATEGORY_LENGTH),
    rating: queryInteger('rating', 1, 5),
    discount: queryInteger('discount', 1, 100),
    inStock: queryBoolean('inStock'),
    shipsTo: queryText('shipsTo', COUNTRY_LENGTH),
    lowPrice: queryPrice('lowPrice'),
    highPrice: queryPrice('highPrice'),
    sortPrice: queryChoice('sortPrice', LISTING_SORTS),
    pageNumber: queryPage('pageNumber'),
    searchValue: queryText('searchValue', SEARCH_LENGTH),
    literal: queryBoolean('literal'),
  },
  { sortPrice: 'sort', pageNumber: 'page', searchValue: 'search' },
)
export type ProductQuery = z.output<typeof ProductQuery>

/**
 * `isPartial`: no product has all words of the search. `hasOthers`: a few have, and others follow them. `isUnrelated`:
 * no product has any of them, so all are listed. `correctedSearch` is the misspelt search after its correction.
 * `mostPrice` is the price that the search names, as in 'lamp under $50'.
 */
export const queryProducts = endpoint({
  method: 'GET',
  path: '/home/query-products',
  input: ProductQuery,
  output: renamed(
    {
      products: z.array(Product),
      totalProduct: z.int(),
      parPage: z.int(),
      filters: z._default(z.array(OfferedFilter), []),
      isPartial: z._default(z.boolean(), false),
      hasOthers: z.optional(z.boolean()),
      isUnrelated: z._default(z.boolean(), false),
      correctedSearch: z.optional(z.string()),
      mostPrice: z.optional(Usd),
      facets: z.optional(Facets),
    },
    { totalProduct: 'total', parPage: 'pageSize', mostPrice: 'mostCents' },
  ),
})

/** How many products `queryProducts` would find. */
export const countProducts = endpoint({
  method: 'GET',
  path: '/home/count-products',
  input: ProductQuery,
  output: renamed({ totalProduct: z.int() }, { totalProduct: 'total' }),
})

/** Takes `sortPrice`, `searchValue`, `brand` and `option.NAME` as `queryProducts` does. */
export const getSellerProducts = endpoint({
  method: 'GET',
  path: '/home/get-products-by-seller',
  input: filteredQuery(
    {
      sellerId: Id('sellerId'),
      page: queryPage('page'),
      sortPrice: queryChoice('sortPrice', LISTING_SORTS),
      searchValue: queryText('searchValue', SEARCH_LENGTH),
    },
    { sortPrice: 'sort', searchValue: 'search' },
  ),
  output: renamed(
    {
      seller: Seller,
      products: z.array(Product),
      totalProducts: z.int(),
      parPage: z._default(z.int(), PRODUCTS_PER_PAGE),
      filters: z._default(z.array(OfferedFilter), []),
    },
    { totalProducts: 'total', parPage: 'pageSize' },
  ),
})

/** The shops' promotions, shown on product pages and listings. */
export const getBanners = endpoint({
  method: 'GET',
  path: '/banners',
  input: NoInput,
  output: z.object({ banners: z.array(Banner) }),
})

export const getPlatformBanners = endpoint({
  method: 'GET',
  path: '/platform/banners',
  input: NoInput,
  output: z.object({ banners: z.array(Banner) }),
})

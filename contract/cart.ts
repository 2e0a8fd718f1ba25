import * as z from 'zod/mini'
import { Product } from './product.ts'
import { endpoint, renamed } from './endpoint.ts'
import { MAX_STOCK } from './rules.ts'
import { ChosenVariant } from './variants.ts'
import { Acknowledgement, completed, Id, Usd } from './wire.ts'

const lineShape = {
  _id: z.string(),
  quantity: z.int(),
  productInfo: Product,
  priceWhenAdded: z.optional(Usd),
  noLongerSold: z._default(z.boolean(), false),
  variant: z.optional(ChosenVariant),
}

/**
 * `agreedCents` is the unit price that the customer last agreed to. `isGone` marks a product that is no longer sold: it
 * is shown from its last snapshot, with no stock. The product has the price, discount, stock and picture of the line's
 * variant. A line without `variant` that is not gone was added before its product had several: one has to be chosen.
 */
export const CartLine = renamed(lineShape, {
  productInfo: 'product',
  priceWhenAdded: 'agreedCents',
  noLongerSold: 'isGone',
})
export type CartLine = z.output<typeof CartLine>

/** Other clients of this API family expect a `products` array in an out-of-stock line. */
const OutOfStockLine = z.codec(
  z.object({ ...lineShape, products: z.optional(z.array(Product)) }),
  z.custom<CartLine>(),
  {
    decode: ({ _id, quantity, productInfo: product, priceWhenAdded: agreedCents, noLongerSold: isGone, variant }) => ({
      _id,
      quantity,
      product,
      agreedCents,
      isGone,
      variant,
    }),
    encode: ({ product, agreedCents, isGone, ...line }) => ({
      ...line,
      productInfo: product,
      priceWhenAdded: agreedCents,
      noLongerSold: isGone,
      products: [product],
    }),
  },
)

export const CartGroup = completed(
  z.object({ sellerId: z.string(), shopName: z.string(), products: z.array(CartLine) }),
  ({ products }) => ({
    sellerId: (products as { productInfo?: { sellerId?: string } }[] | undefined)?.[0]?.productInfo?.sellerId,
  }),
)
export type CartGroup = z.output<typeof CartGroup>

/**
 * `groups` holds the lines that can be bought, by seller; `outOfStock` holds the others. `count` is the units of all
 * lines, `buyableCount` the units that can be bought, `priceCents` the price of these without shipping. `shippingCents`
 * is their shipping to the customer's saved address: 0 without one.
 */
export const Cart = renamed(
  {
    card_products: z.array(CartGroup),
    outOfStockProduct: z.array(OutOfStockLine),
    card_product_count: z.int(),
    buy_product_item: z.int(),
    price: Usd,
    shipping_fee: z.optional(Usd),
  },
  {
    card_products: 'groups',
    outOfStockProduct: 'outOfStock',
    card_product_count: 'count',
    buy_product_item: 'buyableCount',
    price: 'priceCents',
    shipping_fee: 'shippingCents',
  },
)
export type Cart = z.output<typeof Cart>

const Quantity = z
  .int({ error: 'quantity must be a whole number' })
  .check(z.minimum(1, 'quantity must be at least 1'), z.maximum(MAX_STOCK, `quantity must be at most ${MAX_STOCK}`))

/**
 * Adds to the quantity that is already in the cart. Fails with 422 if the total exceeds the stock, or if no variant is
 * given for a product that has several: then `fields` has the values of each option.
 */
export const addToCart = endpoint({
  method: 'POST',
  path: '/home/product/add-to-card',
  input: z.object({
    userId: Id('userId'),
    productId: Id('productId'),
    variantId: z.optional(Id('variantId')),
    quantity: Quantity,
  }),
  output: Acknowledgement,
  isForCustomers: true,
})

export const getCart = endpoint({
  method: 'GET',
  path: '/home/product/get-card-product/:id',
  input: renamed({ id: Id('id') }, { id: 'userId' }),
  output: Cart,
  isForCustomers: true,
})

const lineCall = {
  input: renamed({ id: Id('id') }, { id: 'lineId' }),
  output: Acknowledgement,
  isForCustomers: true,
} as const

/** `restoreCartLine` can put the line back for one day. */
export const removeCartLine = endpoint({
  method: 'DELETE',
  path: '/home/product/delete-card-product/:id',
  ...lineCall,
})

/** Undoes `removeCartLine`: puts the line back unchanged, unless the product is in the cart again. */
export const restoreCartLine = endpoint({
  method: 'PUT',
  path: '/home/product/restore-card-product/:id',
  ...lineCall,
})

export const increaseQuantity = endpoint({ method: 'PUT', path: '/home/product/quantity-inc/:id', ...lineCall })

export const decreaseQuantity = endpoint({ method: 'PUT', path: '/home/product/quantity-dec/:id', ...lineCall })

/** Sets the quantity of a line. If there are too few, fails with 422 and a message that says how many are left. */
export const setQuantity = endpoint({
  method: 'PUT',
  path: '/home/customer/cart-quantity/:id',
  input: renamed({ id: Id('id'), quantity: Quantity }, { id: 'lineId' }),
  output: Acknowledgement,
  isForCustomers: true,
})

/**
 * Changes the variant of a line, at the current price of the new variant. Another line of that variant is merged into
 * this one. If there are too few units, fails with 422 and a message that says how many are left.
 */
export const changeCartVariant = endpoint({
  method: 'PUT',
  path: '/home/product/change-card-variant/:id',
  input: renamed({ id: Id('id'), variantId: Id('variantId') }, { id: 'lineId' }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Records that the customer agrees to the current prices of everything in the cart. */
export const acceptCartPrices = endpoint({
  method: 'PUT',
  path: '/home/product/accept-card-prices/:id',
  input: renamed({ id: Id('id') }, { id: 'userId' }),
  output: Acknowledgement,
  isForCustomers: true,
})

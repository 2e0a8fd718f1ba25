import type { CartLine } from '#contract/cart.ts'
import type { Product } from '#contract/product.ts'
import type { WishlistItem } from '#contract/wishlist.ts'

/** An unsigned token that the storefront can decode. */
export function tokenOf(id: string, name = 'Ada'): string {
  const claims = Buffer.from(JSON.stringify({ id, name, email: `${id}@customers.test` })).toString('base64url')
  return `h.${claims}.s`
}

/** A cart line whose product has the same id as the line. */
export function cartLine(
  id: string,
  { quantity = 1, agreedCents = 1000, isGone = false, ...product }: LineParts = {},
): CartLine {
  return { _id: id, quantity, agreedCents, isGone, product: productOf(id, product) }
}

type LineParts = Partial<Pick<CartLine, 'quantity' | 'agreedCents' | 'isGone'> & Product>

function productOf(id: string, parts: Partial<Product>): Product {
  return {
    _id: id,
    slug: id,
    name: id,
    category: 'Toys',
    brand: 'Ada',
    priceCents: 1000,
    discount: 0,
    stock: 5,
    description: '',
    images: [],
    rating: 0,
    ratingCount: 0,
    sellerId: 'shop',
    shopName: 'Ada Shop',
    isPromoted: false,
    banner: null,
    shippingPrices: {},
    variantCount: 1,
    colourCount: 0,
    variants: [],
    ...parts,
  }
}

export function wishlistItem(productId: string): WishlistItem {
  return {
    _id: `item-${productId}`,
    productId,
    name: productId,
    priceCents: 1000,
    image: '',
    discount: 0,
    rating: 0,
    slug: productId,
    stock: 5,
    variantCount: 1,
    sellerId: 'shop',
    shopName: 'Ada Shop',
  }
}

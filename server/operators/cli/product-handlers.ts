import { productPath } from '#contract/page-urls.ts'
import { variantTitle } from '#contract/variants.ts'
import {
  listProducts,
  type ProductDetails,
  readProductDetails,
  removeProduct,
  type StockedProduct,
} from '#server/catalogue/product-management.ts'
import { changeProduct } from '#server/catalogue/product-management.ts'
import { plainDollars } from '#server/platform/usd.ts'
import { singleLine } from '#server/platform/single-line.ts'
import { UnconfirmedError } from './confirm.ts'
import { describeProduct, describeRates, describeStock, many } from './describe.ts'
import type { Handlers } from './app-context.ts'
import { say } from './say.ts'
import { printList } from './table.ts'

/** Handlers of the commands for products. */
export const productHandlers = {
  async 'product list'(filter, { database }, terminal) {
    const products = await listProducts(database.db, filter)
    return printList(terminal, products.map(rowOf), { limit: filter.limit, none: 'No product' })
  },

  async 'product show'({ slug }, { database, config }, terminal) {
    const details = await readProductDetails(database.db, slug)
    return say(terminal, describeDetails(details, config.publicUrl).map(singleLine).join('\n'))
  },

  async 'product set'({ slug, variant, changes }, { database }, terminal) {
    return say(terminal, describeProduct(await changeProduct(database.db, slug, changes, variant)))
  },

  async 'product remove'({ slug, isConfirmed }, { database }, terminal) {
    if (!isConfirmed) {
      const details = await readProductDetails(database.db, slug)
      throw new UnconfirmedError(
        `This removes ${describeRemoval(details)}. 'product set ${slug} hidden=true' only hides it.`,
      )
    }
    return say(terminal, `Removed ${describeRemoval(await removeProduct(database.db, slug))}`)
  },
} satisfies Partial<Handlers>

function rowOf(product: StockedProduct): string[] {
  const { slug, finalCents, shopName } = product
  return [slug, `$${plainDollars(finalCents)}`, describeStock(product), shopName, hiddenBy(product)]
}

function hiddenBy({ isHidden, isShopHidden }: StockedProduct): string {
  if (isHidden) return 'hidden'
  return isShopHidden ? 'hidden with its shop' : ''
}

function describeDetails(details: ProductDetails, publicUrl: string): string[] {
  const { product, shop, shippingPrices, variants, orderCount, cartCount, reviewCount } = details
  const { name, brand, category, pictures, rating, isHidden, isShopHidden } = product
  return [
    name,
    `${describeProduct(product)}${!isHidden && isShopHidden ? ' but for its shop, which is hidden' : ''}`,
    `Sold by ${shop.shopName} (${shop.key}); brand ${brand}, category ${category}`,
    `${many(variants.length, 'variant')}, ${many(pictures.length, 'picture')}, ${many(reviewCount, 'review')} (${rating} of 5)`,
    ...(variants.length > 1 ? variants.map(describeVariant) : []),
    `Ships to ${describeRates(shippingPrices)}`,
    `In ${many(orderCount, 'order')} and ${many(cartCount, 'cart')}`,
    publicUrl + productPath(product),
  ]
}

function describeVariant(variant: ProductDetails['variants'][number]) {
  const { options, sku, finalCents } = variant
  const named = [variantTitle(options), sku].filter(Boolean).join(', SKU ')
  return `  ${named}: $${plainDollars(finalCents)}, ${describeStock(variant)}`
}

function describeRemoval({ product, shop, orderCount, cartCount, reviewCount }: ProductDetails): string {
  const kept = `${many(orderCount, 'order keeps', 'orders keep')} what was bought`
  const carts = cartCount > 0 ? `, ${many(cartCount, 'cart says', 'carts say')} that it is no longer sold` : ''
  return `${product.slug} of ${shop.shopName} with ${many(reviewCount, 'review')}; ${kept}${carts}`
}

import { shopPath } from '#contract/page-urls.ts'
import type { ShopRemains, ShopSummary } from '#server/catalogue/seller-management.ts'
import type { SellerRow, ShippingCents } from '#server/db/schema.ts'
import type { Changed } from '#server/catalogue/product-management.ts'
import { plainDollars } from '#server/platform/usd.ts'

type DaysOfShop = Pick<SellerRow, 'handlingDays' | 'transitDays'>

/** One line about a changed product. */
export function describeProduct(product: Changed): string {
  const { slug, priceCents, discount, finalCents, isHidden } = product
  const price =
    discount > 0
      ? `$${plainDollars(finalCents)} ($${plainDollars(priceCents)} less ${discount} %)`
      : `$${plainDollars(finalCents)}`
  return `${slug}: ${price}, ${describeStock(product)}, ${isHidden ? 'hidden' : 'visible'}`
}

/** The stock of a product or variant in words. It is negative if more units were sold than the seller had. */
export function describeStock({ stock, sellsWithoutStock }: { stock: number; sellsWithoutStock: boolean }): string {
  if (!sellsWithoutStock) return `${stock} in stock`
  if (stock > 0) return `${stock} in stock, sold without stock too`
  return stock < 0 ? `sold without stock, ${-stock} owed` : 'sold without stock'
}

/** A shop's row in a list. */
export function shopRow(shop: ShopSummary): string[] {
  const { key, shopName, productCount, toShipCount } = shop
  return [key, shopName, many(productCount, 'product'), `${many(toShipCount, 'order')} to ship`, statesOf(shop)]
}

/** Lines with all details of a shop. */
export function describeShop(shop: ShopSummary, publicUrl: string): string[] {
  const {
    id,
    key,
    shopName,
    productCount,
    hiddenCount,
    toShipCount,
    orderCount,
    shippingRates,
    hasAi,
    email,
    address,
    replyHours,
    refundsShipping,
  } = shop
  const states = statesOf(shop)
  return [
    `${shopName} (${key})${states && `, ${states}`}`,
    `${many(productCount, 'product')}, ${hiddenCount} of them hidden; ${many(orderCount, 'order')}, ${toShipCount} of them to ship`,
    `Ships to ${describeRates(shippingRates)}${refundsShipping ? '' : '; keeps the shipping of what is returned'}`,
    email
      ? `Mails about paid orders go to ${email}`
      : `Gets no mail about orders: set an address with 'seller email ${key} ADDRESS'`,
    address.length > 0
      ? `Receipts say: ${address.join(', ')}`
      : `Receipts have no address: set it with 'seller address ${key} LINE…'`,
    `Customers’ messages are answered ${hasAi ? 'automatically' : 'by hand'}${replyHours === null ? '' : `, usually within ${many(replyHours, 'hour')}`}`,
    publicUrl + shopPath({ shopName, sellerId: id }),
  ]
}

function statesOf({ isVerified, isHidden }: ShopSummary): string {
  return [...(isVerified ? ['verified'] : []), ...(isHidden ? ['hidden'] : [])].join(', ')
}

/** A line about the data that is removed with a shop, and the data that remains. */
export function describeRemains({ shopName, productCount, conversationCount, orderCount }: ShopRemains): string {
  const orders = `${many(orderCount, 'order keeps', 'orders keep')} what was bought there`
  return `${shopName} with ${many(productCount, 'product')} and ${many(conversationCount, 'chat')}; ${orders}`
}

/** The countries to which a shop ships, with rates. */
export function describeRates(rates: ShippingCents): string {
  const named = Object.entries(rates).map(([country, cents]) => `${country} for $${plainDollars(cents)}`)
  return named.length > 0 ? named.toSorted().join(', ') : 'no country'
}

/** How long a shop's parcels take, as the end of a line; empty if the shop promises nothing. */
export function describeDays({ handlingDays, transitDays }: DaysOfShop): string {
  if (!handlingDays) return ''
  const named = Object.entries(transitDays).map(([country, days]) => `${country} in ${days.join('-')}`)
  return `; parcels leave in ${handlingDays.join('-')} days and travel to ${named.toSorted().join(', ') || 'no country'}`
}

/** '1 line', '1,204 lines'; pass `more` if the plural is irregular. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`
}

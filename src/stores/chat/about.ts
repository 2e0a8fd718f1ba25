import type { About, AboutIds } from '#contract/chat.ts'
import { orderPath, productPath } from '#contract/page-urls.ts'
import { discountedCents } from '#contract/rules.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'

/** The card of one of a shop's products or of an order from the shop. Null if it does not exist or cannot be loaded. */
export async function readCard(sellerId: string, { productId, orderId }: AboutIds): Promise<About | null> {
  try {
    if (productId) return await productCard(sellerId, productId)
    return orderId ? await orderCard(sellerId, orderId) : null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return null
  }
}

async function productCard(sellerId: string, productId: string): Promise<About | null> {
  const { product } = await client.api.getProduct({ id: productId })
  if (product.sellerId !== sellerId) return null
  const { name, images } = product
  return { productId, name, image: images[0] ?? '', priceCents: discountedCents(product), path: productPath(product) }
}

async function orderCard(sellerId: string, orderId: string): Promise<About | null> {
  const { order } = await client.api.getOrder({ orderId })
  const part = order.groups.find(group => group.sellerId === sellerId)
  if (!part) return null
  const image = part.products[0]?.productInfo.images[0] ?? ''
  return { orderId, name: `Order ${order.number}`, image, priceCents: part.priceCents, path: orderPath(orderId) }
}

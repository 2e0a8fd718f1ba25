import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { openSellerConnection, type SellerConnection } from '#server/operators/cli/seller-connection.ts'
import { openJwt } from '#server/accounts/jwt.ts'
import type { RunningShop } from './shop.ts'
import { plantedKeys } from './shop-keys.ts'

/** The id of the seller of a product. */
export async function sellerOf(page: Page, slug: string): Promise<string> {
  const answer = await page.request.get(`/api/home/get-product/${slug}`)
  return ((await answer.json()) as { product: { sellerId: string } }).product.sellerId
}

/** Connects a seller by socket. `messagesFrom` returns the texts that a customer has sent since. */
export async function connectSeller(
  { url, dataDir }: Pick<RunningShop, 'url' | 'dataDir'>,
  sellerId: string,
): Promise<SellerConnection & { messagesFrom: (customerId: string) => string[] }> {
  const secrets = await plantedKeys(dataDir)
  const jwt = openJwt({ secrets, purpose: 'seller-token', audience: 'seller', lifetimeSeconds: 3600, now: Date.now })
  const token = await jwt.sign(sellerId, randomUUID(), { version: 0 })
  const received: { senderId: string; text: string }[] = []
  const line = await openSellerConnection({ url, token, onMessage: message => void received.push(message) })
  const messagesFrom = (id: string) => received.filter(({ senderId }) => senderId === id).map(({ text }) => text)
  return { ...line, messagesFrom }
}

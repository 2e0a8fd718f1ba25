import { type NewMessage, storeMessage } from '#server/chat/messages.ts'
import { addSeller } from '../catalogue/catalogue.ts'
import type { Provider } from './provider.ts'

export const addressOf = ({ key }: { key: string }) => `/files/${key}`

/** A new customer in a conversation with a new shop, and functions for both sides. */
export async function conversation({ db, customer }: Pick<Provider, 'db' | 'customer'>, shopName = 'Ada Shop') {
  const grace = await customer('Grace Hopper')
  const shop = await addSeller(db, { shopName })
  const between = { userId: grace.id, sellerId: shop.id }
  await grace.api.openConversation(between)
  return {
    grace,
    shop,
    between,
    send: async (text: string, clientId?: string) =>
      (await grace.api.sendMessage({ ...between, text, clientId })).message,
    answer: async (text: string, more: Partial<NewMessage> = {}) =>
      (await storeMessage({ db, addressOf }, { ...between, sender: 'seller', text, ...more })).message,
    read: (since?: string) => grace.api.getMessages({ sellerId: shop.id, since }),
    readBefore: (before: string) => grace.api.getMessages({ sellerId: shop.id, before }),
    friends: async () => (await grace.api.openConversation({ userId: grace.id, sellerId: '' })).friends,
  }
}

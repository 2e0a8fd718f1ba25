import type { About, AboutIds } from '#contract/chat.ts'

/** The text of a message about a card, as it is sent: it ends with the URL, for clients that show no cards. */
export function withAddress(words: string, { path }: Pick<About, 'path'>): string {
  return [words, new URL(path, location.origin).href].filter(Boolean).join('\n')
}

/** The ids of a card's subject, for the provider. */
export function idsOf({ productId, orderId }: About): AboutIds {
  return productId ? { productId } : { orderId }
}

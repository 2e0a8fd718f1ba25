import type { About, AboutIds } from '#contract/chat.ts'

/** The text of a message about a card, as it is sent: it ends with the URL, for clients that show no cards. */
export function withAddress(words: string, { path }: Pick<About, 'path'>): string {
  return [words, new URL(path, location.origin).href].filter(Boolean).join('\n')
}

/** The customer's own words in a message, without the URL of its card. */
export function wordsOf({ text, about }: { text: string; about?: About | undefined }): string {
  const address = text.split('\n').at(-1) ?? ''
  return about && address.endsWith(about.path) ? text.slice(0, -address.length).trimEnd() : text
}

/** The ids of a card's subject, for the provider. */
export function idsOf({ productId, orderId }: About): AboutIds {
  return productId ? { productId } : { orderId }
}

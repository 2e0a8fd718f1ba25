import type { About, AboutIds } from '#contract/chat.ts'

/** The message as it is sent: other clients show the address instead of a card. */
export function withAddress(words: string, { path }: Pick<About, 'path'>): string {
  return [words, new URL(path, location.origin).href].filter(Boolean).join('\n')
}

/** The customer's own words in a message: without the address of the card that stands above them. */
export function wordsOf({ text, about }: { text: string; about?: About | undefined }): string {
  const address = text.split('\n').at(-1) ?? ''
  return about && address.endsWith(about.path) ? text.slice(0, -address.length).trimEnd() : text
}

/** What the provider needs to know of a card. */
export function idsOf({ productId, orderId }: About): AboutIds {
  return productId ? { productId } : { orderId }
}

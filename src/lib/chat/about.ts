import { type About, type AboutIds, MAX_MESSAGE_LENGTH } from '#contract/chat.ts'

/** The text of a message about a card, as it is sent: it ends with the URL, for clients that show no cards. */
export function withAddress(words: string, { path }: Pick<About, 'path'>): string {
  return [words, new URL(path, location.origin).href].filter(Boolean).join('\n')
}

/** The most characters of the customer's own words in a message, which may be about a card. */
export function maxWordsOf(about: Pick<About, 'path'> | null): number {
  // The address is on a line of its own.
  return about ? MAX_MESSAGE_LENGTH - withAddress('', about).length - 1 : MAX_MESSAGE_LENGTH
}

/** The ids of a card's subject, for the provider. */
export function idsOf({ productId, orderId }: About): AboutIds {
  return productId ? { productId } : { orderId }
}

import { shopPath } from '#contract/page-urls.ts'
import { snapshotName } from '#contract/variants.ts'
import { composeLetter, type LetterContent, orderSubject, small } from './compose.ts'
import { greetingOf } from './letters.ts'
import { addressBlocks, type Order, type LetterPart, sectionOf } from './order-letters.ts'

interface About {
  shopName: string
  /** `destination` is the customer's own text; null if the shop has to ask the marketplace for it. */
  order: Order
  /** The seller's part, with the lines that the letter is about. */
  part: LetterPart & { sellerId: string }
  publicUrl: string
}

const ASK =
  'The customer has not confirmed their email address yet. Please ask the marketplace whether and where to ship it.'

/** The letter to a shop about an order that it has to ship. */
export function sellerLetter({ shopName, order, part, publicUrl }: About): LetterContent {
  const subject = orderSubject('You have an order to ship', order.number)
  return composeLetter(subject, publicUrl + shopPath({ shopName, sellerId: part.sellerId }), [
    greetingOf(shopName),
    order.destination
      ? 'A customer has paid for this order. Please ship it:'
      : 'A customer has placed this order. There is nothing to pay.',
    sectionOf(part, snapshotName),
    ...(order.destination ? addressBlocks(order) : [ASK]),
    'Please tell the marketplace when you have shipped it, so that we can let the customer know.',
    small(`Order ${order.number}`),
  ])
}

/**
 * The letter to a shop about what it must no longer send, which `part` lists. It contains no text of the customer's.
 */
export function cancelledLetter({ shopName, order, part, publicUrl }: About): LetterContent {
  const subject = orderSubject('Do not ship: an order was cancelled', order.number)
  return composeLetter(subject, publicUrl + shopPath({ shopName, sellerId: part.sellerId }), [
    greetingOf(shopName),
    'This order has been cancelled. Please do not send what you have not sent yet:',
    sectionOf(part, snapshotName),
    small(`Order ${order.number}`),
  ])
}

import { html } from 'hono/html'
import { orderPath, shopPath } from '#contract/page-urls.ts'
import { singleLine } from '../platform/single-line.ts'
import { type Block, button, composeLetter, type LetterContent, linkTo, orderSubject, small } from './compose.ts'
import { greetingOf, NEEDS_NO_LOGIN } from './letters.ts'
import { CUSTOMER_TEXTS } from './return-customer-texts.ts'
import { SHOP_TEXTS } from './return-shop-texts.ts'
import type { ReturnDetails, Text } from './return-text.ts'

interface About {
  details: ReturnDetails
  orderNumber: string
  publicUrl: string
}

/**
 * The letter to a shop about a cancellation or return that has come to a status; null for statuses that the shop need
 * not know. Pass `words` and `tracking`, the customer's own text, only of a confirmed customer.
 */
export function returnShopLetter({ details, orderNumber, publicUrl, sellerId }: About & { sellerId: string }) {
  const text = SHOP_TEXTS[details.kind][details.status]?.(details)
  const link = publicUrl + shopPath({ shopName: details.shopName, sellerId })
  return text ? writeLetter({ greeting: greetingOf(details.shopName), ...text, details, orderNumber, link }) : null
}

/**
 * The letter to the customer about a step that the shop or the marketplace has taken; null for other statuses. Pass
 * `customerName`, the customer's own text, only for a confirmed address. `trackingPath` is the page that shows the
 * order's progress without a login. A letter that asks for a step links the order's own page.
 */
export function returnCustomerLetter({
  details,
  orderId,
  orderNumber,
  publicUrl,
  trackingPath,
  customerName,
}: About & { orderId: string; trackingPath: string; customerName?: string | undefined }): LetterContent | null {
  const text = CUSTOMER_TEXTS[details.kind][details.status]?.(details)
  if (!text) return null
  const trackingLink = publicUrl + trackingPath
  const link = text.isRequest ? publicUrl + orderPath(orderId) : trackingLink
  const progress = [
    button('See your order', link),
    text.isRequest ? linkTo('Track your order', trackingLink) : NEEDS_NO_LOGIN,
  ]
  return writeLetter({ greeting: greetingOf(customerName), ...text, details, orderNumber, link, progress })
}

/** Whether there is a letter about a status for the shop or for the customer. */
export function isMailed(to: 'shop' | 'customer', { kind, status }: Pick<ReturnDetails, 'kind' | 'status'>): boolean {
  return (to === 'shop' ? SHOP_TEXTS : CUSTOMER_TEXTS)[kind][status] !== null
}

interface Parts extends Text {
  greeting: string
  details: ReturnDetails
  orderNumber: string
  link: string
  /** The links to the order. */
  progress?: (string | Block)[]
}

function writeLetter({
  subject,
  greeting,
  intro,
  details,
  orderNumber,
  after,
  link,
  progress = [],
}: Parts): LetterContent {
  const goods = details.lines.map(({ name, quantity }) => `${quantity} × ${singleLine(name)}`)
  const list = {
    text: goods.join('\n'),
    markup: html`<ul>
      ${goods.map(each => html`<li>${each}</li>`)}
    </ul>`,
  }
  return composeLetter(orderSubject(subject, orderNumber), link, [
    greeting,
    intro,
    list,
    ...after,
    ...progress,
    small(`Order ${orderNumber}`),
  ])
}

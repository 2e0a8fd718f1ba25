import { html } from 'hono/html'
import { shopPath } from '#contract/page-urls.ts'
import { greetingOf } from './letters.ts'
import type { Letter } from './open.ts'
import { addressOf, asText, type Order, type Part, sectionOf, table } from './order-letters.ts'
import { page } from './page.ts'

interface About {
  shopName: string
  /** `destination` is the customer's own text; null if the shop has to ask the marketplace for it. */
  order: Order
  /** The seller's part, to be shipped. */
  part: Part & { sellerId: string }
  publicUrl: string
}

const ASK =
  'The customer has not confirmed their email address yet. Please ask the marketplace whether and where to ship it.'

/** The letter to a shop about an order that it has to ship. */
export function sellerLetter({ shopName, order, part, publicUrl }: About): Omit<Letter, 'to'> {
  const subject = 'You have an order to ship'
  const greeting = greetingOf(shopName)
  const intro = order.destination
    ? 'A customer has paid for this order. Please ship it:'
    : 'A customer has placed this order. There is nothing to pay.'
  const after = 'Please tell the marketplace when you have shipped it, so that we can let the customer know.'
  const { title, rows } = sectionOf(part)
  const address = order.destination ? ['Deliver to:', ...addressOf(order)] : [ASK]
  const text = [
    greeting,
    intro,
    [title, ...rows.map(asText)].join('\n'),
    address.join('\n'),
    after,
    `Order ${order.number}`,
  ]
  const body = html`<p>${greeting}</p>
    <p>${intro}</p>
    <h2 style="margin:24px 0 4px;font-size:16px">${title}</h2>
    ${table(rows)}
    <p>${address.map((line, at) => (at === 0 ? line : html`<br />${line}`))}</p>
    <p>${after}</p>
    <p style="font-size:14px">Order ${order.number}</p>`
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: page(subject, body),
    link: publicUrl + shopPath({ shopName, sellerId: part.sellerId }),
  }
}

import { html } from 'hono/html'
import { reviewsPath } from '#contract/page-urls.ts'
import { singleLine } from '../platform/single-line.ts'
import { composeLetter, type LetterContent, orderSubject, small } from './compose.ts'
import { greetingOf } from './letters.ts'

interface About {
  customerName: string
  shopName: string
  orderNumber: string
  /** What the customer has not reviewed yet. */
  products: { name: string; slug: string }[]
  publicUrl: string
}

/** The letter that asks a customer to review what a shop has delivered. */
export function reviewLetter({ customerName, shopName, orderNumber, products, publicUrl }: About): LetterContent {
  const shop = singleLine(shopName)
  const rows = products.map(({ name, slug }) => ({
    label: `Review ${singleLine(name)}`,
    link: publicUrl + reviewsPath({ slug }),
  }))
  return composeLetter(orderSubject(`How do you like your order from ${shop}?`, orderNumber), rows[0]?.link ?? '', [
    greetingOf(customerName),
    `Your order from ${shop} arrived a week ago. Your review helps other shoppers choose and helps the shop improve:`,
    {
      text: rows.map(({ label, link }) => `${label}: ${link}`).join('\n'),
      markup: html`<ul>
        ${rows.map(({ label, link }) => html`<li><a href="${link}">${label}</a></li>`)}
      </ul>`,
    },
    'We only ask once. If something is wrong, open your order: you can reach the shop from there.',
    small(`Order ${orderNumber}`),
  ])
}

import { html } from 'hono/html'
import { orderPath, writeReviewPath } from '#contract/page-urls.ts'
import { singleLine } from '../platform/single-line.ts'
import { composeLetter, type LetterContent, linkTo, orderSubject, small } from './compose.ts'
import { greetingOf } from './letters.ts'

interface About {
  customerName: string
  shopName: string
  orderId: string
  orderNumber: string
  /** Nobody has reported the arrival. */
  isArrivalAssumed: boolean
  /** What the customer has not reviewed yet. */
  products: { name: string; slug: string }[]
  publicUrl: string
  /** A page that ends such requests. */
  endLink: string
  /** Ends them by a POST. */
  unsubscribeUrl: string
}

/** The letter that asks a customer to review what a shop has delivered. */
export function reviewLetter(about: About): LetterContent {
  const { customerName, orderId, orderNumber, products, publicUrl, endLink, unsubscribeUrl } = about
  const shop = singleLine(about.shopName)
  const arrival = about.isArrivalAssumed
    ? `We think that your order from ${shop} has arrived by now. If it has, your review`
    : `Your order from ${shop} arrived a week ago. Your review`
  const rows = products.map(({ name, slug }) => ({
    label: `Review ${singleLine(name)}`,
    link: publicUrl + writeReviewPath({ slug }),
  }))
  const subject = orderSubject(`How do you like your order from ${shop}?`, orderNumber)
  const words = composeLetter(subject, rows[0]?.link ?? '', [
    greetingOf(customerName),
    `${arrival} helps other shoppers choose and helps the shop improve:`,
    {
      text: rows.map(({ label, link }) => `${label}: ${link}`).join('\n'),
      markup: html`<ul>
        ${rows.map(({ label, link }) => html`<li><a href="${link}">${label}</a></li>`)}
      </ul>`,
    },
    'We only ask once. If something is missing or wrong, open your order: you can reach the shop from there.',
    linkTo('See your order', publicUrl + orderPath(orderId)),
    small(`Order ${orderNumber}`),
    small(linkTo('Do not ask me for reviews again', endLink)),
  ])
  return { ...words, unsubscribeUrl }
}

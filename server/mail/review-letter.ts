import { html } from 'hono/html'
import { reviewsPath } from '#contract/page-urls.ts'
import { singleLine } from '../platform/single-line.ts'
import { greetingOf, type Words } from './letters.ts'
import { page } from './page.ts'

interface About {
  customerName: string
  shopName: string
  orderNumber: string
  /** What the customer has not reviewed yet. */
  products: { name: string; slug: string }[]
  publicUrl: string
}

/** The letter that asks a customer to review what a shop has delivered. */
export function reviewLetter({ customerName, shopName, orderNumber, products, publicUrl }: About): Words {
  const subject = `How do you like your order from ${singleLine(shopName)}?`
  const greeting = greetingOf(customerName)
  const intro = `Your order from ${singleLine(shopName)} arrived a week ago. Your review helps other shoppers choose and helps the shop improve:`
  const after = 'We only ask once. If something is wrong, open your order: you can reach the shop from there.'
  const rows = products.map(({ name, slug }) => ({ name: singleLine(name), link: publicUrl + reviewsPath({ slug }) }))
  const text = [
    greeting,
    intro,
    rows.map(({ name, link }) => `Review ${name}: ${link}`).join('\n'),
    after,
    `Order ${orderNumber}`,
  ]
  const body = html`<p>${greeting}</p>
    <p>${intro}</p>
    <ul>
      ${rows.map(({ name, link }) => html`<li><a href="${link}">Review ${name}</a></li>`)}
    </ul>
    <p>${after}</p>
    <p style="font-size:14px">Order ${orderNumber}</p>`
  return { subject, text: `${text.join('\n\n')}\n`, html: page(subject, body), link: rows[0]?.link ?? '' }
}

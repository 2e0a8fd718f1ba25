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
  const subject = `How do you like what ${singleLine(shopName)} sent you?`
  const greeting = greetingOf(customerName)
  const intro = `a week ago, your order from ${singleLine(shopName)} arrived. A review helps others to choose, and the shop to get better:`
  const after = 'We ask only once. If something is wrong with it, open the order: the shop helps you there.'
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

import { html } from 'hono/html'
import { singleLine } from '../platform/single-line.ts'
import { dollars } from '../platform/usd.ts'
import { greetingOf, type Words } from './letters.ts'
import { button, page } from './page.ts'

interface About {
  customerName: string
  goods: string
  shopName: string
  priceCents: number
  /** Null if the letter is about goods that are back. */
  belowCents: number | null
  link: string
  /** Ends all alerts of the customer. */
  endLink: string
}

/** The letter that an alert came true. */
export function alertLetter({ customerName, shopName, priceCents, belowCents, link, endLink, ...about }: About): Words {
  const goods = singleLine(about.goods)
  const subject = belowCents === null ? `Back in stock: ${goods}` : `Now ${dollars(priceCents)}: ${goods}`
  const intro =
    belowCents === null
      ? `${goods} from ${singleLine(shopName)} is back in stock for ${dollars(priceCents)}.`
      : `${goods} from ${singleLine(shopName)} now costs ${dollars(priceCents)}, less than the ${dollars(belowCents)} you asked for.`
  const after = 'You asked for one message about this, so this alert has now ended.'
  const end = 'End all my alerts'
  const greeting = greetingOf(customerName)
  const label = 'See the product'
  const text = [greeting, intro, `${label}: ${link}`, after, `${end}: ${endLink}`].join('\n\n')
  const body = html`<p>${greeting}</p>
    <p>${intro}</p>
    ${button(label, link)}
    <p>${after}</p>
    <p style="font-size:14px"><a href="${endLink}">${end}</a></p>`
  return { subject, text: `${text}\n`, html: page(subject, body), link }
}

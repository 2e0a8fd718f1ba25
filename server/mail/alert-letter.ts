import { singleLine } from '../platform/single-line.ts'
import { dollars } from '../platform/usd.ts'
import { button, composeLetter, type LetterContent, linkTo, small } from './compose.ts'
import { greetingOf } from './letters.ts'

interface About {
  customerName: string
  goods: string
  shopName: string
  priceCents: number
  /** Null if the letter is about goods that are back. */
  belowCents: number | null
  link: string
  /** A page that ends all alerts of the customer. */
  endLink: string
  /** Ends them by a POST. */
  unsubscribeUrl: string
}

/** The letter that tells a customer that the condition of an alert is met. */
export function alertLetter({
  customerName,
  shopName,
  priceCents,
  belowCents,
  link,
  endLink,
  ...about
}: About): LetterContent {
  const { unsubscribeUrl } = about
  const goods = singleLine(about.goods)
  const subject = belowCents === null ? `Back in stock: ${goods}` : `Now ${dollars(priceCents)}: ${goods}`
  const intro =
    belowCents === null
      ? `${goods} from ${singleLine(shopName)} is back in stock for ${dollars(priceCents)}.`
      : `${goods} from ${singleLine(shopName)} now costs ${dollars(priceCents)}, less than the ${dollars(belowCents)} you asked for.`
  const words = composeLetter(subject, link, [
    greetingOf(customerName),
    intro,
    button('See the product', link),
    'You asked for one message about this, so this alert has now ended.',
    small(linkTo('End all my alerts', endLink)),
  ])
  return { ...words, unsubscribeUrl }
}

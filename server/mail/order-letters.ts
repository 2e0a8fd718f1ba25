import { html } from 'hono/html'
import { addressLines } from '#contract/address-lines.ts'
import { trackingUrl } from '#contract/parcels.ts'
import { orderPath, paymentPath } from '#contract/page-urls.ts'
import { HOLD_MINUTES, LATE_PAYMENT, REFUND_TIME } from '#contract/rules.ts'
import { nameWithoutSku } from '#contract/variants.ts'
import type { OrderMail } from '../platform/job-data.ts'
import type { orderLines, orders, OrderSnapshot, parcels, sellerOrders } from '../db/schema.ts'
import { singleLine } from '../platform/single-line.ts'
import { sumBy } from '../platform/sum.ts'
import { amountIn, dollars } from '../platform/usd.ts'
import {
  type Block,
  button,
  composeLetter,
  type LetterContent,
  lineBlock,
  linkTo,
  orderSubject,
  small,
} from './compose.ts'
import { arrivalDates, writeDate } from './dates.ts'
import { greetingOf, NEEDS_NO_LOGIN } from './letters.ts'

/** Kinds of letters about an order. */
export type OrderMailKind = OrderMail['kind']

export type Order = Pick<
  typeof orders.$inferSelect,
  'id' | 'number' | 'priceCents' | 'shippingCents' | 'destination' | 'cancelledBy' | 'paymentStatus' | 'paidAt'
>
type Line = Pick<typeof orderLines.$inferSelect, 'quantity' | 'unitCents' | 'shippingCents' | 'snapshot'>
export type LetterPart = Pick<typeof sellerOrders.$inferSelect, 'shopName' | 'priceCents' | 'deliveryDays'> & {
  lines: Line[]
  /** What was refunded of the shipping; the lines' shipping if absent. */
  shippingCents?: number
  /** The parcel that holds `lines`; `isAll`: nothing else of the part comes in another one. */
  parcel?: Pick<typeof parcels.$inferSelect, 'carrier' | 'trackingNumber' | 'expectedAt'> & { isAll: boolean }
}

interface About {
  kind: OrderMailKind
  /** The customer's own text, like `order.destination`: only for a confirmed address. */
  customerName?: string | undefined
  order: Order & { isRefunded: boolean }
  /** The parts of the sellers that the letter is about. */
  parts: LetterPart[]
  /** Other shops send products of the order, too. */
  hasOtherShops: boolean
  /** The shop of a late parcel was removed, and has no chat. */
  isShopRemoved: boolean
  /** The refunded amount. */
  amountCents: number
  /** The refunded payment is not the one that has paid the order. */
  isOtherPayment: boolean
  currency: string
  publicUrl: string
  /** The page that shows the order's progress without a login. */
  trackingPath: string
}

interface Wording {
  subject: string
  intro: string
  /** Text below the list; may be empty. */
  after: string
  /** Without a button of its own, the letter has one for the order's progress. */
  button?: string
  path?: string
}

/** The letter about a change of an order, with a section for each seller. */
export function orderLetter(about: About): LetterContent {
  const { kind, customerName, order, parts, amountCents, publicUrl } = about
  const { subject, intro, after, button: label = 'See your order', path } = WORDS[kind](about)
  const isFollowable = kind === 'shipped' && parts.some(carrierUrl)
  const isAboutParcel = kind === 'shipped' || kind === 'late'
  // A partial refund lists only what it is for.
  const hasSums = !isAboutParcel && (kind !== 'refunded' || amountCents === order.priceCents)
  const trackingLink = publicUrl + about.trackingPath
  const link = path ? publicUrl + path : trackingLink
  return composeLetter(orderSubject(subject, order.number), link, [
    greetingOf(customerName),
    intro,
    ...parts.map(part => sectionOf(part, nameWithoutSku, kind === 'paid' ? arrivalOf(order, part) : [])),
    ...(isAboutParcel ? parts.flatMap(part => trackingOf(part, kind === 'late')) : []),
    ...(hasSums ? [sumsOf(order)] : []),
    ...(isAboutParcel || kind === 'received' ? addressBlocks(order) : []),
    isFollowable ? linkTo(label, link) : button(label, link),
    path ? linkTo('Track your order', trackingLink) : NEEDS_NO_LOGIN,
    ...(after ? [after] : []),
    small(`Order ${order.number}`),
  ])
}

const WORDS: Record<OrderMailKind, (about: About) => Wording> = {
  received: ({ order }) => ({
    subject: 'We have received your order',
    ...(isFree(order) ? FREE : toPay(order)),
  }),

  paid: ({ order }) => ({
    subject: 'Your order is paid',
    intro: isFree(order)
      ? 'The shops are preparing your order. There is nothing to pay.'
      : `We have received your payment of ${dollars(order.priceCents)}. The shops are preparing your order.`,
    after: 'We will email you when something is on its way.',
  }),

  shipped: ({ parts, hasOtherShops }) => {
    const shops = parts.map(({ shopName }) => shopName).join(', ')
    const isAll = parts.every(({ parcel }) => parcel?.isAll !== false)
    return {
      subject: `${shops} has shipped ${isAll ? '' : 'part of '}your order`,
      intro: `${shops} has shipped ${isAll ? 'what' : 'part of what'} you ordered:`,
      after: hasOtherShops ? 'Products from other shops come in separate parcels.' : '',
    }
  },

  late: ({ order, parts, isShopRemoved }) => {
    const shops = parts.map(({ shopName }) => shopName).join(', ')
    const whomToAsk = isShopRemoved
      ? `reply to this email: ${shops} no longer sells here.`
      : 'you can ask the shop about it there.'
    return {
      subject: `Your parcel from ${shops} is late`,
      intro: `As far as we know, this parcel from ${shops} has not arrived yet:`,
      after: `If you have it, choose “I have received it” on your order’s page. If not, ${whomToAsk}`,
      path: orderPath(order.id),
    }
  },

  cancelled: ({ order }) => ({
    subject: 'Your order is cancelled',
    intro: `Your order of ${dollars(order.priceCents)} is cancelled${reasonOf(order)}.`,
    after: backOf(order),
  }),

  refunded: ({ isOtherPayment, amountCents, currency }) => ({
    subject: isOtherPayment ? 'We have refunded one of your payments' : 'We have refunded your payment',
    intro: isOtherPayment
      ? `We have refunded ${amountIn(currency, amountCents)}. Your order stays paid by another payment.`
      : `We have refunded ${amountIn(currency, amountCents)} for this order.`,
    after: REFUND_TIME,
  }),
}

/** Words for an order that costs nothing: it counts as paid from the start. */
const FREE = {
  intro: 'Thank you for your order. There is nothing to pay.',
  after: 'We will email you when something is on its way.',
}

function toPay({ id, priceCents }: Order): Omit<Wording, 'subject'> {
  return {
    intro: `Thank you for your order. The total is ${dollars(priceCents)} including shipping. We will hold it for you for ${HOLD_MINUTES} minutes.`,
    button: 'Pay now',
    path: paymentPath(id),
    after: 'If you have already paid, there is nothing else to do: we will email you when the payment arrives.',
  }
}

function backOf(order: About['order']): string {
  if (isFree(order)) return 'Nothing was charged.'
  if (order.paymentStatus === 'refunded') return 'Your payment is refunded already.'
  if (order.isRefunded) return 'We are refunding your payment and will email you when it is on its way.'
  if (order.cancelledBy === 'time') return LATE_PAYMENT
  return order.paymentStatus === 'processing'
    ? 'If your payment still arrives, we will refund it.'
    : 'Your order was not paid. If a payment still arrives, we will refund it.'
}

function isFree({ priceCents }: Order): boolean {
  return priceCents === 0
}

function reasonOf({ cancelledBy }: Order): string {
  if (cancelledBy === 'time') return ', because it was not paid in time'
  return cancelledBy === 'operator' ? ' by the marketplace' : ', as you asked'
}

type Row = [what: string, amount: string]

/** When the shop promised that its part arrives. */
function arrivalOf({ paidAt }: Order, { deliveryDays }: LetterPart): Row[] {
  return paidAt && deliveryDays ? [['Arrives', arrivalDates(paidAt, deliveryDays)]] : []
}

function carrierUrl({ parcel }: LetterPart): string | undefined {
  return parcel && trackingUrl(parcel.carrier, parcel.trackingNumber)
}

/** When a part's parcel should arrive, and how to follow it: by a button while it is not late. */
function trackingOf(part: LetterPart, isLate: boolean): (string | Block)[] {
  const { parcel } = part
  if (!parcel) return []
  const { carrier, trackingNumber, expectedAt } = parcel
  const expected = `It should ${isLate ? 'have arrived' : 'arrive'} by ${writeDate(expectedAt)}.`
  if (!(carrier || trackingNumber)) return [expected]
  const url = carrierUrl(part)
  const writeLink = isLate ? linkTo : button
  const carriage = [carrier && `Sent with ${carrier}`, trackingNumber && `tracking number ${trackingNumber}`]
  return [
    expected,
    singleLine(carriage.filter(Boolean).join(', ')),
    ...(url ? [writeLink('Follow the parcel', url)] : []),
  ]
}

/**
 * Without sums if `lines` are not the whole part, because others are in another parcel or cancelled. `nameOf` names
 * products with their SKU for shops, and without it for customers.
 */
export function sectionOf(
  { shopName, lines, priceCents, shippingCents = sumBy(lines, line => line.shippingCents) }: LetterPart,
  nameOf: (snapshot: OrderSnapshot) => string,
  more: Row[] = [],
): Block {
  const itemsCents = sumBy(lines, ({ quantity, unitCents }) => quantity * unitCents)
  const isWhole = itemsCents + shippingCents === priceCents
  const sums: Row[] = [
    ['Shipping', dollars(shippingCents)],
    ['Shop total', dollars(priceCents)],
  ]
  const rows = lines.map(({ quantity, unitCents, snapshot }): Row => [
    `${quantity} × ${singleLine(snapshot ? nameOf(snapshot) : 'product')}`,
    dollars(quantity * unitCents),
  ])
  const title = singleLine(shopName)
  const { text, markup } = tableOf([...rows, ...(isWhole ? sums : []), ...more])
  return {
    text: `${title}\n${text}`,
    markup: html`<h2 style="margin:24px 0 4px;font-size:16px">${title}</h2>
      ${markup}`,
  }
}

function sumsOf({ priceCents, shippingCents }: Order): Block {
  const { text, markup } = tableOf(
    [
      ['Items', dollars(priceCents - shippingCents)],
      ['Shipping', dollars(shippingCents)],
      ['Total', dollars(priceCents)],
    ],
    { isLastBold: true },
  )
  return {
    text,
    markup: html`<hr style="margin:16px 0;border:0;border-top:1px solid #8888" />
      ${markup}`,
  }
}

/** Each field on one line: a customer must not be able to add lines to the shop's letter. */
export function addressBlocks({ destination }: Pick<Order, 'destination'>): Block[] {
  if (!destination) return []
  return [lineBlock(['Deliver to:', ...[destination.name, ...addressLines(destination)].map(singleLine)])]
}

function tableOf(rows: Row[], { isLastBold = false } = {}): Block {
  return {
    text: rows.map(([what, amount]) => `${what}: ${amount}`).join('\n'),
    markup: html`<table role="presentation" style="width:100%;border-collapse:collapse">
      ${rows.map(
        ([what, amount], at) =>
          html`<tr style="vertical-align:top${isLastBold && at === rows.length - 1 ? ';font-weight:700' : ''}">
            <td style="padding:2px 0">${what}</td>
            <td style="padding:2px 0 2px 16px;text-align:right;white-space:nowrap">${amount}</td>
          </tr>`,
      )}
    </table>`,
  }
}

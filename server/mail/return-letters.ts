import { html } from 'hono/html'
import { orderPath, shopPath } from '#contract/page-urls.ts'
import { type Return, RETURN_REASONS, type ReturnStatus } from '#contract/returns.ts'
import { singleLine } from '../platform/single-line.ts'
import { dayInWords } from './account-letters.ts'
import { greetingOf, type Words } from './letters.ts'
import { button, page } from './page.ts'

type Given = Pick<
  Return,
  'id' | 'shopName' | 'kind' | 'status' | 'reason' | 'words' | 'answer' | 'tracking' | 'dueAt' | 'lines'
>

interface About {
  given: Given
  orderNumber: string
  publicUrl: string
}

interface Text {
  subject: string
  intro: string
  /** Paragraphs below the list. */
  after: string[]
}

type Kind = Return['kind']
type Texts = Partial<Record<`${Kind} ${ReturnStatus}`, (given: Given) => Text>>

/**
 * The letter to a shop about a cancellation or return that has come to a status; null for statuses that the shop need
 * not know. Pass `words` and `tracking`, the customer's own text, only of a confirmed customer.
 */
export function returnShopLetter({ given, orderNumber, publicUrl, sellerId }: About & { sellerId: string }) {
  const text = FOR_SHOPS[`${given.kind} ${given.status}`]?.(given)
  const link = publicUrl + shopPath({ shopName: given.shopName, sellerId })
  return text ? write({ greeting: greetingOf(given.shopName), ...text, given, orderNumber, link }) : null
}

/**
 * The letter to the customer about a step that the shop or the marketplace has taken; null for other statuses. Pass
 * `customerName`, the customer's own text, only for a confirmed address.
 */
export function returnCustomerLetter({
  given,
  orderNumber,
  publicUrl,
  orderId,
  customerName,
}: About & { orderId: string; customerName?: string | undefined }): Words | null {
  const text = FOR_CUSTOMERS[`${given.kind} ${given.status}`]?.(given)
  const link = publicUrl + orderPath(orderId)
  const greeting = greetingOf(customerName)
  return text ? write({ greeting, ...text, given, orderNumber, link, label: 'See your order' }) : null
}

const FOR_SHOPS: Texts = {
  'cancellation requested': given => ({
    subject: 'A customer asks to cancel',
    intro: 'a customer asks you to cancel a part of an order that you have packed:',
    after: [
      ...reasonsOf(given),
      `Please reply ${by(given)}. If you agree, the money goes back to the customer and you send nothing of it.`,
      ...howToReply(given),
    ],
  }),

  'return requested': given => ({
    subject: 'A customer asks for a return',
    intro: 'a customer wants to send this back to you:',
    after: [...reasonsOf(given), `Please reply ${by(given)}.`, ...howToReply(given)],
  }),

  'cancellation received': given => ({
    subject: 'Do not pack: units are cancelled',
    intro: 'this is cancelled. Please do not pack or send it:',
    after: [...reasonsOf(given), 'The customer gets the money back. Anything else of the order is still to be sent.'],
  }),

  'return sent_back': given => ({
    subject: 'A return is coming back to you',
    intro: 'a customer has sent this back to you:',
    after: [
      ...(given.tracking ? [`Tracking number: ${singleLine(given.tracking)}`] : []),
      `Once it has arrived, please tell the marketplace ${by(given)}, or use “return received ${given.id}”: then the money goes back to the customer. With “--restock” the units are for sale again.`,
      'If you say nothing by then, the customer can ask the marketplace to decide.',
    ],
  }),
}

const FOR_CUSTOMERS: Texts = {
  'return approved': given => ({
    subject: 'Your return is approved',
    intro: 'you can send this back now:',
    after: [
      `Please send it to ${singleLine(given.shopName)} ${by(given)}. Pack it well and keep the receipt; if you do not know where to send it, ask the shop in the chat.`,
      'Then choose “I have sent it back” on the order’s page, with the tracking number if you have one. Your money goes back to you when it has arrived.',
    ],
  }),

  'return declined': declined,
  'cancellation declined': declined,
  'return refused': refused,
  'cancellation refused': refused,
  'return received': given => ({
    subject: 'Your return has arrived',
    intro: `${singleLine(given.shopName)} has received what you sent back:`,
    after: [NOTHING_BACK],
  }),
  'cancellation received': given => ({
    subject: 'Your cancellation is done',
    intro: `${singleLine(given.shopName)} does not send what you cancelled:`,
    after: [NOTHING_BACK],
  }),
}

/** Whether there is a letter about a status for the shop or for the customer. */
export function isMailed(to: 'shop' | 'customer', { kind, status }: { kind: Kind; status: ReturnStatus }): boolean {
  return `${kind} ${status}` in (to === 'shop' ? FOR_SHOPS : FOR_CUSTOMERS)
}

/** For free orders, and for those that were refunded before. */
const NOTHING_BACK = 'Nothing is left to be paid back for it.'

function declined(given: Given): Text {
  return {
    subject: `${singleLine(given.shopName)} declined your ${given.kind}`,
    intro: `${singleLine(given.shopName)} does not agree to your ${given.kind} of this:`,
    after: [
      `“${singleLine(given.answer)}”`,
      'If you disagree, choose “Bring it to us” on the order’s page. Then the marketplace looks at it and decides.',
    ],
  }
}

function refused(given: Given): Text {
  return {
    subject: `We have declined your ${given.kind}`,
    intro: `we have looked at your ${given.kind} of this, and declined it:`,
    after: [`“${singleLine(given.answer)}”`],
  }
}

function reasonsOf({ reason, words }: Given): string[] {
  return [`Reason: ${RETURN_REASONS[reason]}`, ...(words ? [`The customer’s words: “${singleLine(words)}”`] : [])]
}

function howToReply({ id, kind }: Given): string[] {
  return [
    `Tell the marketplace, or use its commands: “return list” shows what waits for you, “return approve ${id}” agrees, and “return decline ${id} --because '…'” declines.`,
    `If you do not reply by then, the customer can ask the marketplace to decide about the ${kind}.`,
  ]
}

function by({ dueAt }: Given): string {
  return dueAt ? `by ${dayInWords(dueAt)}` : 'soon'
}

interface Parts extends Text {
  greeting: string
  given: Given
  orderNumber: string
  link: string
  /** The link's text; without it the letter does not show the link. */
  label?: string
}

function write({ subject, greeting, intro, given, orderNumber, after, link, label }: Parts): Words {
  const goods = given.lines.map(({ name, quantity }) => `${quantity} × ${singleLine(name)}`)
  const text = [
    greeting,
    intro,
    goods.join('\n'),
    ...after,
    ...(label ? [`${label}: ${link}`] : []),
    `Order ${orderNumber}`,
  ]
  const body = html`<p>${greeting}</p>
    <p>${intro}</p>
    <ul>
      ${goods.map(each => html`<li>${each}</li>`)}
    </ul>
    ${after.map(paragraph => html`<p>${paragraph}</p>`)} ${label ? button(label, link) : ''}
    <p style="font-size:14px">Order ${orderNumber}</p>`
  return { subject, text: `${text.join('\n\n')}\n`, html: page(subject, body), link }
}

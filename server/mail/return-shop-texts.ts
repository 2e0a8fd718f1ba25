import { singleLine } from '../platform/single-line.ts'
import { by, type ReturnDetails, quote, reasonsOf, type Text, type Texts } from './return-text.ts'

/** The texts for shops. */
export const SHOP_TEXTS: Texts = {
  cancellation: {
    // The shop does these.
    approved: null,
    declined: null,
    lapsed: null,
    // Only returns have these.
    sent_back: null,
    unconfirmed: null,
    unanswered,
    escalated,

    requested: details => ({
      subject: 'A customer asked to cancel',
      intro: 'A customer has asked you to cancel part of an order that you have already packed or partly sent:',
      after: [
        ...reasonsOf(details),
        `Please reply ${by(details)}. If you agree, the customer gets back what was paid for these products, and you do not send them.`,
        howToReply(details),
        inTime(details),
      ],
    }),

    received: details => ({
      subject: 'Do not pack: products were cancelled',
      intro: 'This has been cancelled. Please do not pack or send it:',
      after: [
        ...reasonsOf(details),
        [
          ...(details.isPaidBack ? ['The customer is refunded.'] : []),
          unlessNothingToSend(details, 'Please send the rest of the order as usual.'),
        ].join(' '),
      ],
    }),

    refunded: details => ({
      subject: 'A cancellation is complete',
      intro: details.isPaidBack
        ? 'This has been cancelled and the customer has been refunded:'
        : 'This has been cancelled, and there was nothing left to refund:',
      after: [NOTHING_TO_DO],
    }),

    refused: details => ({
      subject: 'The marketplace declined a cancellation',
      intro: 'The marketplace has decided not to cancel this:',
      after: [quote(details), unlessNothingToSend(details, 'If you have not sent it yet, please send it now.')],
    }),

    withdrawn: details => ({
      subject: 'A cancellation was withdrawn',
      intro: 'The customer wants this after all:',
      after: [unlessNothingToSend(details, 'Please send it as ordered.')],
    }),

    closed: () => ({
      subject: 'A cancellation has ended',
      intro: 'The whole order has been refunded, so there is nothing left to decide about this:',
      after: ['Please do not send anything else from this order.'],
    }),
  },

  return: {
    // The shop does this.
    declined: null,
    unanswered,
    escalated,

    requested: details => ({
      subject: 'A customer requested a return',
      intro: 'A customer wants to send this back to you:',
      after: [...reasonsOf(details), `Please reply ${by(details)}.`, howToReply(details), inTime(details)],
    }),

    approved: details => ({
      subject: 'The marketplace approved a return',
      intro: 'The marketplace has decided that the customer may send this back to you:',
      after: [`The customer will send it ${by(details)}.`, onArrival(details)],
    }),

    sent_back: details => ({
      subject: 'A return is coming back to you',
      intro: 'A customer has sent this back to you:',
      after: [
        ...trackingOf(details),
        onArrival(details),
        `If you do not reply ${by(details)}, the customer can ask the marketplace to decide.`,
      ],
    }),

    unconfirmed: details => ({
      subject: 'Has this return arrived?',
      intro: 'A customer has sent this back to you, but you have not confirmed that it arrived:',
      after: [...trackingOf(details), onArrival(details), 'The customer can ask the marketplace to decide now.'],
    }),

    received: details => ({
      subject: 'The marketplace decided on a return',
      intro: details.isPaidBack
        ? 'The marketplace has decided to refund the customer for this:'
        : 'The marketplace has decided in the customer’s favour, and there is nothing left to refund for this:',
      after: [NOTHING_TO_DO],
    }),

    refunded: details => ({
      subject: 'A return is complete',
      intro: details.isPaidBack
        ? 'The customer has been refunded for this return:'
        : 'This return is complete, and there was nothing left to refund:',
      after: [NOTHING_TO_DO],
    }),

    refused: details => ({
      subject: 'The marketplace declined a return',
      intro: details.isSentBack
        ? 'The marketplace has decided that the customer gets no refund for this:'
        : 'The marketplace has decided that the customer keeps this:',
      after: [quote(details), NOTHING_TO_DO],
    }),

    lapsed: () => ({
      subject: 'A return has ended',
      intro: 'The customer did not send this back in time and keeps it:',
      after: [NOTHING_TO_DO],
    }),

    withdrawn: () => ({
      subject: 'A return was withdrawn',
      intro: 'The customer keeps this after all:',
      after: [NOTHING_TO_DO],
    }),

    closed: () => ({
      subject: 'A return has ended',
      intro: 'The whole order has been refunded, so there is nothing left to decide about this:',
      after: [NOTHING_TO_DO],
    }),
  },
}

const NOTHING_TO_DO = 'There is nothing else for you to do.'

function unanswered(details: ReturnDetails): Text {
  return {
    subject: `A ${details.kind} is waiting for your reply`,
    intro: `You have not replied to this ${details.kind}:`,
    after: [
      ...reasonsOf(details),
      'The customer can ask the marketplace to decide now. Until then, you can still reply.',
      howToReply(details),
    ],
  }
}

function escalated(details: ReturnDetails): Text {
  return {
    subject: `The marketplace will decide on a ${details.kind}`,
    intro: `The customer has asked the marketplace to decide on this ${details.kind}:`,
    after: [...reasonsOf(details), 'We will email you when it has decided. There is nothing for you to do until then.'],
  }
}

function unlessNothingToSend({ hasNothingToSend }: ReturnDetails, request: string): string {
  return hasNothingToSend ? 'There is nothing left to send.' : request
}

function howToReply({ id }: ReturnDetails): string {
  return `Tell the marketplace, or use its commands: “return list” shows what is waiting for you, “return approve ${id}” agrees, and “return decline ${id} --because '…'” declines.`
}

function inTime({ kind }: ReturnDetails): string {
  return `If you do not reply by then, the customer can ask the marketplace to decide on the ${kind}.`
}

function onArrival({ id }: ReturnDetails): string {
  return `Once it has arrived, please tell the marketplace, or use “return received ${id}”: the customer then gets back what was paid for it. Add “--restock” to put the units back on sale.`
}

function trackingOf({ tracking }: ReturnDetails): string[] {
  return tracking ? [`Tracking number: ${singleLine(tracking)}`] : []
}

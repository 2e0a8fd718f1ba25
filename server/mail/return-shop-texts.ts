import { singleLine } from '../platform/single-line.ts'
import { by, type Given, quote, reasonsOf, type Text, type Texts } from './return-text.ts'

/** The texts for shops. */
export const SHOP_TEXTS: Texts = {
  cancellation: {
    // The shop does these.
    approved: null,
    declined: null,
    // Only returns have these.
    sent_back: null,
    unconfirmed: null,
    lapsed: null,
    unanswered,
    escalated,

    requested: given => ({
      subject: 'A customer asked to cancel',
      intro: 'A customer has asked you to cancel part of an order that you have already packed:',
      after: [
        ...reasonsOf(given),
        `Please reply ${by(given)}. If you agree, the customer gets back what was paid for these products, and you do not send them.`,
        howToReply(given),
        inTime(given),
      ],
    }),

    received: given => ({
      subject: 'Do not pack: products were cancelled',
      intro: 'This has been cancelled. Please do not pack or send it:',
      after: [
        ...reasonsOf(given),
        `${given.isPaidBack ? 'The customer is refunded. ' : ''}Please send the rest of the order as usual.`,
      ],
    }),

    refunded: given => ({
      subject: 'A cancellation is complete',
      intro: given.isPaidBack
        ? 'This has been cancelled and the customer has been refunded:'
        : 'This has been cancelled, and there was nothing left to refund:',
      after: [NOTHING_TO_DO],
    }),

    refused: given => ({
      subject: 'The marketplace declined a cancellation',
      intro: 'The marketplace has decided not to cancel this:',
      after: [quote(given), 'If you have not sent it yet, please send it now.'],
    }),

    withdrawn: () => ({
      subject: 'A cancellation was withdrawn',
      intro: 'The customer wants this after all:',
      after: ['Please send it as ordered.'],
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

    requested: given => ({
      subject: 'A customer requested a return',
      intro: 'A customer wants to send this back to you:',
      after: [...reasonsOf(given), `Please reply ${by(given)}.`, howToReply(given), inTime(given)],
    }),

    approved: given => ({
      subject: 'The marketplace approved a return',
      intro: 'The marketplace has decided that the customer may send this back to you:',
      after: [`The customer will send it ${by(given)}.`, onArrival(given)],
    }),

    sent_back: given => ({
      subject: 'A return is coming back to you',
      intro: 'A customer has sent this back to you:',
      after: [
        ...trackingOf(given),
        onArrival(given),
        `If you do not reply ${by(given)}, the customer can ask the marketplace to decide.`,
      ],
    }),

    unconfirmed: given => ({
      subject: 'Has this return arrived?',
      intro: 'A customer has sent this back to you, but you have not confirmed that it arrived:',
      after: [...trackingOf(given), onArrival(given), 'The customer can ask the marketplace to decide now.'],
    }),

    received: given => ({
      subject: 'The marketplace decided on a return',
      intro: given.isPaidBack
        ? 'The marketplace has decided to refund the customer for this:'
        : 'The marketplace has decided in the customer’s favour, and there is nothing left to refund for this:',
      after: [NOTHING_TO_DO],
    }),

    refunded: given => ({
      subject: 'A return is complete',
      intro: given.isPaidBack
        ? 'The customer has been refunded for this return:'
        : 'This return is complete, and there was nothing left to refund:',
      after: [NOTHING_TO_DO],
    }),

    refused: given => ({
      subject: 'The marketplace declined a return',
      intro: given.isSentBack
        ? 'The marketplace has decided that the customer gets no refund for this:'
        : 'The marketplace has decided that the customer keeps this:',
      after: [quote(given), NOTHING_TO_DO],
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

function unanswered(given: Given): Text {
  return {
    subject: `A ${given.kind} is waiting for your reply`,
    intro: `You have not replied to this ${given.kind}:`,
    after: [
      ...reasonsOf(given),
      'The customer can ask the marketplace to decide now. Until then, you can still reply.',
      howToReply(given),
    ],
  }
}

function escalated(given: Given): Text {
  return {
    subject: `The marketplace will decide on a ${given.kind}`,
    intro: `The customer has asked the marketplace to decide on this ${given.kind}:`,
    after: [...reasonsOf(given), 'We will email you when it has decided. There is nothing for you to do until then.'],
  }
}

function howToReply({ id }: Given): string {
  return `Tell the marketplace, or use its commands: “return list” shows what is waiting for you, “return approve ${id}” agrees, and “return decline ${id} --because '…'” declines.`
}

function inTime({ kind }: Given): string {
  return `If you do not reply by then, the customer can ask the marketplace to decide on the ${kind}.`
}

function onArrival({ id }: Given): string {
  return `Once it has arrived, please tell the marketplace, or use “return received ${id}”: the customer then gets back what was paid for it. Add “--restock” to put the units back on sale.`
}

function trackingOf({ tracking }: Given): string[] {
  return tracking ? [`Tracking number: ${singleLine(tracking)}`] : []
}

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
      subject: 'A customer asks to cancel',
      intro: 'a customer asks you to cancel a part of an order that you have packed:',
      after: [
        ...reasonsOf(given),
        `Please reply ${by(given)}. If you agree, the money goes back to the customer and you send nothing of it.`,
        howToReply(given),
        inTime(given),
      ],
    }),

    received: given => ({
      subject: 'Do not pack: units are cancelled',
      intro: 'this is cancelled. Please do not pack or send it:',
      after: [...reasonsOf(given), 'The customer gets the money back. Anything else of the order is still to be sent.'],
    }),

    refunded: () => ({
      subject: 'A cancellation is complete',
      intro: 'this is cancelled, and the money for it has gone back to the customer:',
      after: [NOTHING_TO_DO],
    }),

    refused: given => ({
      subject: 'The marketplace declined a cancellation',
      intro: 'the marketplace has looked at this, and it is not cancelled:',
      after: [quote(given), 'If you have not sent it yet, please send it now.'],
    }),

    withdrawn: () => ({
      subject: 'A cancellation was withdrawn',
      intro: 'the customer wants this after all:',
      after: ['Please send it as it was ordered.'],
    }),

    closed: () => ({
      subject: 'A cancellation has ended',
      intro: 'the whole order is refunded, so there is nothing left to decide about this:',
      after: ['Please send nothing more of this order.'],
    }),
  },

  return: {
    // The shop does this.
    declined: null,
    unanswered,
    escalated,

    requested: given => ({
      subject: 'A customer asks for a return',
      intro: 'a customer wants to send this back to you:',
      after: [...reasonsOf(given), `Please reply ${by(given)}.`, howToReply(given), inTime(given)],
    }),

    approved: given => ({
      subject: 'The marketplace approved a return',
      intro: 'the marketplace has decided that the customer may send this back to you:',
      after: [`The customer sends it ${by(given)}.`, onArrival(given)],
    }),

    sent_back: given => ({
      subject: 'A return is coming back to you',
      intro: 'a customer has sent this back to you:',
      after: [
        ...trackingOf(given),
        onArrival(given),
        `If you say nothing ${by(given)}, the customer can ask the marketplace to decide.`,
      ],
    }),

    unconfirmed: given => ({
      subject: 'Has this return arrived?',
      intro: 'a customer has sent this back to you, and you have not confirmed that it arrived:',
      after: [...trackingOf(given), onArrival(given), 'The customer can ask the marketplace to decide now.'],
    }),

    received: () => ({
      subject: 'The marketplace refunds a return',
      intro: 'the marketplace has decided that the customer gets the money back for this:',
      after: [NOTHING_TO_DO],
    }),

    refunded: () => ({
      subject: 'A return is complete',
      intro: 'the money for this return has gone back to the customer:',
      after: [NOTHING_TO_DO],
    }),

    refused: given => ({
      subject: 'The marketplace declined a return',
      intro: 'the marketplace has looked at this, and the customer keeps it:',
      after: [quote(given), NOTHING_TO_DO],
    }),

    lapsed: () => ({
      subject: 'A return has ended',
      intro: 'the customer has not sent this back in time, and keeps it:',
      after: [NOTHING_TO_DO],
    }),

    withdrawn: () => ({
      subject: 'A return was withdrawn',
      intro: 'the customer keeps this after all:',
      after: [NOTHING_TO_DO],
    }),

    closed: () => ({
      subject: 'A return has ended',
      intro: 'the whole order is refunded, so there is nothing left to decide about this:',
      after: [NOTHING_TO_DO],
    }),
  },
}

const NOTHING_TO_DO = 'There is nothing left for you to do.'

function unanswered(given: Given): Text {
  return {
    subject: `A ${given.kind} still waits for your reply`,
    intro: `you have not replied to this ${given.kind}:`,
    after: [
      ...reasonsOf(given),
      'The customer can ask the marketplace to decide now. Until then, you can still reply.',
      howToReply(given),
    ],
  }
}

function escalated(given: Given): Text {
  return {
    subject: `The marketplace decides about a ${given.kind}`,
    intro: `the customer has asked the marketplace to decide about this ${given.kind}:`,
    after: [...reasonsOf(given), 'We write again when it has decided. Until then, there is nothing for you to do.'],
  }
}

function howToReply({ id }: Given): string {
  return `Tell the marketplace, or use its commands: “return list” shows what waits for you, “return approve ${id}” agrees, and “return decline ${id} --because '…'” declines.`
}

function inTime({ kind }: Given): string {
  return `If you do not reply by then, the customer can ask the marketplace to decide about the ${kind}.`
}

function onArrival({ id }: Given): string {
  return `Once it has arrived, please tell the marketplace, or use “return received ${id}”: then the money goes back to the customer. With “--restock” the units are for sale again.`
}

function trackingOf({ tracking }: Given): string[] {
  return tracking ? [`Tracking number: ${singleLine(tracking)}`] : []
}

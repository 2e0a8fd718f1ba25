import { RETURN_ANSWER_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'
import { singleLine } from '../platform/single-line.ts'
import { by, type Given, quote, type Text, type Texts } from './return-text.ts'

/** The texts for customers. */
export const CUSTOMER_TEXTS: Texts = {
  cancellation: {
    // The customer does these.
    requested: null,
    escalated: null,
    withdrawn: null,
    // Only returns have these.
    approved: null,
    sent_back: null,
    unconfirmed: null,
    lapsed: null,
    // There is a letter about the refund itself.
    refunded: null,
    unanswered,
    declined,
    refused,

    received: given => ({
      subject: 'Your cancellation is done',
      intro: `${singleLine(given.shopName)} does not send what you cancelled:`,
      after: [NOTHING_BACK],
    }),

    closed: () => ({
      subject: 'Your cancellation has ended',
      intro: 'the whole order is refunded, so there is nothing left to decide about this:',
      after: [],
    }),
  },

  return: {
    // The customer does these.
    requested: null,
    escalated: null,
    sent_back: null,
    withdrawn: null,
    // There is a letter about the refund itself.
    refunded: null,
    unanswered,
    declined,
    refused,

    approved: given => ({
      subject: 'Your return is approved',
      intro: 'you can send this back now:',
      after: [
        `Please send it to ${singleLine(given.shopName)} ${by(given)}. Pack it well and keep the receipt; if you do not know where to send it, ask the shop in the chat.`,
        'Then choose “I have sent it back” on the order’s page, with the tracking number if you have one. Your money goes back to you when it has arrived.',
      ],
    }),

    unconfirmed: given => ({
      subject: 'Has your return arrived?',
      intro: `${singleLine(given.shopName)} has not confirmed within ${RETURN_SEND_DAYS} days that this has arrived:`,
      after: [BRING_IT_TO_US],
    }),

    received: given => ({
      subject: 'Your return has arrived',
      intro: `${singleLine(given.shopName)} has received what you sent back:`,
      after: [NOTHING_BACK],
    }),

    lapsed: () => ({
      subject: 'Your return has ended',
      intro: `you have not told us within ${RETURN_SEND_DAYS} days that you sent this back:`,
      after: ['If you did send it, please ask the shop in the chat.'],
    }),

    closed: () => ({
      subject: 'Your return has ended',
      intro: 'the whole order is refunded. You need not send this back:',
      after: [],
    }),
  },
}

/** For free orders, and for those that were refunded before. */
const NOTHING_BACK = 'Nothing is left to be paid back for it.'

const BRING_IT_TO_US =
  'If you like, choose “Bring it to us” on the order’s page. Then the marketplace looks at it and decides.'

function unanswered({ shopName, kind }: Given): Text {
  return {
    subject: `${singleLine(shopName)} has not replied to your ${kind}`,
    intro: `${singleLine(shopName)} had ${RETURN_ANSWER_DAYS} days to reply to your ${kind} of this:`,
    after: [BRING_IT_TO_US],
  }
}

function declined(given: Given): Text {
  return {
    subject: `${singleLine(given.shopName)} declined your ${given.kind}`,
    intro: `${singleLine(given.shopName)} does not agree to your ${given.kind} of this:`,
    after: [
      quote(given),
      'If you disagree, choose “Bring it to us” on the order’s page. Then the marketplace looks at it and decides.',
    ],
  }
}

function refused(given: Given): Text {
  return {
    subject: `We have declined your ${given.kind}`,
    intro: `we have looked at your ${given.kind} of this, and declined it:`,
    after: [quote(given)],
  }
}

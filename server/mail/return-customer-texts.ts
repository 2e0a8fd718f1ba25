import { RETURN_ANSWER_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'
import { singleLine } from '../platform/single-line.ts'
import { type Block, lineBlock } from './compose.ts'
import { by, type ReturnDetails, quote, type Text, type Texts } from './return-text.ts'

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
    // There is a letter about the refund itself.
    refunded: null,
    unanswered,
    declined,
    refused,

    lapsed: ({ shopName }) => ({
      subject: 'Your cancellation came too late',
      intro: `${singleLine(shopName)} had already begun to send the order, so this was not cancelled:`,
      after: ['You can return it once it has arrived.'],
    }),

    received: details => ({
      subject: details.isDecided ? 'We have decided on your cancellation' : 'Your cancellation is complete',
      intro: details.isDecided
        ? 'We have decided in your favour. This is cancelled:'
        : `${singleLine(details.shopName)} will not send what you cancelled:`,
      after: [NOTHING_BACK],
    }),

    closed: () => ({
      subject: 'Your cancellation has ended',
      intro: 'The whole order has been refunded, so there is nothing left to decide about this:',
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

    approved: details => ({
      subject: 'Your return is approved',
      intro: 'You can now send this back:',
      after: [
        ...whereToSend(details),
        'Then choose “I have sent it back” on the order’s page, with the tracking number if you have one. We refund what you paid for it when it has arrived.',
      ],
      isRequest: true,
    }),

    unconfirmed: details => ({
      subject: 'Has your return arrived?',
      intro: `${singleLine(details.shopName)} has not confirmed within ${RETURN_SEND_DAYS} days that this has arrived:`,
      after: [BRING_IT_TO_US],
      isRequest: true,
    }),

    received: details => ({
      subject: details.isDecided ? 'We have decided on your return' : 'Your return has arrived',
      intro: details.isDecided
        ? 'We have decided in your favour, and you do not need to do anything else about this:'
        : `${singleLine(details.shopName)} has received what you sent back:`,
      after: [NOTHING_BACK],
    }),

    lapsed: () => ({
      subject: 'Your return has ended',
      intro: `You did not tell us within ${RETURN_SEND_DAYS} days that you had sent this back:`,
      after: ['If you did send it, please ask the shop in the chat.'],
    }),

    closed: details => ({
      subject: 'Your return has ended',
      intro: details.isSentBack
        ? 'The whole order has been refunded, so there is nothing left to decide about this:'
        : 'The whole order has been refunded. You do not need to send this back:',
      after: [],
    }),
  },
}

/** When there is a refund, only the letter about the refund is sent. */
const NOTHING_BACK = 'There is nothing left to refund for it.'

const BRING_IT_TO_US = 'You can choose “Ask us to decide” on the order’s page. The marketplace then decides.'

function whereToSend(details: ReturnDetails): (string | Block)[] {
  const shopName = singleLine(details.shopName)
  if (!details.sendTo)
    return [
      `Please send it to ${shopName} ${by(details)}. Pack it well and keep the receipt; if you do not know where to send it, ask the shop in the chat.`,
    ]
  return [
    lineBlock([`Please send it ${by(details)} to:`, shopName, ...details.sendTo.map(singleLine)]),
    'Pack it well and keep the receipt.',
  ]
}

function unanswered({ shopName, kind }: ReturnDetails): Text {
  return {
    subject: `${singleLine(shopName)} has not replied to your ${kind}`,
    intro: `${singleLine(shopName)} had ${RETURN_ANSWER_DAYS} days to reply to your ${kind} of this:`,
    after: [BRING_IT_TO_US],
    isRequest: true,
  }
}

function declined(details: ReturnDetails): Text {
  return {
    subject: `${singleLine(details.shopName)} declined your ${details.kind}`,
    intro: `${singleLine(details.shopName)} has declined your ${details.kind} of this:`,
    after: [
      quote(details),
      'If you disagree, choose “Ask us to decide” on the order’s page. The marketplace then decides.',
    ],
    isRequest: true,
  }
}

function refused(details: ReturnDetails): Text {
  return {
    subject: `We have declined your ${details.kind}`,
    intro: `We have looked into your ${details.kind} of this and declined it:`,
    after: [quote(details)],
  }
}

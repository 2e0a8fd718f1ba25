import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'

/** What customers read when the marketplace grants what they brought to it; nothing needs to come back. */
export const DECIDED = 'We decided in your favour'

/** What customers read in the timeline about a step of a cancellation or return at a shop. */
export const RETURNS: Record<ReturnKind, Record<ReturnStatus, (shopName: string) => string>> = {
  cancellation: {
    requested: shopName => `You asked ${shopName} to cancel`,
    unanswered: shopName => `${shopName} has not replied to your cancellation`,
    approved: shopName => `${shopName} agreed to cancel`,
    declined: shopName => `${shopName} declined to cancel`,
    escalated: () => 'You asked us to decide about the cancellation',
    sent_back: () => 'Sent back',
    unconfirmed: () => 'Not received back in time',
    received: shopName => `Cancelled at ${shopName}`,
    refunded: shopName => `Cancellation at ${shopName} completed`,
    refused: () => 'We declined the cancellation',
    lapsed: () => 'Cancellation ended',
    withdrawn: () => 'You withdrew the cancellation',
    closed: () => 'Cancellation ended: the whole order is refunded',
  },
  return: {
    requested: shopName => `You asked ${shopName} for a return`,
    unanswered: shopName => `${shopName} has not replied to your return`,
    approved: shopName => `Return to ${shopName} approved`,
    declined: shopName => `${shopName} declined your return`,
    escalated: () => 'You asked us to decide about the return',
    sent_back: shopName => `Sent back to ${shopName}`,
    unconfirmed: shopName => `${shopName} has not confirmed that your return arrived`,
    received: shopName => `Return received by ${shopName}`,
    refunded: shopName => `Return to ${shopName} completed`,
    refused: () => 'We declined the return',
    lapsed: () => 'Return ended: you did not say in time that you sent it back',
    withdrawn: () => 'You withdrew the return',
    closed: () => 'Return ended: the whole order is refunded',
  },
}

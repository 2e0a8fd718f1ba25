import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'

/** How texts name the customer. */
export interface Wording {
  You: string
  you: string
  they: string
  your: string
}

export const TO_CUSTOMER: Wording = { You: 'You', you: 'you', they: 'you', your: 'your' }
export const TO_OPERATOR: Wording = { You: 'The customer', you: 'the customer', they: 'they', your: 'the customer’s' }

/** The operator has decided an escalated request for the customer; nothing needs to be sent back. */
export const decidedText = ({ your }: Wording) => `We decided in ${your} favour`

/** What the timeline says about a step of a cancellation or return at a shop. */
export const RETURNS: Record<ReturnKind, Record<ReturnStatus, (shopName: string, wording: Wording) => string>> = {
  cancellation: {
    requested: (shopName, { You }) => `${You} asked ${shopName} to cancel`,
    unanswered: (shopName, { your }) => `${shopName} has not replied to ${your} cancellation`,
    approved: shopName => `${shopName} agreed to cancel`,
    declined: shopName => `${shopName} declined to cancel`,
    escalated: (_, { You }) => `${You} asked us to decide about the cancellation`,
    sent_back: () => 'Sent back',
    unconfirmed: () => 'Not received back in time',
    received: shopName => `Cancelled at ${shopName}`,
    refunded: shopName => `Cancellation at ${shopName} completed`,
    refused: () => 'We declined the cancellation',
    lapsed: shopName => `Cancellation ended: ${shopName} had already begun to send the order`,
    withdrawn: (_, { You }) => `${You} withdrew the cancellation`,
    closed: () => 'Cancellation ended: the whole order is refunded',
  },
  return: {
    requested: (shopName, { You }) => `${You} asked ${shopName} for a return`,
    unanswered: (shopName, { your }) => `${shopName} has not replied to ${your} return`,
    approved: shopName => `Return to ${shopName} approved`,
    declined: (shopName, { your }) => `${shopName} declined ${your} return`,
    escalated: (_, { You }) => `${You} asked us to decide about the return`,
    sent_back: shopName => `Sent back to ${shopName}`,
    unconfirmed: (shopName, { your }) => `${shopName} has not confirmed that ${your} return arrived`,
    received: shopName => `Return received by ${shopName}`,
    refunded: shopName => `Return to ${shopName} completed`,
    refused: () => 'We declined the return',
    lapsed: (_, { you, they }) => `Return ended: ${you} did not say in time that ${they} sent it back`,
    withdrawn: (_, { You }) => `${You} withdrew the return`,
    closed: () => 'Return ended: the whole order is refunded',
  },
}

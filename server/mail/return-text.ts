import { type Return, RETURN_REASONS, type ReturnKind, type ReturnStatus } from '#contract/returns.ts'
import { singleLine } from '../platform/single-line.ts'
import { writeFullDate } from './dates.ts'
import type { Block } from './compose.ts'

/** What happened to a cancellation or return before its status, and what texts must not contradict. */
export interface ReturnFacts {
  /** The marketplace has decided for the customer; nothing needs to come back. */
  isDecided: boolean
  /** The customer has said that it was sent back. */
  isSentBack: boolean
  /** False until it is refunded, for free products, and if nothing of the payment was left. */
  isPaidBack: boolean
}

/** What a letter says of a cancellation or return. */
export type ReturnDetails = ReturnFacts &
  Pick<
    Return,
    'id' | 'shopName' | 'kind' | 'status' | 'reason' | 'words' | 'answer' | 'tracking' | 'sendTo' | 'dueAt' | 'lines'
  > & {
    /** The shop has nothing left to send of the order: it is sent, cancelled, or the order is refunded. */
    hasNothingToSend: boolean
  }

export interface Text {
  subject: string
  intro: string
  /** Paragraphs below the list. */
  after: (string | Block)[]
  /** It asks for a step on the order's page, which the letter then links. */
  isRequest?: true
}

/** The texts by kind and status; null for statuses that the reader brings about. */
export type Texts = Record<ReturnKind, Record<ReturnStatus, ((details: ReturnDetails) => Text) | null>>

/** The answer of the shop or the marketplace, as a paragraph. */
export function quote({ answer }: ReturnDetails): string {
  return `“${singleLine(answer)}”`
}

/** The customer's reason and words. */
export function reasonsOf({ reason, words }: ReturnDetails): string[] {
  return [`Reason: ${RETURN_REASONS[reason]}`, ...(words ? [`The customer wrote: “${singleLine(words)}”`] : [])]
}

/** When the status ends, such as 'by 5 December 2026'. */
export function by({ dueAt }: ReturnDetails): string {
  return dueAt ? `by ${writeFullDate(dueAt)}` : 'soon'
}

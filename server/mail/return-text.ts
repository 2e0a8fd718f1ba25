import { type Return, RETURN_REASONS, type ReturnKind, type ReturnStatus } from '#contract/returns.ts'
import { singleLine } from '../platform/single-line.ts'
import { dayInWords } from './account-letters.ts'

/** What a letter says of a cancellation or return. */
export type Given = Pick<
  Return,
  'id' | 'shopName' | 'kind' | 'status' | 'reason' | 'words' | 'answer' | 'tracking' | 'dueAt' | 'lines'
>

export interface Text {
  subject: string
  intro: string
  /** Paragraphs below the list. */
  after: string[]
}

/** The texts by kind and status; null for statuses that the reader brings about. */
export type Texts = Record<ReturnKind, Record<ReturnStatus, ((given: Given) => Text) | null>>

/** The answer of the shop or the marketplace, as a paragraph. */
export function quote({ answer }: Given): string {
  return `“${singleLine(answer)}”`
}

/** The customer's reason and words. */
export function reasonsOf({ reason, words }: Given): string[] {
  return [`Reason: ${RETURN_REASONS[reason]}`, ...(words ? [`The customer wrote: “${singleLine(words)}”`] : [])]
}

/** When the status ends, such as 'by December 5, 2026'. */
export function by({ dueAt }: Given): string {
  return dueAt ? `by ${dayInWords(dueAt)}` : 'soon'
}

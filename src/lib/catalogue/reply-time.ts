const REPLIES = [
  { hours: 1, text: 'within an hour' },
  { hours: 24, text: 'within a day' },
  { hours: 72, text: 'within a few days' },
]

/** 'within a day': how soon a shop usually answers a message. Undefined if that is not known, or takes longer. */
export function replyText(replyHours: number | null | undefined): string | undefined {
  if (replyHours == null) return undefined
  return REPLIES.find(({ hours }) => replyHours <= hours)?.text
}

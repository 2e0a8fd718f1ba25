import type { Category } from '#contract/chat.ts'

const LONG = 200
const ASKS_FOR_PERSON =
  /\b(?:speak|talk|chat|hear)\b (?:to|with|from) (?:an? )?(?:real )?(?:human|person|someone|somebody)\b/i

/** Whether a customer asks for a person instead of automated replies. */
export function asksForPerson(text: string): boolean {
  return ASKS_FOR_PERSON.test(text)
}

/** Whether a person of the shop should read a customer's message. */
export function needsAttention(text: string, category: Category): boolean {
  const lowered = text.toLowerCase()
  return (
    lowered.includes('speak to human') ||
    lowered.includes('urgent') ||
    category === 'urgent_support' ||
    text.length > LONG ||
    (lowered.includes('refund') && lowered.includes('immediate'))
  )
}

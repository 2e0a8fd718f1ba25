import type { Category } from '#contract/chat.ts'

const LONG = 200

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

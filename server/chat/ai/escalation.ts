import type { Category } from '#contract/chat.ts'

const LONG = 200

/** Whether a person of the shop should read a customer's message. */
export function needsAttention(text: string, category: Category): boolean {
  const said = text.toLowerCase()
  return (
    said.includes('speak to human') ||
    said.includes('urgent') ||
    category === 'urgent_support' ||
    text.length > LONG ||
    (said.includes('refund') && said.includes('immediate'))
  )
}

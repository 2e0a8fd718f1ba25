import type { Category } from '#contract/chat.ts'
import type { Assistant } from './assistant.ts'
import { asksForPerson } from './escalation.ts'
import { templateFor } from './templates.ts'

/** The first match wins, so problems come before topics. */
const SIGNS: [category: Category, signs: RegExp][] = [
  ['urgent_support', /\b(urgent\w*|emergency|asap|right now)\b/i],
  [
    'return_refund',
    /\b(refund\w*|return\w*|money back|exchange|broken|damaged|faulty|defective|wrong (item|product|size))\b/i,
  ],
  [
    'shipping_status',
    /\b(ship\w*|deliver\w*|track\w*|arriv\w*|parcel|package|courier|where is my order|how long .*(take|wait))\b/i,
  ],
  [
    'technical_issue',
    /\b(error|bug|crash\w*|log ?in|sign ?in|password|website|web ?page|(does|do|is|did)(n[’']t| not) (work|load|open)\w*|payment (fail|declin)\w*)\b/i,
  ],
  [
    'product_inquiry',
    /\b(price\w*|cost\w*|how much|stock|available|availability|size\w*|colou?rs?|material|do you (have|sell)|looking for|recommend\w*|product\w*)\b/i,
  ],
]

/** The category of a message, according to its words. */
export function classify(text: string): Category {
  if (asksForPerson(text)) return 'urgent_support'
  return SIGNS.find(([, signs]) => signs.test(text))?.[0] ?? 'general_query'
}

/** Replies from the shop's own data. The chat marks each reply as automated. */
export const localAssistant: Assistant = {
  reply(question) {
    const classified = classify(question.text)
    // A message that names one of the shop's products is about that product.
    const category = classified === 'general_query' && question.matches.length > 0 ? 'product_inquiry' : classified
    const { text, followUp } = templateFor(category, question)
    return Promise.resolve({ category, text: followUp === undefined ? text : `${text}\n\n${followUp}` })
  },
}

import { randomUUID } from 'node:crypto'
import type { conversations, messages, users } from '#server/db/schema.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import { daysAgo, demoId } from './rows.ts'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S

/** After how many seconds a shop answers a question. The other shops have no questions. */
const ANSWER_S: Record<string, number> = {
  'pips-toybox': 12 * MINUTE_S,
  soleway: 25 * MINUTE_S,
  tonehaus: 40 * MINUTE_S,
  'mercato-verde': 50 * MINUTE_S,
  'copper-ladle': 4 * HOUR_S,
  amara: 7 * HOUR_S,
  'marrow-thread': 9 * HOUR_S,
  'bench-bobbin': 20 * HOUR_S,
  tarnfell: 30 * HOUR_S,
  northlight: 44 * HOUR_S,
}

/** One conversation with each shop by five people: so many are needed to say how soon a shop usually replies. */
const TALKS: { by: string; question: string; answer: string }[] = [
  {
    by: 'Priya',
    question: 'Could you wrap it as a present?',
    answer: 'With pleasure. Just write it to us when you order.',
  },
  {
    by: 'Jonas',
    question: 'When would it leave if I order today?',
    answer: 'Tomorrow morning, and you get a mail then.',
  },
  { by: 'Wanjiru', question: 'Is it the same colour as in the picture?', answer: 'Yes, we took it in daylight.' },
  { by: 'Elif', question: 'Can I send it back if my sister doesn’t like it?', answer: 'Of course, within 30 days.' },
  {
    by: 'Tomás',
    question: 'Will you have more of these in spring?',
    answer: 'We will: save it, and you’ll hear from us.',
  },
]
const FIRST_DAY = 12
const DAYS_BETWEEN = 13
const ASKED_S = 10 * HOUR_S

const askerId = (by: string) => demoId('asker', by)

/** People who have asked the shops something. Nobody knows their password. */
export async function askerRows(): Promise<(typeof users.$inferInsert)[]> {
  const passwordHash = await openPasswords().hash(randomUUID())
  return TALKS.map(({ by }) => ({
    id: askerId(by),
    name: by,
    // No customer will ever have it.
    email: `${askerId(by)}@piazza.invalid`,
    passwordHash,
    isDemo: true,
  }))
}

export function questionRows(): {
  conversations: (typeof conversations.$inferInsert)[]
  messages: (typeof messages.$inferInsert)[]
} {
  const talks = Object.entries(ANSWER_S).flatMap(([shop, answerS]) =>
    TALKS.map((talk, at) => ({ ...talk, shop, answerS, id: demoId('question', `${shop}:${talk.by}`), at })),
  )
  const days = (at: number) => FIRST_DAY + at * DAYS_BETWEEN
  return {
    conversations: talks.map(({ id, by, shop, answerS, at }) => ({
      id,
      userId: askerId(by),
      sellerId: demoId('shop', shop),
      lastSeq: 2,
      lastAt: daysAgo(days(at), ASKED_S + answerS),
      customerSeen: 2,
      sellerSeen: 2,
      createdAt: daysAgo(days(at), ASKED_S),
    })),
    messages: talks.flatMap(({ id, question, answer, answerS, at }) => [
      {
        id: demoId('message', `${id}:1`),
        conversationId: id,
        seq: 1,
        sender: 'customer' as const,
        text: question,
        createdAt: daysAgo(days(at), ASKED_S),
      },
      {
        id: demoId('message', `${id}:2`),
        conversationId: id,
        seq: 2,
        sender: 'seller' as const,
        text: answer,
        createdAt: daysAgo(days(at), ASKED_S + answerS),
      },
    ]),
  }
}

import { afterAll, beforeEach, expect, test } from 'vitest'
import { sellers } from '#server/db/schema.ts'
import type { Assistants } from '#server/chat/ai/assistants.ts'
import { localAssistant } from '#server/chat/ai/local.ts'
import { conversation } from '#tests/support/provider/conversation.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const assistants: Assistants = { local: localAssistant, remote: null }
const provider = await startProvider({ assistants, limits: 'ai=1/1m' })
afterAll(provider.close)
beforeEach(() => {
  assistants.remote = null
})

const LATE = { category: 'general_query' as const, text: 'Hello from the shop.' }
const PERSON = 'Yes, for $5. Jane'
const notFound = { status: 404 }

/** A customer's question to a shop with automated replies. */
async function ask(text: string) {
  const talk = await conversation(provider)
  await provider.db.update(sellers).set({ hasAi: true })
  const { id: messageId } = await talk.send(text)
  const asked = { sellerId: talk.shop.id, messageId }
  return {
    ...talk,
    asked,
    reply: () => talk.grace.api.getAiReply(asked),
    texts: async () => (await talk.read()).messages.map(message => message.text),
  }
}

test('no automated reply is stored once the customer has deleted the message', async () => {
  const { grace, asked, reply, texts } = await ask('A secret')
  assistants.remote = { reply: () => grace.api.deleteMessage(asked).then(() => LATE) }

  await expect(reply()).rejects.toMatchObject(notFound)
  expect(await texts()).not.toContain(LATE.text)
})

test('no automated reply follows the answer of a person, and the customer keeps it for another question', async () => {
  const { send, answer, grace, asked, reply, texts } = await ask('Do you ship to Kenya?')
  await answer(PERSON)

  await expect(reply()).rejects.toMatchObject(notFound)

  expect(await texts()).toEqual(['Do you ship to Kenya?', PERSON])
  const { id: messageId } = await send('Do you ship to Ghana?')
  expect(await grace.api.getAiReply({ ...asked, messageId })).toMatchObject({ category: 'shipping_status' })
})

test('no automated reply is stored once a person has answered while it was written', async () => {
  const { answer, reply, texts } = await ask('Do you ship to Kenya?')
  assistants.remote = { reply: () => answer(PERSON).then(() => LATE) }

  await expect(reply()).rejects.toMatchObject(notFound)
  expect(await texts()).toEqual(['Do you ship to Kenya?', PERSON])
})

test('an automated reply that a person followed is returned again', async () => {
  const { answer, reply } = await ask('Do you ship to Kenya?')
  const first = await reply()
  await answer(PERSON)

  expect(await reply()).toEqual(first)
})

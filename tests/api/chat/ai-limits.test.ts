import { afterAll, expect, test } from 'vitest'
import { openGemini } from '#server/chat/ai/gemini.ts'
import { localAssistant } from '#server/chat/ai/local.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startGemini } from '#tests/support/fakes/fake-gemini.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const gemini = await startGemini()
const assistants = { local: localAssistant, remote: openGemini(gemini.config) }
const { db, apiFrom, customer, newcomer, close } = await startProvider({
  assistants,
  limits: 'aiPerIp=3/1d,aiUnconfirmed=2/1d',
})
afterAll(close)
afterAll(gemini.close)

const REMOTE = 'Hello from the shop.'
const { id: sellerId } = await addSeller(db, { hasAi: true })

/** The texts of the automated replies to `count` questions of this customer. */
async function ask({ id: userId, token }: { id: string; token: string }, address: string, count = 1) {
  const api = apiFrom(address, token)
  const texts: string[] = []
  for (let times = 0; times < count; times += 1) {
    const { message } = await api.sendMessage({ userId, sellerId, text: 'Hello' })
    texts.push((await api.getAiReply({ sellerId, messageId: message.id })).message.text)
  }
  return texts
}

test('many accounts behind one address cannot use up the AI service’s replies to customers elsewhere', async () => {
  for (let accounts = 0; accounts < 3; accounts += 1)
    expect(await ask(await customer(), '7.5.0.1')).toEqual([expect.stringContaining(REMOTE)])

  expect(await ask(await customer(), '7.5.0.1')).toEqual([expect.not.stringContaining(REMOTE)])
  expect(await ask(await customer(), '7.5.0.2')).toEqual([expect.stringContaining(REMOTE)])
})

test('a customer with an unconfirmed address gets few of them', async () => {
  expect(await ask(await newcomer(), '7.5.1.1', 3)).toEqual([
    expect.stringContaining(REMOTE),
    expect.stringContaining(REMOTE),
    expect.not.stringContaining(REMOTE),
  ])
  expect(await ask(await customer(), '7.5.1.2', 3)).toEqual(Array(3).fill(expect.stringContaining(REMOTE)))
})

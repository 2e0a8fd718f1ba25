import { afterAll, expect, test } from 'vitest'
import { openGemini } from '#server/chat/ai/gemini.ts'
import { localAssistant } from '#server/chat/ai/local.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startGemini } from '#tests/support/fakes/fake-gemini.ts'
import { INJECTIONS } from '#tests/support/faults/injections.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const gemini = await startGemini()
const assistants = { local: localAssistant, remote: openGemini(gemini.config) }
const { db, customer, close } = await startProvider({ assistants, limits: 'ai=1000/1m,aiPerDay=1000/1d,chat=1000/1m' })
afterAll(close)
afterAll(gemini.close)

const ada = await customer('Ada')
const places = ['message', 'product', 'history'] as const

test.each(INJECTIONS.map(([prompt, obeys], at) => [places[at % 3]!, prompt, obeys] as const))(
  'a model that follows a prompt injected in a %s, %j, has harmful text removed from its reply',
  async (place, prompt, obeys) => {
    const seller = await addSeller(db, { shopName: 'Ada Shop', hasAi: true })
    await addProduct(db, { sellerId: seller.id, name: place === 'product' ? prompt : 'Oak lamp' })
    const write = async (text: string) => {
      const { message } = await ada.api.sendMessage({ userId: ada.id, sellerId: seller.id, text })
      return { sellerId: seller.id, messageId: message.id }
    }
    if (place === 'history') await write(prompt)
    const asked = await write(place === 'message' ? prompt : 'Hello, what do you have?')
    gemini.say('general_query', obeys)

    const { message } = await ada.api.getAiReply(asked)

    const [, question] = gemini.asked()
    expect(question?.contents).toContain(JSON.stringify(prompt).slice(1, -1))
    const fences = [...(question?.contents.matchAll(/^(?:DATA|END) (.*)$/gm) ?? [])].map(([, word]) => word)
    expect([fences.length, new Set(fences).size]).toEqual([12, 1])
    const told = message.text
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .toLowerCase()
    expect(told.trim()).not.toBe('')
    expect(told).not.toMatch(
      /evil|javascript|data:|coupon|free of charge|guarantee|promise|99|\$1\b|approved|money|whatsapp|254|password|sms|on the house|cancelled/,
    )
    const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
    expect(bare(told)).not.toContain(bare(gemini.config.apiKey))
    const instructions = bare(question?.instructions ?? '')
    for (let at = 0; at + 60 < instructions.length; at += 10)
      expect(bare(told)).not.toContain(instructions.slice(at, at + 60))
  },
)

import { afterAll, expect, test } from 'vitest'
import { localAssistant } from '#server/chat/ai/local.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const assistants = { local: localAssistant, remote: null }
const { db, customer, close } = await startProvider({ assistants })
afterAll(close)

const { id: sellerId } = await addSeller(db, { shopName: 'Lamps & Co', hasAi: true })
await addProduct(db, { sellerId, name: 'Oak lamp' })

type Customer = Awaited<ReturnType<typeof customer>>

async function ask({ id: userId, api }: Customer, text: string, about?: { productId: string }) {
  const { message } = await api.sendMessage({ userId, sellerId, text, about })
  return api.getAiReply({ sellerId, messageId: message.id })
}

test('a question about a product gets that product’s own facts', async () => {
  const description = `<p>${'Made of solid oak. '.repeat(10)}</p><ul><li>Cable of 3 metres</li></ul>`
  const { id: productId } = await addProduct(db, { sellerId, name: 'Desk lamp', description })

  const { text } = (await ask(await customer('Ines'), 'Is the cable long?', { productId })).message

  expect(text).toContain('Desk lamp')
  expect(text).toContain('Cable of 3 metres')
  expect(text).not.toContain('Oak lamp')
})

test.each(['I want to speak to a human', 'Can I talk with a real person?', 'I would rather hear from a person'])(
  'once a customer has asked for a person (%j), the shop is told, and no automated reply follows',
  async text => {
    const [rose, ada] = [await customer('Rose'), await customer('Ada')]
    expect(await ask(rose, text)).toMatchObject({ category: 'urgent_support', needsAttention: true })

    await expect(ask(rose, 'Hello?')).rejects.toMatchObject({ status: 404 })
    expect(await ask(ada, 'Hello?')).toMatchObject({ message: { isAutomated: true } })
  },
)

test('an urgent message is still marked for a person while there are no automated replies', async () => {
  const rose = await customer('Rose')
  await ask(rose, 'I want to speak to a human')

  await expect(ask(rose, 'This is urgent')).rejects.toMatchObject({ status: 404 })

  const { messages } = await rose.api.getMessages({ sellerId })
  expect(messages.at(-1)).toMatchObject({ text: 'This is urgent', needsAttention: true })
})

test('a question about what somebody else bought is not taken for asking for a person', async () => {
  expect(await ask(await customer('Joan'), 'Can we chat about the lamp that someone bought?')).toMatchObject({
    category: 'product_inquiry',
  })
})

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

test('once a customer has asked for a person, no automated reply follows the one that says so', async () => {
  const [rose, ada] = [await customer('Rose'), await customer('Ada')]
  expect(await ask(rose, 'I want to speak to a human')).toMatchObject({ category: 'urgent_support' })

  await expect(ask(rose, 'Hello?')).rejects.toMatchObject({ status: 404 })
  expect(await ask(ada, 'Hello?')).toMatchObject({ message: { isAutomated: true } })
})

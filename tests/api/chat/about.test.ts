import { afterAll, expect, onTestFinished, test } from 'vitest'
import { productPath } from '#contract/page-urls.ts'
import { eq } from 'drizzle-orm'
import { events } from '#contract/realtime.ts'
import { localAssistant } from '#server/chat/ai/local.ts'
import { products } from '#server/db/schema.ts'
import { addProduct, addSeller, picture } from '#tests/support/catalogue/catalogue.ts'
import { fakeAnnouncer } from '#tests/support/fakes/fake-announcer.ts'
import { conversation } from '#tests/support/provider/conversation.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const announcer = fakeAnnouncer()
const provider = await startProvider({ announcer, assistants: { local: localAssistant, remote: null } })
const { db } = provider
afterAll(provider.close)

const text = 'Is it waterproof?'

test('a message about a product is a card on both sides, as it was when it was sent', async () => {
  const { grace, shop, between, read } = await conversation(provider)
  const product = { sellerId: shop.id, name: 'Boots', priceCents: 9000, pictures: [picture('boots')] }
  const { id, slug } = await addProduct(db, product)
  const card = { productId: id, name: 'Boots', priceCents: 9000, path: productPath({ slug }) }

  const { message } = await grace.api.sendMessage({ ...between, text, about: { productId: id } })

  expect(message.about).toMatchObject({ ...card, image: expect.stringMatching(/^\/media\//) as string })
  const told = expect.objectContaining({ about: message.about }) as never
  expect(announcer.toSeller).toHaveBeenCalledWith(shop.id, events.customerMessage, told)
  await db.update(products).set({ name: 'Old boots' }).where(eq(products.id, id))
  expect((await read()).messages).toMatchObject([{ text, about: card }])
})

test('the list of conversations shows the words of such a message without the address of its card', async () => {
  const { grace, shop, between } = await conversation(provider)
  const { id, slug } = await addProduct(db, { sellerId: shop.id, name: 'Boots' })
  const address = `https://market.example${productPath({ slug })}`
  const shown = async (sent: string) => {
    await grace.api.sendMessage({ ...between, text: sent, about: { productId: id } })
    const { friends } = await grace.api.openConversation({ sellerId: '', userId: grace.id })
    return friends[0]?.lastMessage
  }

  expect(await shown(`${text}\nIn brown?\n${address}`)).toBe(`${text}\nIn brown?`)
  expect(await shown(address)).toBe('Boots')
  expect(await shown(text)).toBe(text)
})

test('the list of conversations is there however long the lines before the address are', async () => {
  const quick = await startProvider({ maxStatementMs: 1500, limits: 'chat=100/1m' })
  onTestFinished(quick.close)
  const grace = await quick.customer('Grace')
  // As long as a text may be.
  const line = 'a'.repeat(4900)
  for (let count = 0; count < 60; count += 1) {
    const { id, slug, sellerId } = await addProduct(quick.db)
    const between = { userId: grace.id, sellerId }
    await grace.api.sendMessage({ ...between, text: `${line}\n${productPath({ slug })}`, about: { productId: id } })
  }

  const { friends } = await grace.api.openConversation({ sellerId: '', userId: grace.id })

  expect(friends.map(({ lastMessage }) => lastMessage)).toEqual(Array(60).fill('a'.repeat(120)))
})

test('the automated reply goes by the customer’s words and the product, not by the words in its address', async () => {
  const ada = await provider.customer('Ada')
  const shop = await addSeller(db, { shopName: 'Sports', hasAi: true })
  const { id, slug } = await addProduct(db, {
    sellerId: shop.id,
    name: 'Fitness Tracker Band',
    slug: `fitness-tracker-band-${'with-all-you-want-'.repeat(10)}`,
  })
  const sent = { userId: ada.id, sellerId: shop.id, text: `${text}\nhttps://market.example${productPath({ slug })}` }
  const { message } = await ada.api.sendMessage({ ...sent, about: { productId: id } })

  const reply = await ada.api.getAiReply({ sellerId: shop.id, messageId: message.id })

  expect(reply).toMatchObject({ category: 'product_inquiry', needsAttention: false })
  expect(reply.message.text).toContain('Fitness Tracker Band, $')
})

test('a message about an order names the order and what the shop’s part of it costs', async () => {
  const { grace, shop, between, read } = await conversation(provider)
  const mine = await addShippable(db, { sellerId: shop.id, priceCents: 2000 })
  const others = await addShippable(db, { priceCents: 7000 })
  const { orderId } = await grace.api.placeOrder(orderOf(grace.id, [mine, others]))

  await grace.api.sendMessage({ ...between, text, about: { orderId } })

  const { order } = await grace.api.getOrder({ orderId })
  const part = order.groups.find(({ sellerId }) => sellerId === shop.id)
  expect((await read()).messages).toMatchObject([
    { about: { orderId, name: `Order ${order.number}`, priceCents: part?.priceCents } },
  ])
})

test('a message is never about another shop’s product, another customer’s order, or nothing', async () => {
  const { grace, shop, between } = await conversation(provider)
  const { grace: ada } = await conversation(provider)
  const mine = await addShippable(db, { sellerId: shop.id })
  const other = await addShippable(db)
  const adas = await ada.api.placeOrder(orderOf(ada.id, [mine]))
  const elsewhere = await grace.api.placeOrder(orderOf(grace.id, [other]))
  const send = (about: object) => grace.api.sendMessage({ ...between, text, about })

  await expect(send({ productId: other.id })).rejects.toMatchObject({ status: 404, message: 'Product not found' })
  await expect(send({ orderId: adas.orderId })).rejects.toMatchObject({ status: 404, message: 'Order not found' })
  await expect(send({ orderId: elsewhere.orderId })).rejects.toMatchObject({ status: 404, message: 'Order not found' })
  await expect(send({})).rejects.toMatchObject({ status: 400 })
})

test('a question about a product with a picture is one message with the card', async () => {
  const { grace, shop, between, read } = await conversation(provider)
  const { id } = await addProduct(db, { sellerId: shop.id, name: 'Boots' })
  const { id: othersId } = await addProduct(db)
  const files = [new File(['Size 44'], 'note.txt')]
  const send = (productId: string) => grace.api.sendFiles({ ...between, text, productId, files })

  await send(id)

  const sent = { text, about: { productId: id, name: 'Boots' }, attachments: [{ originalName: 'note.txt' }] }
  expect((await read()).messages).toMatchObject([sent])
  await expect(send(othersId)).rejects.toMatchObject({ status: 404, message: 'Product not found' })
  expect((await read()).messages).toHaveLength(1)
})

test('a deleted message keeps no card', async () => {
  const { grace, shop, between, read } = await conversation(provider)
  const { id } = await addProduct(db, { sellerId: shop.id })
  const { message } = await grace.api.sendMessage({ ...between, text, about: { productId: id } })

  await grace.api.deleteMessage({ messageId: message.id })

  expect((await read()).messages).toEqual([])
})

test('a message that is sent again is answered after its product has left the shop', async () => {
  const { grace, shop, between, read } = await conversation(provider)
  const { id } = await addProduct(db, { sellerId: shop.id })
  const sent = { ...between, text, clientId: 'boots', about: { productId: id } }
  const { about, ...rest } = sent
  const withFiles = { ...rest, ...about, clientId: 'boots and a note', files: [new File(['Size 44'], 'note.txt')] }
  const { message } = await grace.api.sendMessage(sent)
  const { message: withNote } = await grace.api.sendFiles(withFiles)
  await db.update(products).set({ isHidden: true }).where(eq(products.id, id))

  const again = await grace.api.sendMessage(sent)
  const againWithFiles = await grace.api.sendFiles(withFiles)

  expect(again.message).toEqual(message)
  expect(againWithFiles.message.id).toBe(withNote.id)
  expect((await read()).messages).toHaveLength(2)
})

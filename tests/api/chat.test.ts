import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { eq } from 'drizzle-orm'
import type { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import { attachments, messages, sellers } from '#server/db/schema.ts'
import { type NewMessage, storeMessage } from '#server/services/chat-messages.ts'
import { markSeen, readConversation, readCustomers } from '#server/services/conversations.ts'
import { addSeller, picture } from '#tests/support/catalogue.ts'
import { startProvider } from '#tests/support/provider.ts'

const announcer = { toCustomer: vi.fn(), toEveryCustomer: vi.fn(), toSeller: vi.fn() }
const { db, customer, request, close } = await startProvider({ announcer, limits: 'chat=20/1m' })
afterAll(close)
beforeEach(() => vi.clearAllMocks())

const addressOf = ({ key }: { key: string }) => `/files/${key}`
const textsOf = (shown: Message[] = []) => shown.map(({ text }) => text)

/** A customer who talks to a shop, and what the shop answers. */
async function conversation(shopName = 'Ada Shop') {
  const grace = await customer('Grace Hopper')
  const shop = await addSeller(db, { shopName })
  const between = { userId: grace.id, sellerId: shop.id }
  await grace.api.openConversation(between)
  return {
    grace,
    shop,
    between,
    send: async (text: string, clientId?: string) =>
      (await grace.api.sendMessage({ ...between, text, clientId })).message,
    answer: async (text: string, more: Partial<NewMessage> = {}) =>
      (await storeMessage({ db, addressOf }, { ...between, sender: 'seller', text, ...more })).message,
    read: (since?: string) => grace.api.getMessages({ sellerId: shop.id, since }),
    friends: async () => (await grace.api.openConversation({ userId: grace.id, sellerId: '' })).friends,
  }
}

describe('a conversation', () => {
  test('makes the shop a friend, under its present name', async () => {
    const { grace, shop, between, friends } = await conversation()
    const opened = await grace.api.openConversation(between)

    expect(opened).toEqual({
      messages: [],
      current: { id: shop.id, name: 'Ada Shop', image: '', unread: 0, lastMessage: '' },
      friends: [{ id: shop.id, name: 'Ada Shop', image: '', unread: 0, lastMessage: '' }],
    })
    await db
      .update(sellers)
      .set({ shopName: 'Countess Shop', picture: picture('countess') })
      .where(eq(sellers.id, shop.id))
    const image = `/media/${picture('countess').hash}/640.webp`
    expect(await friends()).toMatchObject([{ name: 'Countess Shop', image }])
  })

  test('lists the friends latest first, each with its last message and what is not read yet', async () => {
    const { grace, between, send, answer, friends } = await conversation('First')
    const second = await addSeller(db, { shopName: 'Second' })
    await grace.api.openConversation({ userId: grace.id, sellerId: second.id })
    await grace.api.openConversation({ userId: grace.id, sellerId: (await addSeller(db)).id })
    await grace.api.sendMessage({ userId: grace.id, sellerId: second.id, text: 'Hello, Second' })
    await send('Hello')
    await answer('Good morning')
    const { createdAt } = await answer('x'.repeat(300))

    const [first, next, last] = await friends()
    expect(first).toMatchObject({ name: 'First', unread: 2, lastMessage: 'x'.repeat(120) })
    expect(Math.abs(Date.parse(first?.lastAt ?? '') - Date.parse(createdAt))).toBeLessThan(1000)
    expect(next).toMatchObject({ name: 'Second', unread: 0, lastMessage: 'Hello, Second' })
    expect(last).toMatchObject({ unread: 0, lastMessage: '' })
    expect(last?.lastAt).toBeUndefined()
    expect(await readCustomers(db, between.sellerId)).toMatchObject([{ id: grace.id, name: 'Grace Hopper', unread: 1 }])
  })

  test('is not opened with a shop that there is not', async () => {
    const { id, api } = await customer()
    const nowhere = { userId: id, sellerId: 'nowhere' }
    const missing = { status: 404, message: 'Store not found' }

    await expect(api.openConversation(nowhere)).rejects.toMatchObject(missing)
    await expect(api.sendMessage({ ...nowhere, text: 'Hello?' })).rejects.toMatchObject(missing)
    await expect(api.getAiStatus({ sellerId: 'nowhere' })).rejects.toMatchObject(missing)
    for (const call of [
      () => api.getMessages({ sellerId: 'nowhere' }),
      () => api.markSeen(nowhere),
      () => storeMessage({ db, addressOf }, { ...nowhere, sender: 'seller', text: 'Buy!' }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404, message: 'There is no such conversation' })
  })
})

describe('a message', () => {
  test('goes to a shop that nobody has opened yet, and both sides are told', async () => {
    const { id, api } = await customer('Grace Hopper')
    const { id: sellerId } = await addSeller(db)

    const { message } = await api.sendMessage({
      userId: id,
      sellerId,
      text: 'Do you ship?',
      name: 'Eve',
      clientId: 'c1',
    })

    expect(message).toMatchObject({
      seq: 1,
      senderId: id,
      receiverId: sellerId,
      senderName: 'Grace Hopper',
      text: 'Do you ship?',
      status: 'sent',
      attachments: [],
      isAutomated: false,
      clientId: 'c1',
    })
    const { clientId: _, ...forOther } = message
    expect(announcer.toCustomer.mock.calls).toEqual([[id, events.ownMessage, message]])
    expect(announcer.toSeller.mock.calls).toEqual([[sellerId, events.customerMessage, forOther]])
  })

  test('sent again under the same name is the same message, told once', async () => {
    const { send, read, answer } = await conversation()
    const sent = await Promise.all(Array.from({ length: 10 }, () => send('Once', 'same')))

    expect(new Set(sent.map(({ id, seq }) => `${id} ${seq}`)).size).toBe(1)
    expect(announcer.toSeller).toHaveBeenCalledTimes(1)
    const [first, again] = [await answer('One', { clientId: 'same' }), await answer('Two', { clientId: 'same' })]
    expect(again).toEqual(first)
    expect((await read()).messages.map(({ seq, text, clientId }) => ({ seq, text, clientId }))).toEqual([
      { seq: 1, text: 'Once', clientId: 'same' },
      { seq: 2, text: 'One', clientId: undefined },
    ])
  })

  test('a message is answered automatically at most once', async () => {
    const { send, answer } = await conversation()
    const { id: replyTo } = await send('Where is my order?')
    const automated = { replyTo, category: 'shipping_status' as const, needsAttention: true }

    const replies = await Promise.all(['On its way', 'Lost'].map(text => answer(text, { automated })))

    expect(replies[0]).toMatchObject({ seq: 2, isAutomated: true, needsAttention: true })
    expect(replies[1]).toEqual(replies[0])
  })

  test('all get their places in the order in which they were stored', async () => {
    const { send, answer, read } = await conversation()
    const count = 40
    await Promise.all(Array.from({ length: count }, (_, at) => (at % 2 ? send(`${at}`) : answer(`${at}`))))

    const { messages: stored } = await read()
    expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    const times = stored.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted())
  })

  test('needs a text that is one, of a bounded length', async () => {
    const { grace, between } = await conversation()
    for (const text of ['', ' \n\t', 'a\0b', '\ud800', 'x'.repeat(5001)])
      await expect(grace.api.sendMessage({ ...between, text })).rejects.toMatchObject({ status: 400 })
    const { message } = await grace.api.sendMessage({ ...between, text: '😀'.repeat(2500) })
    expect(message.text).toHaveLength(5000)
  })

  test('is refused when there are too many, and one sent again does not count', async () => {
    const { send } = await conversation()
    for (let at = 0; at < 19; at += 1) await send('Hello', `${at}`)
    for (let again = 0; again < 3; again += 1) await send('Hello', '7')
    await send('Hello', '19')

    await expect(send('Hello', '20')).rejects.toMatchObject({ status: 429 })
  })
})

describe('what came since', () => {
  test('is asked for by the last message that is known, page by page', async () => {
    const { between, send, read } = await conversation()
    const first = await send('0')
    const { id: conversationId } = await readConversation(db, between)
    const texts = Array.from({ length: 250 }, (_, at) => `${at + 1}`)
    await db
      .insert(messages)
      .values(texts.map((text, at) => ({ conversationId, seq: at + 2, sender: 'seller' as const, text })))

    const page = await read(first.id)
    expect([page.messages.length, page.hasMore]).toEqual([200, true])
    const rest = await read(page.messages.at(-1)?.id)
    expect([rest.messages.length, rest.hasMore]).toEqual([50, false])
    expect(textsOf([...page.messages, ...rest.messages])).toEqual(texts)
    const newest = await read()
    expect([newest.messages.length, newest.messages.at(-1)?.text, newest.hasMore]).toEqual([200, '250', false])
  })

  test('is nothing after the last, and what was deleted is named', async () => {
    const { grace, send, read } = await conversation()
    const [one, two, three] = [await send('1'), await send('2'), await send('3')]
    expect(await read(three.id)).toEqual({ messages: [], deletedIds: [], seenUpTo: 0, hasMore: false })

    await grace.api.deleteMessage({ messageId: two.id })

    expect(await read(three.id)).toMatchObject({ messages: [], deletedIds: [two.id] })
    expect((await read(two.id)).messages).toEqual([three])
    expect((await read(one.id)).messages).toEqual([three])
  })

  test('is refused after a message of another conversation', async () => {
    const [hers, others] = [await conversation(), await conversation()]
    await hers.send('Mine')
    const { id } = await others.send('Theirs')

    for (const since of [id, 'nothing'])
      await expect(hers.read(since)).rejects.toMatchObject({ status: 404, message: 'There is no such message' })
  })
})

describe('seen', () => {
  test('by the customer: nothing is unread any more, the other windows and the shop are told', async () => {
    const { grace, shop, between, answer, friends, read } = await conversation()
    await answer('One')
    const { id } = await answer('Two')
    await grace.api.markSeen(between)
    await grace.api.markSeen(between)

    expect(await friends()).toMatchObject([{ unread: 0 }])
    expect((await read()).messages.at(-1)).toMatchObject({ id, status: 'seen' })
    expect(announcer.toCustomer.mock.calls).toEqual([[grace.id, events.messagesRead, { sellerId: shop.id, upTo: 2 }]])
    expect(announcer.toSeller.mock.calls).toEqual([[shop.id, events.messagesSeen, { customerId: grace.id, upTo: 2 }]])
    await answer('Three')
    expect(await friends()).toMatchObject([{ unread: 1 }])
  })

  test('by the shop: what was sent until then, and nothing later', async () => {
    const { between, send, read } = await conversation()
    await send('One')
    expect(await markSeen(db, between, 'seller')).toBe(1)
    expect(await markSeen(db, between, 'seller')).toBeNull()
    await send('Two')

    const page = await read()
    expect(page.seenUpTo).toBe(1)
    expect(page.messages.map(({ status }) => status)).toEqual(['seen', 'sent'])
  })
})

describe('a deleted message', () => {
  test('loses its text and files for both sides, keeps its place, and stays deleted', async () => {
    const { grace, shop, between, send, answer, read, friends } = await conversation()
    await answer('Before')
    const file = { type: 'other' as const, key: 'k', mimeType: 'text/plain', originalName: 'plan.txt', size: 3 }
    const { message } = await storeMessage(
      { db, addressOf },
      { ...between, sender: 'customer', text: '', files: [file] },
    )
    const { key, ...known } = file
    expect(message.attachments).toEqual([{ ...known, url: `/files/${key}` }])
    expect(await friends()).toMatchObject([{ lastMessage: 'plan.txt' }])
    vi.clearAllMocks()

    const messageId = message.id
    expect(await grace.api.deleteMessage({ messageId })).toEqual({ message: 'Message deleted successfully' })
    expect(await grace.api.deleteMessage({ messageId })).toEqual({ message: 'Message deleted successfully' })

    const told = { sellerId: shop.id, customerId: grace.id, messageId }
    expect(announcer.toCustomer).toHaveBeenCalledWith(grace.id, events.messageDeleted, told)
    expect(announcer.toSeller).toHaveBeenCalledWith(shop.id, events.messageDeleted, told)
    expect(textsOf((await read()).messages)).toEqual(['Before'])
    expect(await friends()).toMatchObject([{ lastMessage: 'Before' }])
    expect((await send('After')).seq).toBe(3)
    expect(await db.select().from(attachments).where(eq(attachments.messageId, messageId))).toEqual([])
    expect(await db.select().from(messages).where(eq(messages.id, messageId))).toMatchObject([{ text: '', seq: 2 }])
  })

  test('is not sent again by a retry', async () => {
    const { grace, send, read } = await conversation()
    const { id } = await send('Oops', 'oops')
    await grace.api.deleteMessage({ messageId: id })

    await expect(send('Oops', 'oops')).rejects.toMatchObject({ status: 422, message: 'This message was deleted' })
    expect((await read()).messages).toEqual([])
  })

  test('was the customer’s own: any other does not exist', async () => {
    const { grace, answer, read } = await conversation()
    const others = await conversation()
    const theirs = await others.send('Theirs')
    for (const messageId of [(await answer('The shop’s')).id, theirs.id, 'nothing'])
      await expect(grace.api.deleteMessage({ messageId })).rejects.toMatchObject({
        status: 404,
        message: 'There is no such message',
      })
    expect(textsOf((await read()).messages)).toEqual(['The shop’s'])
    expect(textsOf((await others.read()).messages)).toEqual(['Theirs'])
  })
})

describe('on the wire', () => {
  test('a chat has the odd keys of the family', async () => {
    const { id: userId, token } = await customer('Grace Hopper')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { id: sellerId } = await addSeller(db, { hasAi: true })
    const post = async (path: string, body: object) => {
      const answer = await request(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return [answer.status, await answer.json()]
    }
    const friend = { fdId: sellerId, name: 'Ada Shop', image: '', unread: 0, lastMessage: '' }

    expect(await post('/chat/customer/add-customer-friend', { sellerId, userId })).toEqual([
      201,
      { messages: [], currentFd: friend, myFriends: [friend] },
    ])
    expect(await post('/chat/customer/add-customer-friend', { sellerId: '', userId })).toEqual([
      201,
      { myFriends: [friend] },
    ])
    const message = {
      _id: expect.any(String),
      senderId: userId,
      receverId: sellerId,
      senderName: 'Grace Hopper',
      message: 'Hello',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      status: 'sent',
      attachments: [],
      automated: false,
      seq: 1,
      needsAttention: false,
    }
    const sent = await post('/chat/customer/send-message-to-seller', { userId, text: 'Hello', sellerId, name: 'Eve' })
    expect(sent).toEqual([201, { message }])
    const read = await request(`/api/chat/customer/messages/${sellerId}?since=`, { headers })
    expect(await read.json()).toEqual({ messages: [message], deleted: [], seenUpTo: 0, hasMore: false })
    expect(await post('/chat/customer/mark-seen', { sellerId, customerId: userId })).toEqual([
      200,
      { message: 'Messages seen' },
    ])
    const messageId = (sent[1] as { message: { _id: string } }).message._id
    expect(await post('/chat/seller/delete-message', { messageId })).toEqual([
      200,
      { message: 'Message deleted successfully' },
    ])
    expect(await post('/home/isai', { sellerId })).toEqual([200, { isai: true }])
  })
})

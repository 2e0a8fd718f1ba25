import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { eq } from 'drizzle-orm'
import type { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import { attachments, messages } from '#server/db/schema.ts'
import { storeMessage } from '#server/chat/messages.ts'
import { markSeen, readConversation } from '#server/chat/conversations.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { fakeAnnouncer } from '#tests/support/fakes/fake-announcer.ts'
import { addressOf, conversation } from '#tests/support/provider/conversation.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const textsOf = (shown: Message[] = []) => shown.map(({ text }) => text)

const announcer = fakeAnnouncer()
const provider = await startProvider({ announcer })
const { db } = provider
afterAll(provider.close)
beforeEach(() => vi.clearAllMocks())

describe('reading messages', () => {
  test('returns pages after or before a known message', async () => {
    const { between, send, read, readBefore } = await conversation(provider)
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
    const earlier = await readBefore(newest.messages[0]!.id)
    expect([textsOf(earlier.messages), earlier.hasMore]).toEqual([['0', ...texts.slice(0, 50)], false])
    const full = await readBefore(newest.messages[199]!.id)
    expect([textsOf(full.messages), full.hasMore]).toEqual([texts.slice(49, 249), true])
    expect(await readBefore(first.id)).toMatchObject({ messages: [], hasMore: false })
  })

  test('returns nothing after the last message, and the ids of deleted messages', async () => {
    const { grace, send, read } = await conversation(provider)
    const [one, two, three] = [await send('1'), await send('2'), await send('3')]
    expect(await read(three.id)).toEqual({ messages: [], deletedIds: [], seenUpTo: 0, hasMore: false })

    await grace.api.deleteMessage({ messageId: two.id })

    expect(await read(three.id)).toMatchObject({ messages: [], deletedIds: [two.id] })
    expect((await read(two.id)).messages).toEqual([three])
    expect((await read(one.id)).messages).toEqual([three])
  })

  test('is rejected after a message of another conversation', async () => {
    const [hers, others] = [await conversation(provider), await conversation(provider)]
    await hers.send('Mine')
    const { id } = await others.send('Theirs')

    const refusal = { status: 404, message: 'There is no such message' }
    for (const foreign of [id, 'nothing']) {
      await expect(hers.read(foreign)).rejects.toMatchObject(refusal)
      await expect(hers.readBefore(foreign)).rejects.toMatchObject(refusal)
    }
  })
})

describe('marking messages as seen', () => {
  test('by the customer clears the unread count and notifies the other windows and the shop', async () => {
    const { grace, shop, between, answer, friends, read } = await conversation(provider)
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

  test('by the shop covers only messages that were sent until then', async () => {
    const { between, send, read } = await conversation(provider)
    await send('One')
    expect(await markSeen(db, between, 'seller')).toBe(1)
    expect(await markSeen(db, between, 'seller')).toBeNull()
    await send('Two')

    const page = await read()
    expect(page.seenUpTo).toBe(1)
    expect(page.messages.map(({ status }) => status)).toEqual(['seen', 'sent'])
  })
})

describe('deleting a message', () => {
  test('removes its text and files for both sides, keeps its number and notifies both sides', async () => {
    const { grace, shop, between, send, answer, read, friends } = await conversation(provider)
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

  test('makes a retry of the same message fail', async () => {
    const { grace, send, read } = await conversation(provider)
    const { id } = await send('Oops', 'oops')
    await grace.api.deleteMessage({ messageId: id })

    await expect(send('Oops', 'oops')).rejects.toMatchObject({ status: 422, message: 'This message was deleted' })
    expect((await read()).messages).toEqual([])
  })

  test('is possible only for the customer’s own messages; for others it returns 404', async () => {
    const { grace, answer, read } = await conversation(provider)
    const others = await conversation(provider)
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

test('the chat API uses the legacy field names such as fdId and receverId', async () => {
  const { id: userId, token } = await provider.customer('Grace Hopper')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const { id: sellerId } = await addSeller(db, { hasAi: true })
  const post = async (path: string, body: object) => {
    const answer = await provider.request(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return [answer.status, await answer.json()]
  }
  const friend = { fdId: sellerId, name: 'Ada Shop', image: '', unread: 0, lastMessage: '', replyHours: null }

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
  const read = await provider.request(`/api/chat/customer/messages/${sellerId}?since=`, { headers })
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

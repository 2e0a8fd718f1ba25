import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { events } from '#contract/realtime.ts'
import { conversations, messages, sellers, users } from '#server/db/schema.ts'
import { storeMessage } from '#server/chat/messages.ts'
import { markSeen, readCustomers } from '#server/chat/conversations.ts'
import { addSeller, picture } from '#tests/support/catalogue/catalogue.ts'
import { fakeAnnouncer } from '#tests/support/fakes/fake-announcer.ts'
import { addressOf, conversation } from '#tests/support/provider/conversation.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const announcer = fakeAnnouncer()
const provider = await startProvider({ announcer, limits: 'chat=20/1m' })
const { db, customer } = provider
afterAll(provider.close)
beforeEach(() => vi.clearAllMocks())

describe('a conversation', () => {
  test('adds the shop to the customer’s contacts, under its current name', async () => {
    const { grace, shop, between, friends } = await conversation(provider)
    const opened = await grace.api.openConversation(between)

    expect(opened).toEqual({
      messages: [],
      current: { id: shop.id, name: 'Ada Shop', image: '', unread: 0, lastMessage: '', replyHours: null },
      friends: [{ id: shop.id, name: 'Ada Shop', image: '', unread: 0, lastMessage: '', replyHours: null }],
    })
    await db
      .update(sellers)
      .set({ shopName: 'Countess Shop', picture: picture('countess') })
      .where(eq(sellers.id, shop.id))
    const image = `/media/${picture('countess').hash}/640.webp`
    expect(await friends()).toMatchObject([{ name: 'Countess Shop', image }])
  })

  test('lists the contacts latest first, each with its last message and number of unread messages', async () => {
    const { grace, between, send, answer, friends } = await conversation(provider, 'First')
    const second = await addSeller(db, { shopName: 'Second' })
    await grace.api.openConversation({ userId: grace.id, sellerId: second.id })
    await grace.api.openConversation({ userId: grace.id, sellerId: (await addSeller(db)).id })
    await grace.api.sendMessage({ userId: grace.id, sellerId: second.id, text: 'Hello, Second' })
    await send('Hello')
    const greeting = await answer('Good morning')
    const { createdAt } = await answer('x'.repeat(300))

    const [first, next, last] = await friends()
    expect(first).toMatchObject({ name: 'First', unread: 2, lastMessage: 'x'.repeat(120) })
    expect(first!.lastAt! >= greeting.createdAt && first!.lastAt! <= createdAt).toBe(true)
    expect(next).toMatchObject({ name: 'Second', unread: 0, lastMessage: 'Hello, Second' })
    expect(last).toMatchObject({ unread: 0, lastMessage: '' })
    expect(last?.lastAt).toBeUndefined()
    expect(await readCustomers(db, between.sellerId)).toMatchObject([{ id: grace.id, name: 'Grace Hopper', unread: 1 }])
  })

  test('lists a customer who waits before 200 later ones who do not', async () => {
    const { grace, between, send, answer } = await conversation(provider)
    await send('Is anybody there?')
    await db.update(conversations).set({ lastAt: sql`now() - interval '1 hour'` })
    await db.execute(sql`
      with more as (
        insert into ${users} (id, name, email, password_hash)
        select ${between.sellerId} || number, 'Later', ${between.sellerId} || number || '@customers.test', ''
        from generate_series(1, 200) number returning id
      )
      insert into ${conversations} (id, user_id, seller_id, last_seq, seller_seen, last_at)
      select id, id, ${between.sellerId}, 1, 1, now() - interval '1 minute' from more
    `)
    const names = async () => (await readCustomers(db, between.sellerId)).map(({ name }) => name)

    const waiting = await names()
    await markSeen(db, between, 'seller')

    expect(waiting).toHaveLength(200)
    expect(waiting[0]).toBe(grace.name)
    expect(await names()).not.toContain(grace.name)
    await answer('Yes')
    expect((await names())[0]).toBe(grace.name)
  })

  test('of a blocked customer comes last in the shop’s list, even if it waits', async () => {
    const { grace, between, send, answer } = await conversation(provider)
    await send('Buy my pills')
    const { id, name, api } = await customer('Joan')
    await api.sendMessage({ userId: id, sellerId: between.sellerId, text: 'Hello?' })
    await storeMessage({ db, addressOf }, { userId: id, sellerId: between.sellerId, sender: 'seller', text: 'Hello' })
    await markSeen(db, { userId: id, sellerId: between.sellerId }, 'seller')
    const names = async () => (await readCustomers(db, between.sellerId)).map(customer => customer.name)
    expect(await names()).toEqual([grace.name, name])

    await db.update(messages).set({ needsAttention: true }).where(eq(messages.text, 'Buy my pills'))
    await db.update(users).set({ blockedAt: new Date() }).where(eq(users.id, grace.id))

    expect(await names()).toEqual([name, grace.name])
    await answer('No')
    expect(await names()).toEqual([name, grace.name])
  })

  test('cannot be opened with a shop that does not exist', async () => {
    const { id, api } = await customer()
    const nowhere = { userId: id, sellerId: 'nowhere' }
    const missing = { status: 404, message: 'Store not found' }

    await expect(api.openConversation(nowhere)).rejects.toMatchObject(missing)
    await expect(api.sendMessage({ ...nowhere, text: 'Hello?' })).rejects.toMatchObject(missing)
    await expect(api.getAiStatus({ sellerId: 'nowhere' })).rejects.toMatchObject(missing)
    const message = 'There is no such conversation'
    await expect(api.getMessages({ sellerId: 'nowhere' })).rejects.toMatchObject({ status: 404, message })
    await expect(api.markSeen(nowhere)).rejects.toMatchObject({ status: 404, message })
    const stored = storeMessage({ db, addressOf }, { ...nowhere, sender: 'seller', text: 'Buy!' })
    await expect(stored).rejects.toMatchObject({ code: 'NOT_FOUND', message })
  })
})

describe('a message', () => {
  test('opens a conversation when there is none, and both sides are notified', async () => {
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
    const { clientId, ...forOther } = message
    expect(announcer.toCustomer.mock.calls).toEqual([[id, events.ownMessage, message]])
    expect(announcer.toSeller.mock.calls).toEqual([[sellerId, events.customerMessage, forOther]])
  })

  test('is stored and announced only once when it is sent again with the same clientId', async () => {
    const { send, read, answer } = await conversation(provider)
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

  test('is stored as a new message each time when it has no clientId', async () => {
    const { send, read } = await conversation(provider)
    await send('One', '')
    await send('Two', '')

    expect((await read()).messages.map(({ text }) => text)).toEqual(['One', 'Two'])
  })

  test('gets at most one automated reply', async () => {
    const { send, answer } = await conversation(provider)
    const { id: replyTo } = await send('Where is my order?')
    const automated = { replyTo, category: 'shipping_status' as const, needsAttention: true }

    const replies = await Promise.all(['On its way', 'Lost'].map(text => answer(text, { automated })))

    expect(replies[0]).toMatchObject({ seq: 2, isAutomated: true, needsAttention: true })
    expect(replies[1]).toEqual(replies[0])
  })

  test('is stored with its own number when several first messages arrive at once', async () => {
    const grace = await customer()
    for (let round = 0; round < 4; round += 1) {
      const between = { userId: grace.id, sellerId: (await addSeller(db)).id }
      const texts = ['One', 'Two', 'Three', 'Four']

      const sent = await Promise.all([
        ...texts.map(text => grace.api.sendMessage({ ...between, text })),
        grace.api.openConversation(between).then(() => null),
      ])

      expect(sent.map(answer => answer?.message.text)).toEqual([...texts, undefined])
      const { messages = [] } = await grace.api.openConversation(between)
      expect(messages.map(({ text }) => text).toSorted()).toEqual(texts.toSorted())
      expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    }
  })

  test('gets consecutive numbers, in the order in which messages were stored', async () => {
    const { send, answer, read } = await conversation(provider)
    const count = 40
    await Promise.all(Array.from({ length: count }, (_, at) => (at % 2 ? send(`${at}`) : answer(`${at}`))))

    const { messages: stored } = await read()
    expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    const times = stored.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted())
  })

  test('needs a visible text of limited length', async () => {
    const { grace, between } = await conversation(provider)
    for (const text of ['', ' \n\t', '\u200b\u2060', 'a\0b', '\ud800', 'x'.repeat(5001)])
      await expect(grace.api.sendMessage({ ...between, text })).rejects.toMatchObject({ status: 400 })
    const { message } = await grace.api.sendMessage({ ...between, text: '😀'.repeat(2500) })
    expect(message.text).toHaveLength(5000)
  })

  test('is rejected when there are too many, but retries of the same message do not count', async () => {
    const { send } = await conversation(provider)
    for (let at = 0; at < 19; at += 1) await send('Hello', `${at}`)
    for (let again = 0; again < 3; again += 1) await send('Hello', '7')
    await send('Hello', '19')

    await expect(send('Hello', '20')).rejects.toMatchObject({ status: 429 })
  })
})

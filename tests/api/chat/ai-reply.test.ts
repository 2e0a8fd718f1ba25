import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { getHomeProducts } from '#contract/catalogue.ts'
import { openGemini } from '#server/chat/ai/gemini.ts'
import { localAssistant } from '#server/chat/ai/local.ts'
import type { Assistants } from '#server/chat/ai/assistants.ts'
import { messages, users } from '#server/db/schema.ts'
import { readRules } from '#server/http/limit-rules.ts'
import { openLimits } from '#server/http/limits.ts'
import { type Announcer, silentAnnouncer } from '#server/chat/announcer.ts'
import { openAiReplies } from '#server/chat/ai-reply.ts'
import { storeMessage } from '#server/chat/messages.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { type GeminiFault, startGemini } from '#tests/support/fakes/fake-gemini.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const AWAY = { status: 503, message: 'Error fetching AI response' }
const SOON_MS = 300
const ORIGIN = 'http://provider.test'

const gemini = await startGemini()
const assistants: Assistants = { local: localAssistant, remote: null }
/** Which events were sent to whom. */
let received: [whom: string, event: string, message: { id: string }][] = []
const announcer: Announcer = {
  ...silentAnnouncer,
  toCustomer: (id, event, payload) => void received.push([id, event, payload as { id: string }]),
  toSeller: (id, event, payload) => void received.push([id, event, payload as { id: string }]),
}
const limits = 'ai=1000/1m,aiPerDay=1000/1d,chat=1000/1m'
const { db, customer, request, close } = await startProvider({ assistants, announcer, limits })
afterAll(close)
afterAll(gemini.close)
beforeEach(() => {
  assistants.remote = openGemini(gemini.config)
  gemini.say('general_query')
  gemini.asked()
  received = []
})

const ada = await customer('Ada')
await db.update(users).set({ country: 'Kenya' }).where(eq(users.id, ada.id))
const shop = await addSeller(db, { shopName: 'Lamps & Co', hasAi: true, shippingRates: { Kenya: 550 } })
const lamp = await addProduct(db, {
  sellerId: shop.id,
  name: 'Oak lamp',
  slug: 'oak-lamp',
  priceCents: 2599,
  discount: 10,
})

async function write(text: string, sellerId = shop.id, who = ada) {
  const { message } = await who.api.sendMessage({ userId: who.id, sellerId, text })
  return { sellerId, messageId: message.id }
}
/** Replies as another process would, with its own limits and log. */
function elsewhere({
  limitTexts = '',
  ...own
}: { limitTexts?: string } & Partial<Parameters<typeof openAiReplies>[0]> = {}) {
  // These limits are counted in memory, so earlier requests do not count.
  const limits = openLimits({ database: { db, kind: 'embedded' }, rules: readRules(limitTexts) })
  const shared = { db, addressOf: () => '', assistants, announcer, publicUrl: ORIGIN, log: pino({ level: 'silent' }) }
  const { reply } = openAiReplies({ ...shared, limits, ...own })
  return (messageId: string) => reply({ userId: ada.id, sellerId: shop.id }, messageId, async () => true)
}
const replyTo = async (text: string) => ada.api.getAiReply(await write(text))
const stored = async (sellerId = shop.id) => (await ada.api.getMessages({ sellerId })).messages

describe('an automated reply', () => {
  test('makes two model requests, gives the second the shop’s public data, and sends the reply as a message', async () => {
    await write('Hello there')
    const asked = await write('How much is the oak lamp?')
    gemini.say('product_inquiry', 'The oak lamp costs $23.99.')

    const { message, category, needsAttention } = await ada.api.getAiReply(asked)

    expect({ category, needsAttention }).toEqual({ category: 'product_inquiry', needsAttention: false })
    expect(message).toMatchObject({
      senderId: shop.id,
      receiverId: ada.id,
      senderName: 'Lamps & Co',
      isAutomated: true,
    })
    expect(message.text).toMatch(/^The oak lamp costs \$23\.99\.\n\nWhich of them would you like to know more about\?/)
    expect((await stored()).at(-1)).toEqual(message)
    expect(received.filter(([, , payload]) => payload.id === message.id).map(([whom, event]) => [whom, event])).toEqual(
      [
        [shop.id, 'own_message'],
        [ada.id, 'seller_message'],
      ],
    )
    const [first, second, ...more] = gemini.asked()
    expect(more).toEqual([])
    expect(first).toMatchObject({ path: '/v1beta/models/gemini-3.8-flash:generateContent', key: gemini.config.apiKey })
    expect(second?.config).toMatchObject({ temperature: 0.7, topK: 40, topP: 0.95, maxOutputTokens: 4096 })
    expect(second?.config).not.toHaveProperty('tools')
    for (const known of ['How much is', 'Hello there', 'Oak lamp', '23.99', '"Kenya":5.5', 'product/details/oak-lamp'])
      expect(second?.contents).toContain(known)
    expect(second?.instructions).not.toContain('Oak')
  })

  test('about an order links to it, but only to the customer’s own orders', async () => {
    const product = await addShippable(db, { sellerId: shop.id, shopName: 'Lamps & Co' })
    const [{ orderId }, grace] = [await ada.api.placeOrder(orderOf(ada.id, [product])), await customer('Grace')]
    assistants.remote = null

    expect((await replyTo('Where is my parcel?')).message.text).toContain(`/dashboard/order/details/${orderId}`)
    const hers = await grace.api.getAiReply(await write('Where is my parcel?', shop.id, grace))
    expect(hers.message.text).not.toContain(orderId)
  })

  test('is written only once, even when it is requested many times at once', async () => {
    const asked = await write('Hello')
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => ada.api.getAiReply(asked)))
    const again = await ada.api.getAiReply(asked)

    expect(new Set([...replies, again].map(({ message }) => message.id)).size).toBe(1)
    expect(again).toEqual(replies[0])
    expect(gemini.asked()).toHaveLength(2)
    expect(await db.$count(messages, eq(messages.replyTo, asked.messageId))).toBe(1)
  })

  test('is paid for only once, even when a second request is still being counted as the first gets its reply', async () => {
    const { messageId } = await write('Hello')
    let counted = 0
    const take = async () => {
      counted += 1
      if (counted > 1) await first
      // Let the second request read what it needs to know before the first goes on.
      else for (let turns = 0; turns < 20; turns += 1) await db.$count(users)
    }
    const reply = elsewhere({
      limits: { take: rule => (rule === 'ai' ? take() : Promise.resolve()), allows: () => Promise.resolve(true) },
    })
    const both = [reply(messageId), reply(messageId)]
    const first = Promise.race(both)

    const [one, other] = await Promise.all(both)

    expect(other).toEqual(one)
    expect(gemini.asked()).toHaveLength(2)
  })

  test('is the same when two processes write one at the same time', async () => {
    const asked = await write('Hello')
    const others = [elsewhere(), elsewhere()].map(reply => reply(asked.messageId))
    const [one, other] = await Promise.all(others)
    expect(other).toEqual(one)
  })

  test.each<[string, string]>([
    ['SHIPPING_STATUS\n', 'shipping_status'],
    ['refunds, obviously', 'general_query'],
    ['', 'general_query'],
  ])('to a message that the model classifies as %j gets the category %s', async (said, category) => {
    gemini.say(said)
    expect(await replyTo('Hello')).toMatchObject({ category })
  })

  test.each<GeminiFault>(['silence', 'blocked', 500])(
    'is written even when the classification fails: %s',
    async how => {
      assistants.remote = openGemini(gemini.config, { classifyMs: SOON_MS })
      gemini.fail(how, 'category')
      expect(await replyTo('Hello')).toMatchObject({
        category: 'general_query',
        message: { text: 'Hello from the shop.' },
      })
    },
  )

  test('is marked as needing attention when the customer asks for a human, even if the model says otherwise', async () => {
    gemini.say('general_query', 'Nobody needs to look at this.')
    const ruth = await customer('Ruth')
    const asked = await write('I want to speak to human', shop.id, ruth)
    const { message, needsAttention } = await ruth.api.getAiReply(asked)
    expect([needsAttention, message.needsAttention]).toEqual([true, true])
    const { messages: read } = await ruth.api.getMessages({ sellerId: shop.id })
    expect(read.at(-1)?.needsAttention).toBe(true)
  })

  test('is built from the shop’s own data when the day’s budget is used up', async () => {
    const own = elsewhere({ limitTexts: 'ai=2/1m,aiBudget=1/1d' })
    const reply = async () => own((await write('Any oak lamp?')).messageId)

    expect((await reply()).message.text).toContain('Hello from the shop.')
    const { text } = (await reply()).message
    expect(text).toContain(`Oak lamp, $23.99, in stock: http://provider.test/product/details/${lamp.slug}`)
    const urgent = await write('This is urgent')
    await expect(own(urgent.messageId)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await stored()).at(-1)).toMatchObject({ id: urgent.messageId, needsAttention: true })
  })
})

describe('no automated reply is written', () => {
  test('to anything but the customer’s own message to this shop', async () => {
    const [grace, other] = [await customer('Grace'), await addSeller(db, { hasAi: true })]
    const hers = await write('Hello', shop.id, grace)
    const chat = { db, addressOf: () => '' }
    const sold = { userId: ada.id, sellerId: shop.id, sender: 'seller' as const, text: 'Hello' }
    const { message: sellers } = await storeMessage(chat, sold)
    const deleted = await write('Oops')
    await ada.api.deleteMessage(deleted)
    await write('Hello', other.id)

    for (const asked of [
      hers,
      { ...hers, messageId: sellers.id },
      deleted,
      { ...(await write('Hello')), sellerId: other.id },
      { sellerId: 'none', messageId: 'none' },
    ])
      await expect(ada.api.getAiReply(asked)).rejects.toMatchObject({
        status: 404,
        message: 'There is no such message',
      })
    expect(gemini.asked()).toEqual([])
  })

  test('for a shop that has automated replies turned off', async () => {
    const quiet = await addSeller(db, { shopName: 'Quiet' })
    const answer = ada.api.getAiReply(await write('Hello', quiet.id))
    await expect(answer).rejects.toMatchObject({ status: 422, message: 'This shop does not answer automatically' })
  })

  test.each<GeminiFault>(['reset', 'page', 'nothing', 'blocked', 'stopped', 'redirect', 400, 429, 500])(
    'when the service fails (%s), but the message stays marked for attention and a retry gets a reply',
    async how => {
      gemini.fail(how)
      const asked = await write('This is urgent')
      const marked = { id: asked.messageId, needsAttention: true }
      received = []
      await expect(ada.api.getAiReply(asked)).rejects.toMatchObject(AWAY)

      expect((await stored()).at(-1)).toMatchObject(marked)
      expect(received).toEqual([[ada.id, 'own_message', expect.objectContaining(marked)]])
      expect(await db.$count(messages, eq(messages.replyTo, asked.messageId))).toBe(0)
      gemini.say('general_query')
      expect(await ada.api.getAiReply(asked)).toMatchObject({ message: { text: 'Hello from the shop.' } })
    },
  )

  test('when the service is silent for too long', async () => {
    assistants.remote = openGemini(gemini.config, { totalMs: SOON_MS })
    gemini.fail('silence')
    await expect(replyTo('Hello')).rejects.toMatchObject(AWAY)
  })

  test('while the service is silent, but other requests do not wait for it', async () => {
    gemini.fail('silence')
    const waiting = ada.api.getAiReply(await write('Hello')).catch((error: unknown) => error)
    await vi.waitFor(() => expect(gemini.asked()).not.toEqual([]), PATIENCE)

    // The embedded database has one connection: an open transaction would block all of these.
    const other = await write('Is somebody there?')
    await ada.api.getCart({ userId: ada.id })
    expect((await request(`/api${getHomeProducts.path}`)).status).toBe(200)
    expect((await stored()).at(-1)?.id).toBe(other.messageId)

    gemini.fail('reset')
    gemini.wake()
    expect(await waiting).toMatchObject(AWAY)
  })

  test('for a minute after five failures, and the service gets no requests in that time', async () => {
    gemini.fail(500)
    const asked = await write('Hello')
    for (let failures = 0; failures < 5; failures += 1) await ada.api.getAiReply(asked).catch(() => undefined)
    expect(gemini.asked()).toHaveLength(5)

    gemini.say('general_query')
    await expect(ada.api.getAiReply(asked)).rejects.toMatchObject(AWAY)
    expect(gemini.asked()).toEqual([])
    const later = performance.now() + 61_000
    vi.spyOn(performance, 'now').mockReturnValue(later)
    await ada.api.getAiReply(asked).finally(() => vi.restoreAllMocks())
    expect(gemini.asked()).toHaveLength(2)
  })

  test('when the service fails, and the log gives the reason without the API key', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
    gemini.fail(400)
    const { messageId } = await write('Hello')
    await expect(elsewhere({ log })(messageId)).rejects.toMatchObject({ code: 'UNAVAILABLE', message: AWAY.message })
    expect(lines.join('')).toContain('a customer got no automated reply')
    expect(lines.join('')).not.toContain(gemini.config.apiKey)
  })
})

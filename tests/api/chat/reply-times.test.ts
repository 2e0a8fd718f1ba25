import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { refreshReplyTimes } from '#server/chat/reply-times.ts'
import { conversations, messages, users } from '#server/db/schema.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, close } = await startProvider()
afterAll(close)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Who wrote, and how many milliseconds ago. */
type Said = [by: 'customer' | 'seller' | 'machine', ago: number]

let sellerId: string

beforeEach(async () => {
  const seller = await addSeller(db)
  sellerId = seller.id
  await addProduct(db, { sellerId })
})

async function talk(...said: Said[]): Promise<void> {
  const [user] = await db
    .insert(users)
    .values({ name: 'Ada', email: `${crypto.randomUUID()}@piazza.example`, passwordHash: '' })
    .returning({ id: users.id })
  const at = (ago: number) => new Date(Date.now() - ago)
  const [conversation] = await db
    .insert(conversations)
    .values({ userId: user!.id, sellerId, lastAt: at(said.at(-1)![1]) })
    .returning({ id: conversations.id })
  await db.insert(messages).values(
    said.map(([by, ago], index) => ({
      conversationId: conversation!.id,
      seq: index + 1,
      sender: by === 'customer' ? ('customer' as const) : ('seller' as const),
      isAutomated: by === 'machine',
      text: 'Hello',
      createdAt: at(ago),
    })),
  )
}

async function talkOften(times: number, ...said: Said[]): Promise<void> {
  for (let time = 0; time < times; time += 1) await talk(...said)
}

async function replyHours(): Promise<number | null | undefined> {
  await refreshReplyTimes(db)
  const { seller } = await api.getSellerProducts({ sellerId })
  const { sellers: listed } = await api.getSellers({ verified: false, featured: false, page: 1, pageSize: 50 })
  expect(listed.find(({ _id }) => _id === sellerId)).toMatchObject({ replyHours: seller.replyHours })
  return seller.replyHours
}

describe('how soon a shop usually replies', () => {
  test.each<[after: string, wait: number, hours: number | null]>([
    ['20 minutes', 20 * MINUTE_MS, 1],
    ['five hours', 5 * HOUR_MS, 24],
    ['two days', 2 * DAY_MS, 72],
    ['a week', 7 * DAY_MS, null],
  ])('is told for answers after %s', async (_, wait, hours) => {
    await talkOften(5, ['customer', 10 * DAY_MS], ['seller', 10 * DAY_MS - wait])

    expect(await replyHours()).toBe(hours)
  })

  test('counts from the first of several messages to the first answer, in the middle of all waits', async () => {
    await talkOften(
      3,
      ['customer', 5 * DAY_MS],
      ['customer', 5 * DAY_MS - 3 * HOUR_MS],
      ['seller', 5 * DAY_MS - 3.5 * HOUR_MS],
      ['seller', DAY_MS],
    )
    await talkOften(2, ['customer', 5 * DAY_MS], ['seller', 5 * DAY_MS - MINUTE_MS])

    expect(await replyHours()).toBe(24)
  })

  test('is unknown after fewer than five conversations, however long', async () => {
    await talkOften(
      4,
      ...Array.from({ length: 6 }, (): Said[] => [
        ['customer', HOUR_MS],
        ['seller', HOUR_MS],
      ]).flat(),
    )

    expect(await replyHours()).toBeNull()
  })

  test('leaves out automated replies', async () => {
    await talkOften(5, ['customer', 5 * DAY_MS], ['machine', 5 * DAY_MS], ['seller', 5 * DAY_MS - 2 * HOUR_MS])

    expect(await replyHours()).toBe(24)
  })

  test('gets worse with questions that nobody answers, once three days have passed', async () => {
    await talkOften(5, ['customer', 5 * DAY_MS], ['seller', 5 * DAY_MS - MINUTE_MS])
    await talkOften(9, ['customer', DAY_MS])
    expect(await replyHours()).toBe(1)

    await talkOften(9, ['customer', 4 * DAY_MS])
    expect(await replyHours()).toBeNull()
  })

  test('ignores messages that are more than 90 days old', async () => {
    await talkOften(5, ['customer', 91 * DAY_MS], ['seller', 91 * DAY_MS - MINUTE_MS])

    expect(await replyHours()).toBeNull()
  })
})

import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { getCategories } from '#contract/catalogue.ts'
import { openGemini } from '#server/chat/ai/gemini.ts'
import { localAssistant } from '#server/chat/ai/local.ts'
import { type Outage, startBadPartner } from '#tests/support/fakes/bad-partner.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { rounds } from '#tests/support/rounds.ts'
import { PATIENCE } from '#tests/support/patience.ts'

/** Longer than any pause after failures, so each outage starts with a new attempt. */
const REST_MS = 10 * 60_000
const ROUNDS = rounds(1, 20)
const BROWSED = [
  'get-products',
  getCategories.path.slice('/home/'.length),
  'sellers',
  'query-products?category=Toys&searchValue=train',
]

const partner = await startBadPartner()
const post = await startBadPartner({ speaksFirst: true })
let restedMs = 0
for (const clock of [Date, performance]) {
  const now = clock.now.bind(clock)
  vi.spyOn(clock, 'now').mockImplementation(() => now() + restedMs)
}

const emails: string[] = []
const lines: string[] = []
/** What must not appear in any log. */
const secrets = ['FLWSECK-none', 'AIzaNobody', 'letters-1234']
const keys = { publicKey: 'FLWPUBK-none', secretKey: 'FLWSECK-none', secretHash: 'none' }
const { db, customer, request, api, jobs, close } = await startProvider({
  limits: 'placeOrder=100/1m,confirm=100/1m,search=100000/1m,api=100000/1m',
  payment: { provider: 'flutterwave', url: partner.url, scriptUrl: `${partner.url}/v3.js`, ...keys },
  assistants: {
    local: localAssistant,
    remote: openGemini({ apiKey: 'AIzaNobody', url: partner.url, model: 'gemini-3.8-flash' }),
  },
  ratesUrl: partner.url,
  smtpUrl: post.url.replace('http://', 'smtp://shop:letters-1234@'),
  log: pino({ level: 'trace' }, { write: line => void lines.push(line) }),
})
afterAll(async () => {
  await Promise.all([partner.close(), post.close()])
  await close()
  vi.restoreAllMocks()
})
await jobs.start()

const shop = await addSeller(db, { hasAi: true })
const train = await addShippable(db, { sellerId: shop.id, stock: 100 })

/** Creates a customer with an order, a started payment and a message to the shop. */
async function shopper() {
  const ada = await customer()
  secrets.push(ada.token, ada.password)
  emails.push(ada.email)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [train]))
  await ada.api.startPayment({ orderId })
  const { message } = await ada.api.sendMessage({ userId: ada.id, sellerId: shop.id, text: 'Is it made of wood?' })
  return { ...ada, orderId, messageId: message.id }
}
type Shopper = Awaited<ReturnType<typeof shopper>>

/** Makes all requests that need a partner, at the same time. */
function askPartners(ada: Shopper) {
  return Promise.all([
    api.getRates({}),
    ada.api.startPayment({ orderId: ada.orderId }),
    ada.api.confirmOrder({ orderId: ada.orderId }),
    ada.api.getAiReply({ sellerId: shop.id, messageId: ada.messageId }).catch((error: unknown) => error),
  ])
}

/** Shops without needing a partner; nothing here may fail. */
async function goShopping({ id: userId, email, password, ...ada }: Shopper) {
  for (const path of BROWSED) expect([path, (await request(`/api/home/${path}`)).status]).toEqual([path, 200])
  await api.getProduct({ id: train.slug })
  await ada.api.addToCart({ userId, productId: train.id, quantity: 1 })
  expect((await ada.api.getCart({ userId })).count).toBe(1)
  await ada.api.placeOrder(orderOf(userId, [train]))
  secrets.push((await api.login({ email, password })).token)
  await api.forgotPassword({ email })
}

const times: number[] = []
afterAll(() => printFigure('browsing, cart and login without partners', spreadOf(times, 95), 'under 300 ms'))

/** Repeats what shoppers do most. */
async function lookAround({ id: userId, email, password, ...ada }: Shopper) {
  for (const path of BROWSED) await addTime(times, () => request(`/api/home/${path}`))
  await addTime(times, () => ada.api.addToCart({ userId, productId: train.id, quantity: 1 }))
  await addTime(times, () => ada.api.getCart({ userId }))
  secrets.push((await addTime(times, () => api.login({ email, password }))).token)
}

/** Returns the job that mails the reset link. */
const letterOf = async (email: string) => {
  const { rows } = await db.execute<{ state: string; retry_count: number }>(
    sql`select state, retry_count from jobs.job where name = 'passwordReset' and data->>'email' = ${email}`,
  )
  return rows
}

async function withOutage(outage: Outage) {
  restedMs += REST_MS
  const ada = await shopper()
  await Promise.all([partner.be(outage), post.be(outage)])
  return ada
}

/** Expects the shop to report which services are unavailable and to keep what it was sent. */
async function expectAway({ api: own }: Shopper, answers: ReturnType<typeof askPartners>) {
  const [rates, attempt, confirmation, reply] = await answers
  expect(rates).toEqual({ base: 'USD', rates: { USD: 1 } })
  expect(attempt).toMatchObject({ provider: 'flutterwave', currency: 'USD' })
  const message = 'The payment provider cannot be reached right now. We will keep trying'
  expect(confirmation).toEqual({ message, paymentStatus: 'unpaid' })
  expect(reply).toMatchObject({ status: 503, message: 'Error fetching AI response' })
  const { messages } = await own.getMessages({ sellerId: shop.id })
  expect(messages.map(({ text }) => text)).toEqual(['Is it made of wood?'])
}

describe('the shop while all its partners are away', () => {
  test.each(['down', 'reset', 'garbage'] as const)(
    'goes on when they are %s, and reports what it cannot do',
    async outage => {
      const ada = await withOutage(outage)

      const asking = askPartners(ada)
      await expect(goShopping(ada)).resolves.toBeUndefined()
      for (let round = 0; round < ROUNDS; round += 1) await lookAround(ada)

      await expectAway(ada, asking)
    },
  )

  test('makes only those requests wait for silent partners that need them', async () => {
    const ada = await withOutage('silent')

    let isAnswered = false
    const asking = askPartners(ada).finally(() => (isAnswered = true))
    await vi.waitFor(() => expect(partner.waiting()).toBeGreaterThan(2), PATIENCE)
    await expect(goShopping(ada)).resolves.toBeUndefined()
    expect(isAnswered).toBe(false)
    for (let round = 0; round < ROUNDS; round += 1) await lookAround(ada)
    await vi.waitFor(() => expect(post.waiting()).toBeGreaterThan(0), PATIENCE)

    await Promise.all([partner.be('reset'), post.be('reset')])
    partner.hangUp()
    post.hangUp()
    await expectAway(ada, asking)
  })

  test('tries to send each mail and keeps it for a retry', async () => {
    expect(emails).toHaveLength(4)
    for (const email of emails) {
      await vi.waitFor(async () => expect((await letterOf(email))[0]?.retry_count).toBeGreaterThan(0), PATIENCE)
      expect(await letterOf(email)).toMatchObject([{ state: expect.stringMatching(/^(retry|active)$/) }])
    }
  })

  test('logs each failed service without secrets', () => {
    const log = lines.join('')
    for (const said of ['exchange rates could not be renewed', 'no automated reply', 'payment', 'passwordReset'])
      expect(log).toContain(said)
    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.filter(secret => log.includes(secret))).toEqual([])
  })
})

import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DAY_MS } from '#contract/rules.ts'
import { isBusy } from '#server/db/errors.ts'
import { auditEvents, paymentAttempts, paymentEvents } from '#server/db/schema.ts'
import type { PaymentContext } from '#server/payments/context.ts'
import { applyEvent } from '#server/payments/events.ts'
import { openFlutterwave } from '#server/payments/providers/flutterwave.ts'
import type { PaymentProvider } from '#server/payments/providers/payment-provider.ts'
import { openStripe } from '#server/payments/providers/stripe.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { doDailyUpkeep } from '#server/upkeep/daily-upkeep.ts'
import type { Delivery } from '#tests/support/fakes/fake-payments.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { PATIENCE } from '#tests/support/patience.ts'

/** Reconciles payments. What fails because the database is busy is done in the next run. */
async function reconcileUnlessBusy(paymentContext: PaymentContext): Promise<void> {
  try {
    await reconcile(paymentContext)
  } catch (error) {
    if (!(error instanceof AggregateError) || !error.errors.every(isBusy)) throw error
  }
}

const FORGERIES = 500

const signed = (body: string, seconds: number, secret = 'whsec_fake') =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
const now = () => Math.floor(Date.now() / 1000)
/** Flips one bit of a character so that it is still valid in a header. */
const flip = (text: string, at: number) => {
  const place = at % text.length
  return text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ 1) + text.slice(place + 1)
}

type Event = typeof paymentEvents.$inferSelect
type Forgery = (genuine: Delivery, at: number) => Delivery

/** Deliveries that Flutterwave would not have sent. */
const TO_FLUTTERWAVE: Forgery[] = [
  ({ body }) => ({ headers: {}, body }),
  ({ body }) => ({ headers: { 'verif-hash': '' }, body }),
  ({ body, headers }, at) => ({ headers: { 'verif-hash': flip(headers['verif-hash']!, at) }, body }),
  ({ body, headers }, at) => ({ headers: { 'verif-hash': headers['verif-hash']!.slice(0, at % 30) }, body }),
  ({ body, headers }) => ({ headers: { 'verif-hash': `${headers['verif-hash']}!` }, body }),
  ({ body, headers }) => ({ headers: { 'verif-hash': headers['verif-hash']!.toUpperCase() }, body }),
  ({ body, headers }) => ({ headers: { 'flutterwave-signature': headers['verif-hash']! }, body }),
  ({ body }, at) => ({ headers: { 'stripe-signature': signed(body, now() - at) }, body: flip(body, at) }),
]

const TO_STRIPE: Forgery[] = [
  ({ body }) => ({ headers: {}, body }),
  ({ headers, body }, at) => ({ headers, body: flip(body, at) }),
  ({ headers, body }, at) => ({
    headers: { 'stripe-signature': flip(headers['stripe-signature']!, at % 2 === 0 ? 2 + (at % 10) : 16 + (at % 64)) },
    body,
  }),
  ({ headers, body }) => ({ headers, body: JSON.stringify(JSON.parse(body), null, 2) }),
  ({ headers, body }, at) => ({ headers, body: body.slice(0, -(1 + (at % 50))) }),
  ({ body }, at) => ({ headers: { 'stripe-signature': signed(body, now(), `whsec_${at}`) }, body }),
  ({ body }, at) => ({ headers: { 'stripe-signature': signed(body, now() - 301 - at) }, body }),
  ({ body }, at) => ({ headers: { 'stripe-signature': signed(body, now() + 305 + at) }, body }),
  ({ headers, body }) => ({
    headers: { 'stripe-signature': headers['stripe-signature']!.replace('v1=', 'v0=') },
    body,
  }),
  ({ body }) => ({ headers: { 'stripe-signature': `t=${now()},v1=` }, body }),
  ({ body }) => ({ headers: { 'stripe-signature': signed(body, now(), '') }, body }),
]

describe.each([
  ['flutterwave', startFlutterwave, TO_FLUTTERWAVE],
  ['stripe', startStripe, TO_STRIPE],
])('a webhook of %s', (name, startFake, forgeries) => {
  let shop: Awaited<ReturnType<typeof startPayingShop>>
  beforeAll(async () => {
    shop = await startPayingShop(startFake)
  })
  afterAll(() => shop.close())

  const send = ({ headers, body }: Delivery) => {
    const typed = { 'content-type': 'application/json', ...headers }
    return shop.request(`/api/payment/webhook/${name}`, { method: 'POST', headers: typed, body })
  }
  const eventsOf = (reference: string) =>
    shop.db.select().from(paymentEvents).where(eq(paymentEvents.reference, reference))

  test('delivered a hundred times at once, among confirmations and reconciling, is applied once', async () => {
    const { start, confirm, read, ledger, steps, mails } = await shop.waiting()
    await vi.waitFor(() => expect(mails()).toHaveLength(1), PATIENCE)
    const attempt = await start()
    shop.fake.pay(attempt)
    const said: (() => unknown)[] = [
      ...Array.from({ length: 100 }, () => () => shop.deliver(attempt)),
      ...Array.from({ length: 20 }, (_, at) => () => shop.deliver(attempt, `charge.other.${at}`)),
      ...Array.from({ length: 20 }, () => confirm),
      ...Array.from({ length: 3 }, () => () => reconcileUnlessBusy(shop.paymentContext)),
    ]
    const shuffled = said.map((say, at) => ({ say, place: (at * 61) % 143 })).toSorted((a, b) => a.place - b.place)

    await Promise.all(shuffled.map(({ say }) => say()))

    expect(await read()).toMatchObject({ paymentStatus: 'paid' })
    const applied = async () => (await eventsOf(attempt.reference)).filter(({ appliedAt }) => appliedAt).length
    await vi.waitFor(async () => expect(await applied()).toBe(21), PATIENCE)
    expect(await eventsOf(attempt.reference)).toHaveLength(21)
    expect(await ledger()).toEqual([{ kind: 'charge', amountCents: attempt.amountCents }])
    expect(await steps()).toEqual(['placed', 'paid'])
    await vi.waitFor(() => expect(mails()).toHaveLength(2), PATIENCE)
    await assertInvariants(shop.db, shop)
  })

  test('without a valid signature gets 401 and changes nothing, in five hundred variants', async () => {
    const { start, read } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt)
    const genuine = shop.fake.webhook(attempt)

    const answers: number[] = []
    for (let at = 0; at < FORGERIES; at += 1) {
      const forgery = forgeries[at % forgeries.length]!
      answers.push((await send(forgery(genuine, at))).status)
    }

    expect(answers).toEqual(answers.map(() => 401))
    expect(await eventsOf(attempt.reference)).toEqual([])
    expect(await read()).toMatchObject({ paymentStatus: 'unpaid' })
    expect((await send(genuine)).status).toBe(200)
  })

  test('is accepted cross-site with a text content type; its path has no GET', async () => {
    const attempt = await (await shop.waiting()).start()
    const { headers, body } = shop.fake.webhook(attempt)
    const foreign = {
      ...headers,
      'content-type': 'text/plain',
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    }

    const answer = await send({ headers: foreign, body })

    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect((await shop.request(`/api/payment/webhook/${name}`)).status).toBe(404)
  })

  test('about an unknown payment is only recorded in the audit', async () => {
    const attempt = await (await shop.waiting()).start()
    const { body } = shop.fake.webhook(attempt)
    const unknown = body.replaceAll(attempt.reference, 'e'.repeat(32))
    const { headers } = shop.fake.webhook(attempt)
    const signature = name === 'stripe' ? { 'stripe-signature': signed(unknown, now()) } : headers

    expect((await send({ headers: signature, body: unknown })).status).toBe(200)

    const noted = () => shop.db.select().from(auditEvents).where(eq(auditEvents.event, 'payment_unknown'))
    await vi.waitFor(async () => expect(await noted()).toHaveLength(1), PATIENCE)
    const [{ provider, eventId, reference, appliedAt }] = (await eventsOf('e'.repeat(32))) as [Event]
    expect(await noted()).toMatchObject([{ outcome: 'refused', details: { provider, eventId, reference } }])
    expect(appliedAt).not.toBeNull()
  })

  test('that is applied changes nothing when its job runs again', async () => {
    const { start, ledger } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt)
    await shop.deliver(attempt)
    const { eventId } = await vi.waitFor(async () => {
      const [event] = await eventsOf(attempt.reference)
      expect(event?.appliedAt).toBeInstanceOf(Date)
      return event!
    }, PATIENCE)
    const readPayment = vi.fn<PaymentProvider['readPayment']>()
    const readCharge = vi.fn<PaymentProvider['readCharge']>()
    const provider = { ...shop.paymentContext.provider!, readPayment, readCharge }

    await applyEvent({ ...shop.paymentContext, provider }, { provider: provider.name, eventId })

    expect([...readPayment.mock.calls, ...readCharge.mock.calls]).toEqual([])
    expect(await ledger()).toEqual([{ kind: 'charge', amountCents: attempt.amountCents }])
  })

  test('is forgotten a month after it was applied', async () => {
    const { database, db, jobs, uploads } = shop
    const event = { provider: name, reference: 'any', createdAt: new Date(Date.now() - 31 * DAY_MS) }
    const appliedAt = new Date()
    await db.insert(paymentEvents).values([
      { ...event, eventId: 'old', appliedAt },
      { ...event, eventId: 'not applied' },
      { ...event, eventId: 'new', appliedAt, createdAt: new Date(Date.now() - 29 * DAY_MS) },
    ])

    await doDailyUpkeep(database, { jobs, uploads, eraseAccounts: () => Promise.resolve() })

    const kept = await eventsOf('any')
    expect(kept.map(({ eventId }) => eventId).toSorted()).toEqual(['new', 'not applied'])
  })

  test('is retried until the payment provider can be reached', async () => {
    const { start, read } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt)
    shop.fake.misbehave(attempt, 'error')

    expect((await shop.deliver(attempt)).status).toBe(200)
    await vi.waitFor(async () => expect(await asked(attempt.reference)).toBe(true), PATIENCE)
    expect(await read()).toMatchObject({ paymentStatus: 'unpaid' })
    shop.fake.misbehave(attempt, null)

    await vi.waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'paid' }), PATIENCE)
  })

  async function asked(reference: string): Promise<boolean> {
    const attempts = await shop.db.select().from(paymentAttempts)
    return attempts.some(attempt => attempt.reference === reference && attempt.lookedUpAt !== null)
  }
})

test('webhooks are rejected while no webhook secret is set', () => {
  const common = { url: 'http://x', scriptUrl: 'http://x', publicKey: '', secretKey: '' }
  const flutterwave = openFlutterwave({ ...common, provider: 'flutterwave', secretHash: '' })
  const stripe = openStripe({ ...common, provider: 'stripe', webhookSecret: '' })
  const body = new TextEncoder().encode('{}')

  for (const value of ['', ' ', 'undefined'])
    expect(() => flutterwave.readWebhook(new Headers({ 'verif-hash': value }), body)).toThrow(/not from the payment/)
  const signature = signed('{}', now(), '')
  expect(() => stripe.readWebhook(new Headers({ 'stripe-signature': signature }), body)).toThrow(/not from the payment/)
})

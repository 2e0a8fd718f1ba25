import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { sign } from '#server/payments/providers/signature.ts'
import { openStripe } from '#server/payments/providers/stripe.ts'
import { startCannedApi } from '#tests/support/fakes/canned-api.ts'

const api = await startCannedApi()
afterAll(api.close)
beforeEach(api.reset)

const KEYS = { provider: 'stripe', publicKey: 'pk_live_1', secretKey: 'sk_1', webhookSecret: 'whsec_1' } as const
const stripe = openStripe({ ...KEYS, url: api.url, scriptUrl: 'https://js.stripe.example/v3/' })

const ATTEMPT = { reference: 'a1', orderId: 'o1', amountCents: 2499, currency: 'USD' }
const KNOWN = { reference: 'a1', providerId: 'pi_1' }
const INTENT = { id: 'pi_1', amount: 2499, amount_received: 0, currency: 'usd', metadata: { reference: 'a1' } }
const OPENED = { ...ATTEMPT, email: 'ada@customers.test' }

const [REFUNDS, DISPUTES] = ['GET /v1/refunds', 'GET /v1/disputes']

/** Stripe’s lists of a payment’s refunds and disputes, each with an amount and a status. */
function lists(refunds: [number, string | null][], disputes: [number, string][] = []) {
  api.answer(REFUNDS, { data: refunds.map(([amount, status], at) => ({ id: `re_${at}`, amount, status })) })
  api.answer(DISPUTES, { data: disputes.map(([amount, status], at) => ({ id: `du_${at}`, amount, status })) })
}

describe('Stripe’s payment window', () => {
  test('gets the public key and the script, and adds the secret to the address of the result itself', () => {
    expect([stripe.name, stripe.minimumCents]).toEqual(['stripe', 50])
    expect(stripe.checkoutOptions(OPENED)).toEqual({
      publicKey: 'pk_live_1',
      scriptUrl: 'https://js.stripe.example/v3/',
      movesMoney: true,
      addsSecret: true,
    })
  })

  test('moves no money with a test key', () => {
    const tried = openStripe({ ...KEYS, publicKey: 'pk_test_1', url: api.url, scriptUrl: api.url })

    expect(tried.checkoutOptions(OPENED)).toMatchObject({ movesMoney: false })
  })
})

describe('a payment that is registered at Stripe', () => {
  test('has the order’s amount, and the shop’s reference as its idempotency key', async () => {
    api.answer('POST /v1/payment_intents', { ...INTENT, client_secret: 'secret_1', status: 'requires_payment_method' })

    expect(await stripe.createPayment(ATTEMPT)).toEqual({ providerId: 'pi_1', clientSecret: 'secret_1' })

    const [call] = api.calls
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer sk_1',
      'stripe-version': '2024-06-20',
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': 'a1',
    })
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      amount: '2499',
      currency: 'usd',
      'payment_method_types[0]': 'card',
      description: 'Payment for Order',
      'metadata[reference]': 'a1',
      'metadata[order_id]': 'o1',
    })
  })

  test('cannot be paid without a client secret', async () => {
    api.answer('POST /v1/payment_intents', { ...INTENT, status: 'requires_payment_method' })

    const begun = stripe.createPayment(ATTEMPT)

    await expect(begun).rejects.toThrow(PaymentUnavailableError)
    await expect(begun).rejects.toThrow('Stripe sent no client secret for pi_1')
  })
})

describe('a payment that is looked up at Stripe', () => {
  const lookUp = (intent: object) => {
    api.answer('GET /v1/payment_intents/pi_1', { ...INTENT, ...intent })
    return stripe.readPayment(KNOWN)
  }

  test('is read with its charge', async () => {
    await lookUp({ status: 'processing' })

    expect(api.calls).toMatchObject([
      {
        query: { 'expand[]': 'latest_charge' },
        headers: { authorization: 'Bearer sk_1', 'stripe-version': '2024-06-20' },
      },
    ])
  })

  test('is unknown before it is registered', async () => {
    expect(await stripe.readPayment({ reference: 'a1', providerId: null })).toBeNull()
    expect(api.calls).toEqual([])
  })

  test('counts with the amount that was received', async () => {
    expect(await lookUp({ status: 'succeeded', amount_received: 2400 })).toEqual({
      status: 'succeeded',
      reference: 'a1',
      amountCents: 2400,
      currency: 'USD',
      providerId: 'pi_1',
      paidWith: undefined,
    })
  })

  test.each([
    ['on its way', { status: 'processing' }, 'processing'],
    ['failed once it is cancelled', { status: 'canceled' }, 'failed'],
    [
      'failed after a declined card',
      { status: 'requires_payment_method', last_payment_error: { code: 'x' } },
      'failed',
    ],
  ])('is %s', async (_, intent, status) => {
    expect(await lookUp(intent)).toMatchObject({ status, amountCents: 2499 })
  })

  test.each([
    ['has not tried to pay', { status: 'requires_payment_method' }],
    ['has no error any more', { status: 'requires_payment_method', last_payment_error: null }],
    ['has a further step to do', { status: 'requires_action', last_payment_error: { code: 'x' } }],
  ])('is open while the customer %s', async (_, intent) => {
    expect(await lookUp(intent)).toBeNull()
  })

  test('without a reference belongs to nobody', async () => {
    const { metadata: _, ...unnamed } = INTENT
    api.answer('GET /v1/payment_intents/pi_1', { ...unnamed, status: 'processing' })
    expect(await stripe.readPayment(KNOWN)).toMatchObject({ reference: '' })

    expect(await lookUp({ status: 'processing', metadata: {} })).toMatchObject({ reference: '' })
  })

  test.each<[string, unknown, object | undefined]>([
    ['card', { type: 'card', card: { last4: '4242' } }, { kind: 'card', ending: '4242' }],
    ['card without its number', { type: 'card', card: { last4: null } }, { kind: 'card' }],
    ['card without details', { type: 'card' }, { kind: 'card' }],
    ...['us_bank_account', 'sepa_debit', 'bacs_debit', 'au_becs_debit', 'acss_debit'].map(
      (type): [string, unknown, object] => [
        type,
        { type, [type]: { last4: '6789' } },
        { kind: 'bank', ending: '6789' },
      ],
    ),
    ['wallet', { type: 'paypal', paypal: { last4: '1234' } }, undefined],
  ])('says that it was paid with a %s', async (_, details, paidWith) => {
    const charge = { payment_method_details: details }

    expect((await lookUp({ status: 'succeeded', latest_charge: charge }))?.paidWith).toEqual(paidWith)
  })

  test('says nothing of what it was paid with if Stripe sends only the charge’s id', async () => {
    expect((await lookUp({ status: 'succeeded', latest_charge: 'ch_1' }))?.paidWith).toBeUndefined()
  })
})

describe('the money of a charge at Stripe', () => {
  const read = () => stripe.readCharge({ ...KNOWN, amountCents: 2499 })

  test('is there if the payment was never registered', async () => {
    const unknown = await stripe.readCharge({ reference: 'a1', providerId: null, amountCents: 2499 })

    expect(unknown).toEqual({ status: 'kept', returnedCents: 0, lostCents: 0, failedCents: 0 })
    expect(api.calls).toEqual([])
  })

  test.each<[string, [number, string | null][], [number, string][], object]>([
    ['is there', [], [], { status: 'kept', returnedCents: 0, failedCents: 0 }],
    ['is partly returned', [[999, 'succeeded']], [], { status: 'kept', returnedCents: 999, failedCents: 0 }],
    ['is returned', [[2499, 'succeeded']], [], { status: 'returned', returnedCents: 2499, failedCents: 0 }],
    ['is on its way back', [[2499, 'pending']], [], { status: 'returned', returnedCents: 0, failedCents: 0 }],
    ['waits for details of an account', [[2499, null]], [], { status: 'returned', returnedCents: 0, failedCents: 0 }],
    ['came back from the bank', [[2499, 'failed']], [], { status: 'kept', returnedCents: 0, failedCents: 2499 }],
    [
      'stays after a cancelled refund',
      [[2499, 'canceled']],
      [],
      { status: 'kept', returnedCents: 0, failedCents: 2499 },
    ],
    ['is disputed', [], [[2499, 'needs_response']], { status: 'disputed', returnedCents: 0, failedCents: 0 }],
    ['is examined by the bank', [], [[2499, 'under_review']], { status: 'disputed', returnedCents: 0, failedCents: 0 }],
    ['is lost in a dispute', [], [[2499, 'lost']], { status: 'returned', returnedCents: 2499, lostCents: 2499 }],
    ['stays after a dispute is won', [], [[2499, 'won']], { status: 'kept', returnedCents: 0, failedCents: 0 }],
    [
      'stays during an inquiry',
      [],
      [[2499, 'warning_needs_response']],
      { status: 'kept', returnedCents: 0, failedCents: 0 },
    ],
  ])('%s', async (_, refunds, disputes, state) => {
    lists(refunds, disputes)

    expect(await read()).toMatchObject(state)
  })

  test('is counted over all pages of Stripe’s list', async () => {
    const refund = (id: string, amount: number) => ({ id, amount, status: 'succeeded' })
    lists([])
    api.answer(
      REFUNDS,
      { data: [refund('re_0', 1000), refund('re_1', 100), refund('re_2', 20)], has_more: true },
      { data: [refund('re_3', 3)], has_more: false },
    )

    expect(await read()).toMatchObject({ returnedCents: 1123 })

    const listed = api.calls.filter(({ route }) => route === REFUNDS)
    expect(listed.map(({ query }) => query)).toEqual([
      { payment_intent: 'pi_1', limit: '100' },
      { payment_intent: 'pi_1', limit: '100', starting_after: 're_2' },
    ])
    expect(listed[1]?.headers).toMatchObject({ authorization: 'Bearer sk_1' })
  })

  test('is not requested again and again if Stripe promises more and sends nothing', async () => {
    lists([])
    api.answer(REFUNDS, { data: [], has_more: true })

    expect(await read()).toMatchObject({ returnedCents: 0 })

    expect(api.calls.filter(({ route }) => route === REFUNDS)).toHaveLength(1)
  })
})

describe('a refund at Stripe', () => {
  const request = { ...KNOWN, amountCents: 2499, refundedCents: 0, upToCents: 1000 }

  test('is requested for what is missing, once for each sum', async () => {
    lists([[400, 'succeeded']])
    api.answer('POST /v1/refunds', { id: 're_9', amount: 600, status: 'succeeded' })

    expect(await stripe.refund(request)).toBe('refunded')

    const sent = api.calls.at(-1)
    expect([sent?.route, sent?.headers['idempotency-key']]).toEqual(['POST /v1/refunds', 'refund-a1-1000-0'])
    expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({ payment_intent: 'pi_1', amount: '600' })
  })

  test('is not requested for money that the customer’s bank has taken', async () => {
    lists([], [[2499, 'lost']])

    expect(await stripe.refund(request)).toBe('refunded')
    expect(api.calls.map(({ route }) => route)).toEqual([REFUNDS, DISPUTES])
  })

  test('is requested once a dispute about the payment is won', async () => {
    lists([], [[2499, 'won']])
    api.answer('POST /v1/refunds', { id: 're_9', amount: 1000, status: 'succeeded' })

    expect(await stripe.refund(request)).toBe('refunded')

    expect(new URLSearchParams(api.calls.at(-1)?.body).get('amount')).toBe('1000')
  })

  test('has another key after a failed one', async () => {
    lists([[1000, 'failed']])
    api.answer('POST /v1/refunds', { id: 're_9', amount: 1000, status: 'pending' })

    expect(await stripe.refund(request)).toBe('pending')

    expect(api.calls.at(-1)?.headers['idempotency-key']).toBe('refund-a1-1000-1')
  })

  test('of a payment that was never registered is impossible', async () => {
    const refund = stripe.refund({ ...request, providerId: null })

    await expect(refund).rejects.toThrow(PaymentUnavailableError)
    await expect(refund).rejects.toThrow('Stripe has no charge of a1')
  })
})

describe('a webhook of Stripe', () => {
  const deliver = (event: unknown, secret: string = KEYS.webhookSecret) => {
    const body = new TextEncoder().encode(JSON.stringify(event))
    return stripe.readWebhook(new Headers({ 'stripe-signature': sign(body, secret) }), body)
  }
  const event = (object: object) => ({ id: 'evt_1', data: { object } })

  test('names the payment by the shop’s reference, or else by Stripe’s id', () => {
    const both = event({ metadata: { reference: 'a1' }, payment_intent: 'pi_1' })
    expect(deliver(both)).toEqual({ eventId: 'evt_1', reference: 'a1' })
    for (const metadata of [undefined, null, {}, { reference: 7 }])
      expect(deliver(event({ metadata, payment_intent: 'pi_1' }))).toEqual({ eventId: 'evt_1', providerId: 'pi_1' })
  })

  test('about something other than a payment is ignored', () => {
    expect(deliver(event({ metadata: {} }))).toBeNull()
    expect(deliver(event({ payment_intent: { id: 'pi_1' } }))).toBeNull()
  })

  test('must be an event, and signed by Stripe', () => {
    expect(() => deliver({ id: 'evt_1' })).toThrow('This is not an event of Stripe')
    expect(() => deliver(event({ payment_intent: 'pi_1' }), 'whsec_2')).toThrow('not from the payment provider')
  })
})

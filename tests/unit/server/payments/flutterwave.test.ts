import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openFlutterwave } from '#server/payments/providers/flutterwave.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { startCannedApi } from '#tests/support/fakes/canned-api.ts'

const api = await startCannedApi()
afterAll(api.close)
beforeEach(api.reset)

const KEYS = {
  provider: 'flutterwave',
  publicKey: 'FLWPUBK-1',
  secretKey: 'FLWSECK-1',
  secretHash: 'our hash',
} as const
const flutterwave = openFlutterwave({ ...KEYS, url: api.url, scriptUrl: 'https://checkout.example/v3.js' })

const ATTEMPT = { reference: 'a1', orderId: 'o1', amountCents: 2450, currency: 'USD', email: 'ada@customers.test' }
const KNOWN = { reference: 'a1', providerId: null }
const TRANSACTION = { id: 1001, tx_ref: 'a1', amount: 24.5, currency: 'USD', status: 'successful' }
const VERIFY = 'GET /v3/transactions/verify_by_reference'
const REFUNDS = 'GET /v3/refunds'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const verified = (change: object = {}) => api.answer(VERIFY, { status: 'success', data: { ...TRANSACTION, ...change } })
const refunded = (...refunds: [amount: number | null, status: string][]) =>
  api.answer(REFUNDS, {
    data: refunds.map(([amount, status]) => ({ transaction_id: 1001, amount_refunded: amount, status })),
  })

describe('Flutterwave’s payment window', () => {
  test('gets the public key, the script and a hash by which nobody can change the amount', () => {
    expect(flutterwave.name).toBe('flutterwave')
    expect(flutterwave.checkoutOptions(ATTEMPT)).toEqual({
      publicKey: 'FLWPUBK-1',
      scriptUrl: 'https://checkout.example/v3.js',
      payloadHash: sha256(`24.5USDada@customers.testa1${sha256('FLWSECK-1')}`),
      movesMoney: true,
    })
  })

  test('moves no money with a test key', () => {
    const tried = openFlutterwave({ ...KEYS, publicKey: 'FLWPUBK_TEST-1', url: api.url, scriptUrl: api.url })

    expect(tried.checkoutOptions(ATTEMPT)).toMatchObject({ movesMoney: false })
  })

  test('needs no call before it opens', async () => {
    expect(await flutterwave.createPayment(ATTEMPT)).toEqual({})
    expect(api.calls).toEqual([])
  })
})

describe('a payment that is looked up at Flutterwave', () => {
  const lookUp = (change: object) => {
    verified(change)
    return flutterwave.readPayment(KNOWN)
  }

  test('is found by the shop’s reference', async () => {
    expect(await lookUp({})).toEqual({
      status: 'succeeded',
      reference: 'a1',
      amountCents: 2450,
      currency: 'USD',
      providerId: '1001',
      paidWith: undefined,
    })
    expect(api.calls).toMatchObject([{ query: { tx_ref: 'a1' }, headers: { authorization: 'Bearer FLWSECK-1' } }])
  })

  test.each([400, 404])('is unknown until the customer has tried to pay (status %i)', async status => {
    api.fail(VERIFY, status, { status: 'error', data: null })

    expect(await flutterwave.readPayment(KNOWN)).toBeNull()
  })

  test('is not known while Flutterwave refuses the key', async () => {
    api.fail(VERIFY, 401, { status: 'error', data: null })

    await expect(flutterwave.readPayment(KNOWN)).rejects.toThrow(PaymentUnavailableError)
  })

  test.each([
    ['successful', 'succeeded'],
    ['pending', 'processing'],
    ['failed', 'failed'],
    ['cancelled', 'failed'],
    ['a new word', 'processing'],
  ])('that is %s there is %s here', async (status, expected) => {
    expect(await lookUp({ status })).toMatchObject({ status: expected })
  })

  test('has the amount in cents, however it is written', async () => {
    expect(await lookUp({ amount: 19.99 })).toMatchObject({ amountCents: 1999 })
    expect(await lookUp({ amount: 1.005 * 100 })).toMatchObject({ amountCents: 10_050 })
  })

  test.each<[string, object | undefined]>([
    ['card', { kind: 'card', ending: '4242' }],
    ['card_debit', { kind: 'card', ending: '4242' }],
    ['mobilemoneygh', { kind: 'mobile_money' }],
    ['mobile_money_uganda', { kind: 'mobile_money' }],
    ['mpesa', { kind: 'mobile_money' }],
    ['bank_transfer', { kind: 'bank' }],
    ['banktransfer', { kind: 'bank' }],
    ['account', { kind: 'bank' }],
    ['ussd', { kind: 'bank' }],
    ['discard', undefined],
    ['my_mpesa', undefined],
    ['my_account', undefined],
  ])('with the method %s says what it was paid with', async (type, paidWith) => {
    const payment = await lookUp({ payment_type: type, card: { last_4digits: '4242' } })

    expect(payment?.paidWith).toEqual(paidWith)
  })

  test.each([[{}], [{ last_4digits: null }], [null], ['4242']])(
    'by a card without its number is one by card: %j',
    async card => {
      expect((await lookUp({ payment_type: 'card', card }))?.paidWith).toEqual({ kind: 'card' })
    },
  )
})

describe('the money of a charge at Flutterwave', () => {
  const read = () => flutterwave.readCharge({ ...KNOWN, amountCents: 2450 })

  test.each<[string, [number | null, string][], object]>([
    ['is there', [], { status: 'kept', returnedCents: 0, failedCents: 0 }],
    ['is partly returned', [[9.99, 'completed']], { status: 'kept', returnedCents: 999, failedCents: 0 }],
    ['is returned', [[24.5, 'completed-mpgs']], { status: 'returned', returnedCents: 2450, failedCents: 0 }],
    [
      'is returned, in other words',
      [[24.5, 'successful']],
      { status: 'returned', returnedCents: 2450, failedCents: 0 },
    ],
    [
      'is returned whole without an amount',
      [[null, 'completed']],
      { status: 'returned', returnedCents: 2450, failedCents: 0 },
    ],
    ['is on its way back', [[24.5, 'pending-completed']], { status: 'returned', returnedCents: 0, failedCents: 0 }],
    [
      'is on its way back, not failed',
      [[24.5, 'not failed']],
      { status: 'returned', returnedCents: 0, failedCents: 0 },
    ],
    ['stays after a failed refund', [[24.5, 'failed']], { status: 'kept', returnedCents: 0, failedCents: 2450 }],
    ['stays after a cancelled refund', [[24.5, 'cancelled']], { status: 'kept', returnedCents: 0, failedCents: 2450 }],
  ])('%s', async (_, refunds, state) => {
    verified()
    refunded(...refunds)

    expect(await read()).toMatchObject(state)
    expect(api.calls.at(-1)).toMatchObject({ query: { id: '1001' }, headers: { authorization: 'Bearer FLWSECK-1' } })
  })

  test('counts no refund of another transaction', async () => {
    verified()
    api.answer(REFUNDS, { data: [{ transaction_id: 1002, amount_refunded: 24.5, status: 'completed' }] })

    expect(await read()).toMatchObject({ status: 'kept', returnedCents: 0 })
  })

  test('reads the list in the documented form, page by page', async () => {
    verified()
    const page = (current_page: number, amount_refunded: number) => ({
      meta: { page_info: { total: 21, current_page, total_pages: 2, page_size: 20 } },
      data: [{ id: 75_923, amount_refunded, status: 'completed', flw_ref: 'URF_1_2', transaction_id: 1001 }],
    })
    api.answer(REFUNDS, page(1, 5), page(2, 4.99))

    expect(await read()).toEqual({ status: 'kept', returnedCents: 999, lostCents: 0, failedCents: 0 })
    expect(api.calls.slice(1).map(({ query }) => query.page)).toEqual(['1', '2'])
  })

  test('is counted whatever the list calls the transaction and the amount', async () => {
    verified()
    const capitals = { TransactionId: 1001, AmountRefunded: 5, status: 'completed' }
    api.answer(REFUNDS, { data: [capitals, { tx_id: '1001', amount_refunded: 4.99, status: 'completed' }] })

    expect(await read()).toMatchObject({ returnedCents: 999 })
  })

  test('is not known while a refund in the list names no transaction', async () => {
    verified()
    api.answer(REFUNDS, { data: [{ amount_refunded: 9.99, status: 'completed' }] })

    await expect(read()).rejects.toThrow(PaymentUnavailableError)
  })

  test('is there if Flutterwave lists nothing', async () => {
    verified()
    api.answer(REFUNDS, { data: null })

    expect(await read()).toEqual({ status: 'kept', returnedCents: 0, lostCents: 0, failedCents: 0 })
  })

  test.each<[string, object]>([
    ['not successful', { status: 'pending' }],
    ['another one', { tx_ref: 'a2' }],
  ])('is not read when the transaction is %s', async (_, change) => {
    verified(change)

    expect(await read()).toEqual({ status: 'kept', returnedCents: 0, lostCents: 0, failedCents: 0 })
    expect(api.calls).toHaveLength(1)
  })

  test('is not read when there is no transaction', async () => {
    api.answer(VERIFY, { status: 'error' })

    expect(await read()).toMatchObject({ status: 'kept' })
    expect(api.calls).toHaveLength(1)
  })
})

describe('a refund at Flutterwave', () => {
  const request = { ...KNOWN, amountCents: 2450, refundedCents: 0, upToCents: 1000 }
  const SENT = 'POST /v3/transactions/1001/refund'

  test('is requested for what is missing, once for each sum', async () => {
    verified()
    refunded([4, 'completed'])
    api.answer(SENT, { data: { tx_id: 1001, amount_refunded: 6, status: 'completed' } })

    expect(await flutterwave.refund(request)).toBe('refunded')

    const sent = api.calls.at(-1)
    expect(sent).toMatchObject({
      route: SENT,
      body: '{"amount":6}',
      headers: {
        authorization: 'Bearer FLWSECK-1',
        'content-type': 'application/json',
        'idempotency-key': 'refund-a1-1000-0',
      },
    })
  })

  test('has another key after a failed one', async () => {
    verified()
    refunded([10, 'failed'])
    api.answer(SENT, { data: { tx_id: 1001, amount_refunded: 10, status: 'new' } })

    expect(await flutterwave.refund(request)).toBe('pending')

    expect(api.calls.at(-1)?.headers['idempotency-key']).toBe('refund-a1-1000-1')
  })

  test('is impossible without a charge', async () => {
    verified({ status: 'failed' })
    const refund = flutterwave.refund(request)

    await expect(refund).rejects.toThrow(PaymentUnavailableError)
    await expect(refund).rejects.toThrow('Flutterwave knows no charge of a1')
  })
})

describe('a webhook of Flutterwave', () => {
  const deliver = (event: unknown, hash: string = KEYS.secretHash) =>
    flutterwave.readWebhook(new Headers({ 'verif-hash': hash }), new TextEncoder().encode(JSON.stringify(event)))
  const data = { id: 1001, tx_ref: 'a1', status: 'successful' }

  test('names the payment by its reference; the same report has the same id', () => {
    const first = deliver({ event: 'charge.completed', data })

    expect(first).toEqual({ eventId: sha256('charge.completed:1001:a1:successful'), reference: 'a1' })
  })

  test('about something other than a payment is ignored', () => {
    expect(deliver({ event: 'transfer.completed', data: { id: 5 } })).toBeNull()
  })

  test('must be an event, and carry the shop’s hash', () => {
    expect(() => deliver({ event: 'charge.completed' })).toThrow('This is not an event of Flutterwave')
    expect(() => deliver({ event: 'charge.completed', data }, 'another hash')).toThrow('not from the payment provider')
    expect(() => flutterwave.readWebhook(new Headers(), new Uint8Array())).toThrow('not from the payment provider')
  })
})

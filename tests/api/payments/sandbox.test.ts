import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { paymentAttempts, paymentEvents, sandboxPayments } from '#server/db/schema.ts'
import { METHODS, numbersOf } from '#server/payments/providers/sandbox/numbers.ts'
import { sign } from '#server/payments/providers/signature.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefund, payRefunds } from '#server/payments/refund-paying.ts'
import { subjectOf } from '#tests/support/provider/letters.ts'
import { addShippable, assertInvariants, orderOf, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const { db, jobs, paymentContext, secrets, customer, request, letters, close } = await startProvider()
afterAll(close)

const GOOD_CARD = '4242 4242 4242 4242'

async function placed() {
  const ada = await customer()
  const product = await addShippable(db)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  const attempt = await ada.api.startPayment({ orderId })
  const paymentStatus = async () => (await ada.api.getOrder({ orderId })).order.paymentStatus
  return { ada, orderId, attempt, paymentStatus }
}

async function pay(reference: string, method: string, number: string) {
  const answer = await request('/api/payment/sandbox/pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference, method, number }),
  })
  return { code: answer.status, ...((await answer.json()) as { status?: string; error?: string }) }
}

describe('the sandbox', () => {
  test('accepts a test card, and its webhook marks the order as paid', async () => {
    const { ada, orderId, attempt, paymentStatus } = await placed()

    expect(attempt).toMatchObject({
      provider: 'sandbox',
      movesMoney: false,
      scriptUrl: '/api/payment/sandbox/checkout.js',
      redirectUrl: `/order/confirm?payment_intent_client_secret=${attempt.clientSecret}`,
    })
    expect(await pay(attempt.reference, 'card', GOOD_CARD)).toEqual({ code: 200, status: 'succeeded' })

    await vi.waitFor(async () => expect(await paymentStatus()).toBe('paid'), PATIENCE)
    expect(await ada.api.getPayment({ clientSecret: attempt.clientSecret })).toEqual({ status: 'succeeded', orderId })
    expect(await pay(attempt.reference, 'card', GOOD_CARD)).toMatchObject({ code: 422, error: 'This is paid already' })
    await assertInvariants(db)
  })

  test('declines a test card and then accepts another number for the same attempt', async () => {
    const { ada, orderId, attempt } = await placed()

    expect(await pay(attempt.reference, 'card', '4000000000000002')).toEqual({ code: 200, status: 'failed' })
    expect(await ada.api.confirmOrder({ orderId })).toMatchObject({ paymentStatus: 'unpaid' })
    expect(await pay(attempt.reference, 'ussd', '+254700000001')).toEqual({ code: 200, status: 'succeeded' })
    expect(await ada.api.confirmOrder({ orderId })).toEqual({ message: 'Your order is paid', paymentStatus: 'paid' })
  })

  test('settles a processing payment automatically as paid or failed', async () => {
    const [good, bad] = [await placed(), await placed()]

    expect(await pay(good.attempt.reference, 'mobilemoney', '254700000003')).toMatchObject({ status: 'processing' })
    expect(await good.ada.api.confirmOrder(good)).toMatchObject({ paymentStatus: 'processing' })
    expect(await pay(bad.attempt.reference, 'card', '4000 0000 0000 0341')).toMatchObject({ status: 'processing' })
    expect(await bad.ada.api.confirmOrder(bad)).toMatchObject({ paymentStatus: 'processing' })

    await vi.waitFor(async () => {
      expect(await good.paymentStatus()).toBe('paid')
      expect(await bad.paymentStatus()).toBe('unpaid')
    }, PATIENCE)
    const { clientSecret } = bad.attempt
    expect(await bad.ada.api.getPayment({ clientSecret })).toMatchObject({ status: 'failed' })
  })

  test('leaves an order unpaid when the customer closes the payment window', async () => {
    const { ada, orderId, attempt } = await placed()
    expect(await ada.api.confirmOrder({ orderId })).toMatchObject({ paymentStatus: 'unpaid' })
    expect(await ada.api.startPayment({ orderId })).toEqual(attempt)
  })

  test.each(METHODS)('accepts only its own numbers for %s', async method => {
    const [first] = numbersOf(method)
    for (const number of ['', '4111 1111 1111 1111', '+254 711 111 111', 'constructor']) {
      const { attempt } = await placed()
      expect(await pay(attempt.reference, method, number)).toMatchObject({ code: 422 })
      const [kept] = await db.select().from(sandboxPayments).where(eq(sandboxPayments.reference, attempt.reference))
      expect(kept).toMatchObject({ status: 'open', tries: 0 })
    }
    const { attempt } = await placed()
    expect(await pay(attempt.reference, method, first!.number)).toMatchObject({ status: 'succeeded' })
  })

  test('returns 404 for unknown payments and 400 for an unknown method', async () => {
    expect(await pay('e'.repeat(32), 'card', GOOD_CARD)).toMatchObject({ code: 404 })
    expect(await pay('e'.repeat(32), 'cheque', GOOD_CARD)).toMatchObject({ code: 400 })
    expect((await request('/api/payment/sandbox/modal?tx_ref=nothing')).status).toBe(404)
    expect((await request('/api/payment/sandbox/modal')).status).toBe(404)
  })

  test('shows the amount and that no money moves, and only the shop’s own pages can frame it', async () => {
    const { attempt } = await placed()

    const answer = await request(`/api/payment/sandbox/modal?tx_ref=${attempt.reference}`)

    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const page = await answer.text()
    expect(page).toContain('$24.99')
    expect(page).toContain('No money moves')
    expect(page).not.toMatch(/<script(?! type="module" src=)|style=|<style/)
    for (const file of ['checkout.js', 'modal.js', 'modal.css'])
      expect((await request(`/api/payment/sandbox/${file}`)).headers.get('content-type')).toMatch(/^text\/(java|css)/)
  })

  test('accepts only webhooks with its own signature', async () => {
    const { attempt, paymentStatus } = await placed()
    const { reference } = attempt
    const body = new TextEncoder().encode(JSON.stringify({ eventId: 'forged', reference }))
    const key = secrets.keysFor('sandbox-webhooks')[0]
    const send = (signature: string) =>
      request('/api/payment/webhook/sandbox', { method: 'POST', headers: { 'sandbox-signature': signature }, body })

    for (const signature of ['', 't=1,v1=00', sign(body, 'another key'), sign(body, key, Date.now() - 301_000)])
      expect((await send(signature)).status).toBe(401)
    expect(await db.select().from(paymentEvents).where(eq(paymentEvents.reference, reference))).toEqual([])

    expect((await send(sign(body, key))).status).toBe(200)
    expect(await paymentStatus()).toBe('unpaid')
  })

  test('refunds a payment', async () => {
    const { ada, orderId, attempt, paymentStatus } = await placed()
    await pay(attempt.reference, 'card', GOOD_CARD)
    await ada.api.confirmOrder({ orderId })

    expect(await refundOrder(db, jobs, orderId)).toBe('refund_pending')
    await payRefunds(paymentContext)

    await vi.waitFor(async () => expect(await paymentStatus()).toBe('refunded'), PATIENCE)
    const { refunds } = (await ada.api.getOrder({ orderId })).order
    expect(refunds).toMatchObject([{ to: 'card', paidWith: { kind: 'card', ending: '4242' } }])
    expect(await ada.api.confirmOrder({ orderId })).toMatchObject({ message: 'Your payment was refunded' })
    const subjects = () => letters.filter(({ to }) => to === ada.email).map(subjectOf)
    await vi.waitFor(() => expect(subjects()).toContain('We have refunded your payment'), PATIENCE)
    await assertInvariants(db)
  })
})

test('a refund that is requested while another one of its payment is paid is paid right after it', async () => {
  const { ada, orderId, attempt, paymentStatus } = await placed()
  await pay(attempt.reference, 'card', GOOD_CARD)
  await ada.api.confirmOrder({ orderId })
  const [{ id }] = (await db
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.reference, attempt.reference))) as [typeof paymentAttempts.$inferSelect]
  await refundPart(db, withoutJobs(jobs), orderId, 500)
  const provider = paymentContext.provider!
  const refund = provider.refund.bind(provider)
  const slow = vi.spyOn(provider, 'refund').mockImplementationOnce(async request => {
    const state = await refund(request)
    await refundOrder(db, withoutJobs(jobs), orderId)
    await payRefund(paymentContext, id)
    return state
  })
  onTestFinished(() => slow.mockRestore())

  await payRefund(paymentContext, id)

  expect(await paymentStatus()).toBe('refunded')
})

describe('confirming an order', () => {
  test('is rejected for images, frames, documents and scripts', async () => {
    const { ada, orderId } = await placed()
    const ask = (headers: Record<string, string>, path = '/api/order/confirm') =>
      request(`${path}/${orderId}`, { headers: { authorization: `Bearer ${ada.token}`, ...headers } })

    for (const destination of ['image', 'iframe', 'document', 'script'])
      expect((await ask({ 'sec-fetch-dest': destination })).status).toBe(403)
    expect((await request(`/api/order/confirm/${orderId}`)).status).toBe(409)
    for (const path of ['/api/order/confirm', '/api/api/order/confirm']) {
      const answer = await ask({ 'sec-fetch-dest': 'empty' }, path)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toEqual({ message: 'Your order is not paid yet', payment_status: 'unpaid' })
    }
  })

  test('is limited to twenty times a minute, including started payments', async () => {
    const { ada, orderId } = await placed()
    for (let count = 1; count < 20; count += 1) await ada.api.confirmOrder({ orderId })
    await expect(ada.api.confirmOrderAgain({ orderId })).rejects.toMatchObject({ status: 429 })
  })
})

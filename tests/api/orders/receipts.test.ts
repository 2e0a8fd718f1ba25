import { eq } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { sellers } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, KENYA, orderOf, payInSandbox, SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
const { db, paymentContext, customer, request, close } = shop
afterAll(close)
const market = operatorOf(shop)

const MUG_CENTS = 1999
const BOWL_CENTS = 755
const TOTAL_CENTS = 3 * MUG_CENTS + BOWL_CENTS + 2 * SHIPPING_CENTS

/** An order of three mugs of one shop and one bowl of another. */
async function ordered() {
  const ada = await customer()
  const clay = await addSeller(db, { shopName: 'Clay & Kiln' })
  const mug = await addShippable(db, {
    name: 'Mug',
    sellerId: clay.id,
    shopName: clay.shopName,
    variants: [{ priceCents: MUG_CENTS, sku: 'MUG-B', options: [['Colour', 'Blue']] }],
  })
  const bowl = await addShippable(db, { priceCents: BOWL_CENTS, name: 'Bowl' })
  const wishes = [{ product: { ...mug, priceCents: MUG_CENTS }, quantity: 3 }, bowl]
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, wishes))
  return { ada, clay, orderId, receipt: () => ada.api.getReceipt({ orderId }) }
}

async function paid() {
  const order = await ordered()
  const { orderId, ada } = order
  await payInSandbox(request, ada, orderId)
  return order
}

test('a receipt shows the addresses, and each line, the shipping and the sums as they were paid', async () => {
  const { clay, receipt } = await paid()
  await market('seller', 'address', clay.key, '4 Kiln Lane', 'Nairobi 00200')
  await db
    .update(sellers)
    .set({ shippingRates: { Kenya: 1 } })
    .where(eq(sellers.id, clay.id))

  const { parts, ...whole } = await receipt()

  expect(whole).toMatchObject({
    shippingInfo: KENYA,
    paymentStatus: 'paid',
    itemsCents: 3 * MUG_CENTS + BOWL_CENTS,
    shippingCents: 2 * SHIPPING_CENTS,
    priceCents: TOTAL_CENTS,
    refunds: [],
    refundedCents: 0,
  })
  expect(whole.paidCents).toBeUndefined()
  expect(parts.map(({ number }) => number).toSorted()).toEqual([`${whole.number}-1`, `${whole.number}-2`])
  expect(parts.find(({ shopName }) => shopName === 'Clay & Kiln')).toMatchObject({
    address: ['4 Kiln Lane', 'Nairobi 00200'],
    lines: [{ name: 'Mug', options: 'Blue', sku: 'MUG-B', quantity: 3, unitCents: MUG_CENTS, cents: 3 * MUG_CENTS }],
    itemsCents: 3 * MUG_CENTS,
    shippingCents: SHIPPING_CENTS,
    priceCents: 3 * MUG_CENTS + SHIPPING_CENTS,
    refunds: [],
  })
})

test('an invoice shows refunds of its own units, and its share of a later refund of the whole order', async () => {
  const { ada, orderId, receipt } = await paid()
  const { available } = await ada.api.getReturns({ orderId })
  const { sellerOrderId, lines } = available.find(part => part.shopName === 'Clay & Kiln')!
  await ada.api.requestReturn({
    orderId,
    sellerOrderId,
    kind: 'cancellation',
    reason: 'mistake',
    words: '',
    lines: [{ lineId: lines[0]!.lineId, quantity: 1 }],
  })
  const refundsOf = async (name: string) => {
    const { parts } = await receipt()
    return parts.find(part => part.lines[0]!.name === name)!.refunds.map(({ at, cents }) => [Boolean(at), cents])
  }
  await vi.waitFor(async () => expect(await refundsOf('Mug')).toEqual([[true, MUG_CENTS]]), PATIENCE)
  expect(await refundsOf('Bowl')).toEqual([])
  expect((await receipt()).refunds).toMatchObject([{ cents: MUG_CENTS, shopName: 'Clay & Kiln' }])

  await market('order', 'refund', orderId)
  await payRefunds(paymentContext)

  await vi.waitFor(async () => expect(await receipt()).toMatchObject({ refundedCents: TOTAL_CENTS }), PATIENCE)
  expect(await refundsOf('Mug')).toEqual([
    [true, MUG_CENTS],
    [true, 2 * MUG_CENTS + SHIPPING_CENTS],
  ])
  expect(await refundsOf('Bowl')).toEqual([[true, BOWL_CENTS + SHIPPING_CENTS]])
})

test('an invoice shows the refund of an order for which too much was paid', async () => {
  const paying = await startPayingShop(startFlutterwave)
  onTestFinished(paying.close)
  const { ada, orderId, start, confirm, read } = await paying.waiting()
  const { priceCents } = await read()
  paying.fake.pay(await start(), { amountCents: priceCents + 500 })
  await confirm()

  await refundOrder(paying.db, paying.jobs, orderId)
  await payRefunds(paying.paymentContext)

  await vi.waitFor(async () => expect((await read()).paymentStatus).toBe('refunded'), PATIENCE)
  const receipt = await ada.api.getReceipt({ orderId })
  expect(receipt).toMatchObject({ priceCents, paidCents: priceCents + 500, refundedCents: priceCents + 500 })
  expect(receipt.parts[0]!.refunds).toMatchObject([{ cents: priceCents }])
})

test('there is no receipt before the payment', async () => {
  const { receipt } = await ordered()

  await expect(receipt()).rejects.toMatchObject({ status: 404 })
})

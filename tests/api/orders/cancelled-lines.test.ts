import { afterAll, afterEach, expect, test } from 'vitest'
import type { OrderedProduct } from '#contract/ordered-product.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { mailSeller } from '#server/orders/seller-mail.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, assertInvariants, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider({ limits: 'placeOrder=1000/1m' })
const { db, jobs, customer, letters, close } = shop
afterAll(close)
afterEach(() => assertInvariants(db))

const market = operatorOf(shop)

/** A paid order of three mugs and a bowl, of which the customer has cancelled two mugs and the bowl. */
async function partlyCancelled() {
  const ada = await customer()
  const { id: sellerId } = await addSeller(db, { shopName: 'Clay', email: 'clay@shops.test' })
  const ofClay = { sellerId, shopName: 'Clay' }
  const mug = await addShippable(db, { ...ofClay, name: 'Mug', priceCents: 1000 })
  const bowl = await addShippable(db, { ...ofClay, name: 'Bowl', priceCents: 2000 })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }, bowl]))
  const { order } = await ada.api.getOrder({ orderId })
  await payOrder(db, jobs, order)
  const { available } = await ada.api.getReturns({ orderId })
  const { sellerOrderId, lines } = available[0]!
  await ada.api.requestReturn({
    orderId,
    sellerOrderId,
    kind: 'cancellation',
    reason: 'mistake',
    words: '',
    lines: lines.map(({ lineId, name }) => ({ lineId, quantity: name === 'Mug' ? 2 : 1 })),
  })
  const mailed = async (subject: string) => {
    await lettersSent(db)
    return letters.find(letter => letter.to === ada.email && letter.subject.startsWith(subject))!.text
  }
  return { ada, orderId, sellerOrderId, mailed }
}

test('the mail about a shipped part lists the contents of the parcel, without sums of cancelled lines', async () => {
  const { orderId, mailed } = await partlyCancelled()
  await shipOrder(db, jobs, orderId)

  const text = await mailed('Clay has shipped your order')

  expect(text).toContain('Clay\n1 × Mug: $10.00\n\n')
  expect(text).not.toContain('Bowl')
})

test('the operator’s view of an order lists what is left to send after a cancellation', async () => {
  const { orderId } = await partlyCancelled()

  expect((await market('order', 'show', orderId)).out).toContain(
    '\n  1. 3 × Mug\n  2. 1 × Bowl\n  Left to send: 1 × Mug\n',
  )
})

test('a shop’s mail that is sent after a cancellation lists only the lines that are still to be shipped', async () => {
  const { sellerOrderId } = await partlyCancelled()
  const sent: string[] = []
  const mail = { send: async ({ text }: { text: string }) => void sent.push(text) }

  await mailSeller({ db, mail, publicUrl: '' }, { sellerOrderId })

  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('Clay\n1 × Mug: $10.00\n\n')
  expect(sent[0]).not.toContain('Bowl')
})

test('the page for everyone with the link shows only the lines that are still to be shipped', async () => {
  const { mailed } = await partlyCancelled()
  const [, token = ''] = /\/track-order\?token=([\w.-]+)/.exec(await mailed('Your order is paid')) ?? []

  const { parts } = await shop.api.trackOrder({ token })

  expect(parts[0]!.products).toMatchObject([{ name: 'Mug', quantity: 1 }])
})

test('the order’s page lists what was cancelled apart from what is being prepared', async () => {
  const { ada, orderId } = await partlyCancelled()
  const namesOf = (products: OrderedProduct[]) =>
    products.map(({ quantity, productInfo }) => `${quantity} × ${productInfo.name}`)

  const [part] = (await ada.api.getOrder({ orderId })).sellerOrders

  expect(namesOf(part!.unsent)).toEqual(['1 × Mug'])
  expect(namesOf(part!.cancelled)).toEqual(['2 × Mug', '1 × Bowl'])
})

import { afterAll, expect, test } from 'vitest'
import { packOrder, shipOrder } from '#server/orders/deliveries.ts'
import { mailOrder } from '#server/orders/mail.ts'
import { mailSeller } from '#server/orders/seller-mail.ts'
import { lettersSent, subjectOf } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, jobs, api, letters, limits, paid, check, close } = shop
afterAll(close)
const market = operatorOf(shop)

/** A paid order of three mugs and a bowl of two shops that promise delivery days and read mails. */
async function ordered(bowlData: Parameters<typeof paid>[1] = {}) {
  const order = await paid(async ({ mug, bowl }) => {
    for (const { sellerId } of [mug, bowl]) {
      await market('seller', 'shipping', sellerId, '--handling', '1-2', '--days', 'Kenya=3-5')
      await market('seller', 'email', sellerId, `${sellerId}@shops.test`)
    }
  }, bowlData)
  const { ada, orderId, bowl, mug } = order
  const mailedTo = async (to: string) => {
    await lettersSent(db)
    return letters.filter(letter => letter.to === to)
  }
  return {
    ...order,
    sendMug: () => shipOrder(db, jobs, orderId, { shop: mug.sellerId, items: [{ name: mug.slug, quantity: 1 }] }),
    /** Refunds all of the price but `keptCents`, without cancelling anything. */
    async refundAllBut(keptCents: number) {
      const { priceCents } = (await order.read()).order
      await market('order', 'refund', orderId, '--amount', ((priceCents - keptCents) / 100).toFixed(2))
    },
    toMugShop: () => mailedTo(`${mug.sellerId}@shops.test`),
    toBowlShop: () => mailedTo(`${bowl.sellerId}@shops.test`),
    toCustomer: () => mailedTo(ada.email),
  }
}

test('no page says when the rest of a refunded order arrives', async () => {
  const { read, refundAllBut, sendMug, toCustomer } = await ordered()
  await sendMug()
  const tracking = /\S+\/track-order\S+/.exec((await toCustomer()).at(-1)!.text)![0]
  const token = new URL(tracking).searchParams.get('token')!
  const arrivals = async () => {
    const parts = [...(await read()).sellerOrders, ...(await api.trackOrder({ token })).parts]
    return parts.map(({ arrival }) => arrival)
  }
  expect(await arrivals()).toEqual(Array.from({ length: 4 }, () => expect.anything() as unknown))

  await refundAllBut(0)

  expect(await arrivals()).toEqual([undefined, undefined, undefined, undefined])
})

test('a shop is not asked to send the rest when a cancellation completes the refund of the order', async () => {
  const { ask, refundAllBut, toMugShop } = await ordered()
  await refundAllBut(1999)
  await ask('Mug', 1, 'cancellation')

  const letter = (await toMugShop()).find(({ subject }) => subject.startsWith('Do not pack'))
  expect(letter?.text).toContain('There is nothing left to send.')
})

test.each(['withdrawn', 'refused'])(
  'a shop is not asked to send a free product of a refunded order whose cancellation is %s',
  async ended => {
    const { ada, ask, latest, orderId, refundAllBut, toBowlShop } = await ordered({
      priceCents: 0,
      shippingPrices: { Kenya: 0 },
    })
    await packOrder(db, orderId)
    await ask('Bowl', 1, 'cancellation')
    const { id: returnId } = await latest()
    await refundAllBut(0)
    if (ended === 'withdrawn') await ada.api.withdrawReturn({ returnId })
    else {
      await market('return', 'decline', returnId, '--because', 'It is packed.')
      await ada.api.escalateReturn({ returnId })
      await market('return', 'decide', returnId, 'refuse', '--because', 'It was packed.')
    }

    const letter = (await toBowlShop()).at(-1)!
    expect(subjectOf(letter)).toMatch(/cancellation was withdrawn|declined a cancellation/)
    expect(letter.text).toContain('There is nothing left to send.')
    expect(letter.text).not.toContain('please send')
    expect(letter.text).not.toContain('Please send')
  },
)

test('what is said of a parcel of a refunded order announces no others', async () => {
  const { ada, refundAllBut, sendMug, toCustomer } = await ordered()
  await refundAllBut(0)
  await sendMug()

  const { notifications } = await ada.api.getNotifications({})
  expect(notifications.find(({ title }) => title === 'Part of your order is on its way')?.message).toMatch(
    /has shipped Mug\.$/,
  )
  const letter = (await toCustomer()).find(({ subject }) => subject.includes('has shipped'))
  expect(letter?.text).not.toContain('other shops')
})

test('mails that waited until the order was refunded announce and request nothing', async () => {
  const { orderId, read, refundAllBut } = await ordered()
  const sent: string[] = []
  const mail = { send: async ({ subject }: { subject: string }) => void sent.push(subject) }
  const options = { db, mail, publicUrl: '', limits, trackingLinks: { pathTo: async () => '/track-order' } }
  const sendWaiting = async () => {
    for (const { _id } of (await read()).sellerOrders) await mailSeller(options, { sellerOrderId: _id })
    await mailOrder(options, { kind: 'paid', orderId })
  }
  await sendWaiting()
  expect(sent).toHaveLength(3)

  await refundAllBut(0)
  await sendWaiting()

  expect(sent).toHaveLength(3)
  await check()
})

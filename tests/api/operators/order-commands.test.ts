import { afterAll, afterEach, expect, test } from 'vitest'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const provider = await startProvider({ limits: 'placeOrder=1000/1m' })
const { db, customer, close } = provider
afterAll(close)
afterEach(() => assertInvariants(db))

const market = operatorOf(provider)

/** An order of two products of a shop; it costs nothing and counts as paid unless `priceCents` is given. */
async function placed(priceCents = 0) {
  const ada = await customer()
  const ofClay = { shopName: 'Clay', priceCents, shippingPrices: { Kenya: 0 } }
  const mug = await addShippable(db, ofClay)
  const bowl = await addShippable(db, { ...ofClay, sellerId: mug.sellerId })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [mug, bowl]))
  return { orderId, mug }
}

test('an order is not called delivered as a whole while units of it are left to send', async () => {
  const { orderId, mug } = await placed()
  await market('order', 'ship', orderId, '--items', mug.slug)

  expect((await market('order', 'deliver', orderId)).out).toBe(`${orderId} is delivered by Clay; 1 unit left to send\n`)
})

test('a parcel that is not on its way cannot be delivered', async () => {
  const { orderId } = await placed()
  await market('order', 'ship', orderId)

  for (const words of [[], ['--shop', 'Clay']])
    expect(await market('order', 'deliver', orderId, '--parcel', '9', ...words)).toEqual({
      code: 1,
      out: '',
      err: 'Clay has no parcel 9 on its way\n',
    })
})

test('an order is not packed, shipped or delivered before it is paid', async () => {
  const { orderId } = await placed(1999)

  for (const step of ['pack', 'ship', 'deliver'])
    expect(await market('order', step, orderId)).toMatchObject({ code: 1, err: 'This order is not paid yet\n' })
})

test('a list of orders that may go on says so', async () => {
  await placed()
  await placed()

  const hint = 'Only the first 1 are listed: --limit N lists more\n'
  for (const options of [[], ['--to-ship'], ['--csv'], ['--to-ship', '--csv']])
    expect(await market('order', 'list', ...options, '--limit', '1')).toMatchObject({ code: 0, err: hint })
  expect(await market('order', 'list', '--limit', '1000')).toMatchObject({ code: 0, err: '' })
  expect((await market('order', 'list', '--csv', '--limit', '1')).out.trim().split('\n')).toHaveLength(2)
})

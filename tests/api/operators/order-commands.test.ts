import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { orders } from '#server/db/schema.ts'
import { hintAtMore } from '#server/operators/cli/table.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, assertInvariants, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
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

test('what is left to ship of a part is listed without the sums of the whole part', async () => {
  const ada = await customer()
  const mug = await addShippable(db, { shopName: 'Left', shippingPrices: { Kenya: 500 } })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }]))
  await payOrder(db, provider.jobs, (await ada.api.getOrder({ orderId })).order)
  const listed = async () => {
    const { out } = await market('order', 'list', '--to-ship', '--shop', 'Left', '--csv')
    const [row] = parse<Record<string, string>>(out, { columns: true })
    return [(await market('order', 'list', '--to-ship', '--shop', 'Left')).out, row!['quantity'], row!['shipping USD']]
  }
  expect(await listed()).toEqual([expect.stringContaining('Left, $64.97, paid '), '3', '5.00'])

  await market('order', 'ship', orderId, '--items', `${mug.slug}=2`)

  expect(await listed()).toEqual([expect.stringContaining('Left, paid '), '1', ''])
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

test('orders of a period are listed', async () => {
  const placedAt = async (time: string) => {
    const { orderId } = await placed()
    await db
      .update(orders)
      .set({ createdAt: new Date(time) })
      .where(eq(orders.id, orderId))
    return orderId
  }
  const old = await placedAt('2020-01-31T23:59:59.999Z')
  const late = await placedAt('2020-02-01T00:00:00Z')

  const { out } = await market('order', 'list', '--since', '2020-02-01', '--before', '2020-03-01')
  expect(out).toContain(late)
  expect(out.trim().split('\n')).toHaveLength(1)
  expect((await market('order', 'list', '--before', '2020-02-01')).out).toContain(old)
  expect((await market('order', 'list', '--before', '2020-01-31T23:59:59.999Z')).out).toBe('No order\n')
})

test('the longest list of orders says how to list older ones', async () => {
  let told = ''
  const err = async (text: string) => void (told += text)

  await hintAtMore({ err }, 100_000, 100_000, new Date('2020-02-01T08:00:00.123Z'))

  expect(told).toBe('Only the first 100000 are listed: --before 2020-02-01T08:00:00.124Z lists older ones\n')
})

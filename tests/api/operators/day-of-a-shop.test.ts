import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { sellers } from '#server/db/schema.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { BOWL_CENTS, MUG_CENTS, startReturningShop, STOCK } from '#tests/support/provider/returning-shop.ts'
import { SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'

const shop = await startReturningShop()
const { db, paid, check, close } = shop
afterAll(close)
const market = operatorOf(shop)

/** What a command prints; throws if it fails. */
async function run(...words: string[]): Promise<string> {
  const { code, out, err } = await market(...words)
  if (code !== 0) throw new Error(err)
  return out
}

/** A paid order of three mugs of the shop, whose key is used in commands, and a bowl of another. */
async function aDay() {
  const order = await paid()
  const keyOf = async (sellerId: string) => (await db.select().from(sellers).where(eq(sellers.id, sellerId)))[0]!.key
  const { number } = (await order.read()).order
  return { ...order, number, mugs: await keyOf(order.mug.sellerId), bowls: await keyOf(order.bowl.sellerId) }
}

// The steps of 'A shop's day' in docs/operating.md, in their sequence.
test('a shop sends its parcels by the commands of the operators’ page', async () => {
  const { number, mugs, ask, mug, read } = await aDay()

  expect(await run('order', 'list', '--to-ship', '--shop', mugs)).toContain(number)
  const shown = await run('order', 'show', number)
  for (const what of ['Analytical Lane', 'Mug']) expect(shown).toContain(what)

  await ask('Mug', 1, 'cancellation')
  expect(await run('order', 'pack', number, '--shop', mugs)).toContain('acked')
  const sent = ['--carrier', 'DHL', '--tracking', 'JD0123', '--items', `${mug.slug}=1`]
  await run('order', 'ship', number, '--shop', mugs, ...sent)
  expect(await run('order', 'list', '--to-ship', '--shop', mugs)).toContain(number)
  await run('order', 'ship', number, '--shop', mugs)
  expect(await run('order', 'list', '--to-ship', '--shop', mugs)).not.toContain(number)

  await run('order', 'deliver', number, '--shop', mugs, '--parcel', '2')
  await run('order', 'deliver', number, '--shop', mugs)
  const { sellerOrders } = await read()
  const part = sellerOrders.find(each => each.sellerId === mug.sellerId)!
  expect(part.parcels.map(({ carrier, trackingNumber, status }) => [carrier, trackingNumber, status])).toEqual([
    ['DHL', 'JD0123', 'arrived'],
    [undefined, undefined, 'arrived'],
  ])
  expect(part.deliveryStatus).toBe('Delivered')
  await check()
})

test('a shop decides about what its customers want back, and the marketplace about what it declines', async () => {
  const { number, mugs, bowls, ask, latest, deliver, ada, refunded, mug, becomes } = await aDay()
  await run('order', 'pack', number, '--shop', mugs)
  await ask('Mug', 1, 'cancellation')
  const cancelled = (await latest()).id
  const listed = await run('return', 'list', '--shop', mugs)
  for (const what of [cancelled, number, '1 × Mug']) expect(listed).toContain(what)
  expect((await market('return', 'list', '--limit', '1')).err).toBe(
    'Only the first 1 are listed: --limit N lists more\n',
  )
  expect(await run('return', 'list', '--since', '2020-01-01')).toContain(cancelled)
  expect(await run('return', 'list', '--before', '2020-01-01')).not.toContain(cancelled)
  await run('return', 'approve', cancelled)
  await refunded(MUG_CENTS)

  await deliver()
  await ask('Mug', 1, 'return', 'damaged')
  const returned = (await latest()).id
  expect(await run('return', 'show', returned)).toContain('“Please”')
  await run('return', 'approve', returned)
  await ada.api.sendReturnBack({ returnId: returned, tracking: 'JD0456' })
  expect(await run('return', 'list', '--shop', mugs)).toContain('tracking JD0456')
  await run('return', 'received', returned, '--restock')
  await refunded(2 * MUG_CENTS)
  expect(await stockOf(db, mug)).toBe(STOCK - 1)

  await ask('Bowl', 1, 'return')
  const declined = (await latest()).id
  await run('return', 'decline', declined, '--because', 'It was used.')
  await ada.api.escalateReturn({ returnId: declined })
  expect((await market('doctor')).out).toContain('WAITING 1 return waits for your decision')
  expect(await run('return', 'list', '--shop', bowls)).toMatch(/escalated/)
  await run('return', 'decide', declined, 'refund')
  await refunded(2 * MUG_CENTS + BOWL_CENTS + SHIPPING_CENTS)
  await becomes('refunded')
  const shown = await run('order', 'show', number)
  for (const step of ['asked Ada Shop to cancel', 'asked us to decide about the return'])
    expect(shown).toContain(`The customer ${step}`)
  expect(shown).toContain('We decided in the customer’s favour')
  expect(shown).not.toMatch(/\byour?\b/i)
  await vi.waitFor(async () => expect((await market('doctor')).out).toContain('ok      0 returns wait'), PATIENCE)

  await run('order', 'refund', number, '--amount', '1.50')
  await refunded(2 * MUG_CENTS + BOWL_CENTS + SHIPPING_CENTS + 150)
  await run('order', 'refund', number)
  await payRefunds(shop.paymentContext)
  await refunded(3 * MUG_CENTS + BOWL_CENTS + 2 * SHIPPING_CENTS)
  await check()
})

test('a misspelt shop is reported, not listed as one without returns', async () => {
  expect(await market('return', 'list', '--shop', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No shop is called') as string,
  })
})

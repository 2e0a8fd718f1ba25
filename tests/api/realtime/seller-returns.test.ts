import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { events } from '#contract/realtime.ts'
import { auditEvents } from '#server/db/schema.ts'
import { packOrder } from '#server/orders/deliveries.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { BOWL_CENTS, startReturningSockets, STOCK } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningSockets()
const { db, paid, check, close, window, sellerTokens, closeWindows } = shop
afterAll(close)
afterEach(closeWindows)
afterEach(check)
const market = operatorOf(shop)

interface Answer {
  error?: string
  status?: string
  hasMore?: boolean
  returns?: { _id: string; orderId: string; words: string; pictures: { url: string }[] }[]
}

/** A seller's socket; `ask` resolves with the acknowledgement. */
async function openShop(sellerId: string) {
  const { socket, of } = await window((await sellerTokens.issue(sellerId)).token)
  return {
    ask: (event: string, said: unknown) => socket.timeout(20_000).emitWithAck(event, said) as Promise<Answer>,
    changes: () => of(events.returnChanged),
  }
}

/** A return of the bowl, and the sockets of its shop and of the other one. */
async function asked() {
  const order = await paid()
  await order.deliver()
  await order.ask('Bowl', 1, 'return', 'damaged')
  const { id: returnId } = await order.latest()
  return {
    ...order,
    returnId,
    seller: await openShop(order.bowl.sellerId),
    other: await openShop(order.mug.sellerId),
  }
}

describe('a shop over its socket', () => {
  test('sees its returns with their pictures, approves one and says that it came back', async () => {
    const { seller, returnId, orderId, ada, refunded, becomes, bowl } = await asked()
    await ada.api.addReturnPictures({ returnId, files: [new File([new Uint8Array(await photograph())], 'crack.jpg')] })

    const { returns = [] } = await seller.ask(events.getReturns, {})
    expect(returns).toMatchObject([{ _id: returnId, orderId, status: 'requested', words: 'Please' }])
    expect((await shop.request(returns[0]!.pictures[0]!.url)).status).toBe(200)

    expect(await seller.ask(events.approveReturn, { returnId })).toEqual({ status: 'approved' })
    expect(await seller.ask(events.receiveReturn, { returnId, restock: true })).toEqual({ status: 'received' })
    await refunded(BOWL_CENTS + SHIPPING_CENTS)
    await becomes('refunded')
    expect(await stockOf(db, bowl)).toBe(STOCK)
    expect(await seller.ask(events.getReturns, {})).toEqual({ returns: [], hasMore: false })
    expect((await seller.ask(events.getReturns, { all: true })).returns).toMatchObject([{ status: 'refunded' }])
    const steps = await db.select().from(auditEvents).where(eq(auditEvents.event, 'return_receive'))
    expect(steps).toHaveLength(1)
  })

  test('declines with words for the customer', async () => {
    const { seller, returnId, latest } = await asked()

    for (const answer of ['', '   ', 'x'.repeat(501), 7, undefined])
      expect(await seller.ask(events.declineReturn, { returnId, answer })).toMatchObject({
        error: expect.any(String) as string,
      })
    expect(await latest()).toMatchObject({ status: 'requested' })
    expect(await seller.ask(events.declineReturn, { returnId, answer: 'It was used.' })).toEqual({ status: 'declined' })
    expect(await latest()).toMatchObject({ status: 'declined', answer: 'It was used.' })
  })

  test('no longer sees what it has declined among what is open, until the customer asks the marketplace', async () => {
    const { seller, returnId, ada } = await asked()
    await seller.ask(events.declineReturn, { returnId, answer: 'It was used.' })

    expect((await seller.ask(events.getReturns, {})).returns).toEqual([])
    expect((await seller.ask(events.getReturns, { all: true })).returns).toMatchObject([{ _id: returnId }])
    expect((await market('return', 'list')).out).not.toContain(returnId)

    await ada.api.escalateReturn({ returnId })
    expect((await seller.ask(events.getReturns, {})).returns).toMatchObject([{ _id: returnId, status: 'escalated' }])
  })

  test('sees its oldest open return behind 200 newer ones', async () => {
    const { seller, returnId } = await asked()
    await db.execute(sql`
      insert into returns select newer.* from returns, generate_series(1, 200) as at, jsonb_populate_record(returns,
        jsonb_build_object('id', 'newer-' || at, 'created_at', created_at + at * interval '1 s')) as newer
      where returns.id = ${returnId}`)

    const newest = await seller.ask(events.getReturns, {})
    expect([newest.returns?.[0]?._id, newest.returns?.length, newest.hasMore]).toEqual(['newer-200', 200, true])
    const rest = await seller.ask(events.getReturns, { before: newest.returns!.at(-1)!._id })

    expect(rest).toMatchObject({ returns: [{ _id: returnId }], hasMore: false })
    await db.execute(sql`delete from returns where id like 'newer-%'`)
  })

  test('gets the reason when the status of a return does not allow it', async () => {
    const { seller, returnId, latest } = await asked()

    expect(await seller.ask(events.receiveReturn, { returnId })).toEqual({ error: 'This return is requested' })
    const both = await Promise.all([1, 2].map(() => seller.ask(events.approveReturn, { returnId })))
    expect(both).toContainEqual({ status: 'approved' })
    expect(both).toContainEqual({ error: 'This return is approved' })
    expect(await latest()).toMatchObject({ status: 'approved' })
  })

  test('finds no return of another shop', async () => {
    const { other, returnId, latest } = await asked()

    expect(await other.ask(events.getReturns, { all: true })).toEqual({ returns: [], hasMore: false })
    expect(await other.ask(events.getReturns, { before: returnId })).toEqual({ error: 'There is no such return' })
    for (const event of [events.approveReturn, events.receiveReturn, events.declineReturn])
      expect(await other.ask(event, { returnId, answer: 'No' })).toEqual({ error: 'There is no such return' })
    expect(await latest()).toMatchObject({ status: 'requested' })
  })

  test('is limited in how often it can try', async () => {
    const { other, returnId } = await asked()
    const answers = []
    for (let count = 0; count < 101; count += 1) answers.push(await other.ask(events.approveReturn, { returnId }))
    expect(answers.slice(0, 100).map(({ error }) => error)).not.toContain('Too many messages, please wait a minute')
    expect(answers.at(-1)).toEqual({ error: 'Too many messages, please wait a minute' })
  })

  test('learns at once what its customer and the marketplace do, in each of its windows; other shops do not', async () => {
    const order = await paid()
    await order.deliver()
    const windows = [await openShop(order.bowl.sellerId), await openShop(order.bowl.sellerId)]
    const [seller] = windows
    const other = await openShop(order.mug.sellerId)
    const { ada } = order
    await order.ask('Bowl', 1, 'return', 'damaged')
    const { id: returnId } = await order.latest()
    await ada.api.addReturnPictures({ returnId, files: [new File([new Uint8Array(await photograph())], 'crack.jpg')] })
    await seller!.ask(events.declineReturn, { returnId, answer: 'It was used.' })
    await ada.api.escalateReturn({ returnId })
    await market('return', 'decide', returnId, 'allow')
    await ada.api.sendReturnBack({ returnId, tracking: '' })
    await seller!.ask(events.receiveReturn, { returnId })
    await order.becomes('refunded')

    const statuses = [
      'requested',
      'requested',
      'declined',
      'escalated',
      'approved',
      'sent_back',
      'received',
      'refunded',
    ]
    const changes = statuses.map(status => ({ returnId, kind: 'return', status }))
    for (const each of windows) await expect.poll(each.changes, PATIENCE).toEqual(changes)
    expect(other.changes()).toEqual([])
  })

  test('learns of what the customer cancels at once, and withdraws', async () => {
    const order = await paid()
    const bowls = await openShop(order.bowl.sellerId)
    const mugs = await openShop(order.mug.sellerId)

    await order.ask('Bowl', 1, 'cancellation')
    await packOrder(db, order.orderId)
    await order.ask('Mug', 1, 'cancellation')
    const { id: returnId } = await order.latest()
    await order.ada.api.withdrawReturn({ returnId })

    const kind = 'cancellation'
    await expect.poll(bowls.changes, PATIENCE).toMatchObject([{ kind, status: 'received' }, { status: 'refunded' }])
    await expect.poll(mugs.changes, PATIENCE).toEqual([
      { returnId, kind, status: 'requested' },
      { returnId, kind, status: 'withdrawn' },
    ])
  })

  test('cannot be impersonated by a customer', async () => {
    const { ada, returnId, latest } = await asked()
    const { socket } = await window(ada.token)
    const answer = socket.timeout(1000).emitWithAck(events.approveReturn, { returnId })
    await expect(answer).rejects.toThrow('timed out')
    expect(await latest()).toMatchObject({ status: 'requested' })
  })
})

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { events } from '#contract/realtime.ts'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { notify } from '#server/notifications/notifications.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { apiAt } from '#tests/support/processes/api-at.ts'
import { startEqualProcesses } from '#tests/support/processes/equal-processes.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { connect } from '#tests/support/provider/sockets.ts'

const shop = await startEqualProcesses()
const { processes, database, secrets } = shop
const [first, second] = processes.map(({ url }) => url) as [string, string]
afterAll(shop.close)

const seller = await addSeller(database.db)
const sellerToken = (await openSellerTokens({ db: database.db, secrets }).issue(seller.id)).token
const { token } = await apiAt(first).register(newcomer('Grace'))
const { id: userId } = decodeCustomer(token)!

const windows: ReturnType<typeof connect>[] = []
afterEach(() => windows.splice(0).forEach(({ socket }) => socket.disconnect()))

async function window(url: string, bearer: string, more?: Parameters<typeof connect>[2]) {
  const opened = connect(url, bearer, more)
  windows.push(opened)
  await opened.in()
  return opened
}

/** Waits until the shop at one process is known at the other: then their sockets reach each other. */
async function windowsApart() {
  const hers = await window(first, token)
  const shops = await window(second, sellerToken)
  await expect.poll(() => hers.of(events.activeSeller)).toContainEqual([{ sellerId: seller.id }])
  return { hers, shops }
}

describe('a customer and a shop at different processes', () => {
  test('get each message once, and that it was seen', async () => {
    const { hers, shops } = await windowsApart()
    const otherWindow = await window(second, token)

    const { message } = await apiAt(first, token).sendMessage({ userId, sellerId: seller.id, text: 'Do you ship?' })
    await expect.poll(() => shops.of(events.customerMessage)).toMatchObject([{ _id: message.id }])
    await expect.poll(() => otherWindow.of(events.ownMessage)).toMatchObject([{ _id: message.id }])
    await shops.socket.emitWithAck(events.markSeen, { customerId: userId })
    await shops.socket.emitWithAck(events.sendSellerMessage, { customerId: userId, text: 'We do', clientId: 'a' })

    for (const each of [hers, otherWindow]) {
      await expect.poll(() => each.of(events.sellerMessage)).toMatchObject([{ message: 'We do' }])
      await expect.poll(() => each.of(events.messagesSeen)).toEqual([{ sellerId: seller.id, upTo: message.seq }])
    }
    expect(shops.of(events.customerMessage)).toHaveLength(1)
  })

  test('get messages that are too long for a notification of the database', async () => {
    const { shops } = await windowsApart()
    const text = '😀'.repeat(1000)

    await apiAt(first, token).sendMessage({ userId, sellerId: seller.id, text })

    await expect.poll(() => shops.of(events.customerMessage)).toMatchObject([{ message: text }])
  })

  test('get messages from a process that has no sockets of its own', async () => {
    const shops = await window(second, sellerToken)

    const { message } = await apiAt(first, token).sendMessage({ userId, sellerId: seller.id, text: 'Hello' })

    await expect.poll(() => shops.of(events.customerMessage)).toMatchObject([{ _id: message.id }])
  })

  test('see that the shop goes offline', async () => {
    const { hers, shops } = await windowsApart()

    shops.socket.disconnect()

    await expect.poll(() => hers.of(events.activeSeller).at(-1)).toEqual([])
  })

  test('connect again after the processes lost each other, and receive later messages', async () => {
    const { hers, shops } = await windowsApart()
    const ended = [hers.ended(), shops.ended()]

    await database.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (query like 'LISTEN "socket.io%' or query = 'select 1')`)

    expect(await Promise.all(ended)).toEqual(['transport close', 'transport close'])
    const again = await windowsApart()
    const { message } = await apiAt(first, token).sendMessage({ userId, sellerId: seller.id, text: 'Still there?' })
    await expect.poll(() => again.shops.of(events.customerMessage)).toMatchObject([{ _id: message.id }])
  })
})

test('each window gets a notification once, whichever process stored it', async () => {
  const [one, other] = [await window(first, token), await window(second, token)]

  await notify(database.db, { title: 'Sale', message: 'Everything', priority: 'medium', link: undefined, userId })

  for (const each of [one, other]) await expect.poll(() => each.of(events.notification)).toHaveLength(1)
  await apiAt(first, token).sendMessage({ userId, sellerId: seller.id, text: 'A later event' })
  for (const each of [one, other]) {
    await expect.poll(() => each.of(events.ownMessage)).toHaveLength(1)
    expect(each.of(events.notification)).toHaveLength(1)
  }
})

test('a shop’s windows at all processes learn of a cancellation once', async () => {
  const windows = [await window(first, sellerToken), await window(second, sellerToken)]
  const gift = await addShippable(database.db, { sellerId: seller.id, priceCents: 0, shippingPrices: { Kenya: 0 } })
  const api = apiAt(first, token)
  const { orderId } = await api.placeOrder(orderOf(userId, [gift]))
  const [part] = (await api.getReturns({ orderId })).available
  const lines = part!.lines.map(({ lineId, quantity }) => ({ lineId, quantity }))
  const about = { orderId, sellerOrderId: part!.sellerOrderId, lines, words: '' }

  const { returnId } = await api.requestReturn({ ...about, kind: 'cancellation', reason: 'mistake' })

  const changes = ['received', 'refunded'].map(status => ({ returnId, kind: 'cancellation', status }))
  for (const each of windows) await expect.poll(() => each.of(events.returnChanged), PATIENCE).toEqual(changes)
})

import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { events } from '#contract/realtime.ts'
import { createForwarder } from '#server/http/forward.ts'
import { openSellerConnection } from '#server/operators/cli/seller-connection.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { addTalkers, connect, type More, startSockets } from '#tests/support/provider/sockets.ts'

let early = 0
const shop = await startSockets({
  now: () => Date.now() - early,
  expiryCheckMs: 100,
})
afterAll(shop.close)

afterEach(shop.closeWindows)
const { grace, mallory, seller, sellerToken, write } = await addTalkers(shop)

describe('a socket', () => {
  test.each<[string, More]>([
    ['a WebSocket', { transports: ['websocket'] }],
    ['polling', { transports: ['polling'] }],
    ['polling that becomes a WebSocket', { transports: ['polling', 'websocket'] }],
  ])('carries a conversation over %s', async (transport, more) => {
    const [hers, shops] = [await shop.window(grace.token, more), await shop.window(sellerToken, more)]
    const sent = await write(grace, 'Do you ship?')
    await expect.poll(() => shops.of(events.customerMessage)).toMatchObject([{ _id: sent.id, message: 'Do you ship?' }])
    await expect.poll(() => hers.of(events.ownMessage)).toMatchObject([{ _id: sent.id, receverId: seller.id }])

    const said = { customerId: grace.id, text: 'We do', clientId: transport }
    const answer: unknown = await shops.socket.emitWithAck(events.sendSellerMessage, said)

    expect(answer).toMatchObject({ message: { message: 'We do', clientId: transport } })
    await expect
      .poll(() => hers.of(events.sellerMessage))
      .toEqual([{ ...(answer as { message: object }).message, clientId: undefined }])
    expect(await shops.socket.emitWithAck(events.sendSellerMessage, said)).toEqual(answer)
  })

  test('works through a separate storefront, and ends when that closes', async () => {
    const forwarder = createForwarder({
      providerUrl: shop.url,
      publicUrl: 'http://provider.test',
      trustedProxies: 0,
      log: { warn: () => undefined },
    })
    const front = await listen((req, res) => void forwarder.forward(req, res))
    front.server.on('upgrade', (req, socket, head) => void forwarder.upgrade(req, socket, head))
    const origin = { origin: 'http://provider.test' }
    const [socket, poll] = (['websocket', 'polling'] as const).map(transport =>
      connect(front.url, grace.token, { transports: [transport], extraHeaders: origin }),
    )
    await Promise.all([socket?.in(), poll?.in()])
    const sent = await write(grace, 'From afar')

    for (const window of [socket, poll])
      await expect.poll(() => window?.of(events.ownMessage)).toMatchObject([{ _id: sent.id }])
    const ended: unknown[] = []
    void Promise.all([socket?.ended(), poll?.ended()]).then(reasons => ended.push(...reasons))
    // Between two polls there is no connection to end.
    await expect.poll(() => (forwarder.hangUp(), ended)).toEqual(['transport close', 'transport error'])
    forwarder.close()
    await front.close()
  })

  test('sends the same events to all windows of a customer and to no other customer', async () => {
    const [one, two, hers] = [
      await shop.window(grace.token),
      await shop.window(grace.token),
      await shop.window(mallory.token),
    ]
    const shops = await shop.window(sellerToken)
    const sent = await write(grace, 'Only for you')
    await shops.socket.emitWithAck(events.markSeen, { customerId: grace.id })
    await grace.api.deleteMessage({ messageId: sent.id })

    for (const window of [one, two]) {
      await expect.poll(() => window.of(events.messageDeleted)).toHaveLength(1)
      expect(window.received.filter(([event]) => event !== events.activeSeller)).toEqual([
        [events.ownMessage, expect.objectContaining({ _id: sent.id })],
        [events.messagesSeen, { sellerId: seller.id, upTo: sent.seq }],
        [events.messageDeleted, { sellerId: seller.id, customerId: grace.id, messageId: sent.id }],
      ])
    }
    expect(hers.received.filter(([event]) => event !== events.activeSeller)).toEqual([])
  })

  test('announces which sellers are online, at once and after each change', async () => {
    const hers = await shop.window(grace.token)
    await expect.poll(() => hers.of(events.activeSeller).at(-1)).toEqual([])
    const before = hers.of(events.activeSeller).length

    const [first, second] = [await shop.window(sellerToken), await shop.window(sellerToken)]
    await expect.poll(() => hers.of(events.activeSeller).at(-1)).toEqual([{ sellerId: seller.id }])
    const later = await shop.window(mallory.token)
    await expect.poll(() => later.of(events.activeSeller)).toEqual([[{ sellerId: seller.id }]])
    expect(hers.of(events.activeSeller).slice(before)).toHaveLength(1)
    first.socket.disconnect()
    second.socket.disconnect()
    await expect.poll(() => hers.of(events.activeSeller).at(-1)).toEqual([])
  })

  test('shows a seller their customers and the customers’ messages', async () => {
    const line = await openSellerConnection({ url: shop.url, token: sellerToken })
    const first = await write(mallory, 'Hello?')
    const second = await write(mallory, 'Anybody?')

    expect(await line.customers()).toContainEqual({
      id: mallory.id,
      name: 'Mallory',
      unread: 2,
      lastMessage: 'Anybody?',
      needsAttention: false,
    })
    expect((await line.messages(mallory.id, first.id)).messages).toEqual([
      { ...second, clientId: undefined, status: 'sent' },
    ])
    await line.markSeen(mallory.id)
    expect((await mallory.api.getMessages({ sellerId: seller.id })).seenUpTo).toBe(second.seq)
    await expect(line.send('nobody', 'Buy!')).rejects.toThrow('There is no such conversation')
    await expect(line.messages(grace.id, first.id)).rejects.toThrow('There is no such message')
    line.close()
  })
})

describe('a socket connection is closed', () => {
  test('when its token expires', async () => {
    early = 10 * 60_000 - 1500
    const { token } = await shop.customer('Almost')
    early = 0
    const window = await shop.window(token)

    expect(await window.ended()).toBe('io server disconnect')
    expect(await shop.refusal(token)).toMatchObject({ data: { code: 'TOKEN_EXPIRED' } })
  })

  test('when its session ends, without closing other sessions’ connections', async () => {
    const { id, token, email, password, api } = await shop.customer('Leaving')
    const other = await shop.api.login({ email, password })
    const [first, second] = [await shop.window(token), await shop.window(other.token)]
    const ended = first.ended()
    await api.logout({})

    expect(await ended).toBe('io server disconnect')
    expect(second.socket.connected).toBe(true)
    expect(await shop.refusal(token)).toMatchObject({ data: { code: 'INVALID_TOKEN' } })
    const all = second.ended()
    await shop.sessions.revokeAll(id)
    expect(await all).toBe('io server disconnect')
  })

  test('when the seller’s tokens are revoked', async () => {
    const { id } = await addSeller(shop.db)
    const { token } = await shop.sellerTokens.issue(id)
    const shops = await shop.window(token)
    const ended = shops.ended()
    await shop.sellerTokens.revoke(id)

    expect(await ended).toBe('io server disconnect')
    expect(await shop.refusal(token)).toMatchObject({ data: { code: 'INVALID_TOKEN' } })
    await shop.window((await shop.sellerTokens.issue(id)).token)
  })

  test('when it sends too large a message', async () => {
    const shops = await shop.window(sellerToken)
    const ended = shops.ended()
    shops.socket.emit(events.sendSellerMessage, { customerId: grace.id, text: 'x'.repeat(65 * 1024), clientId: 'x' })

    expect(await ended).toBe('transport close')
  })
})

import { once } from 'node:events'
import { SignJWT } from 'jose'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { events } from '#contract/realtime.ts'
import { openSocket } from '#lib/socket.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addTalkers, startSockets } from '#tests/support/provider/sockets.ts'

let early = 0
const shop = await startSockets({
  now: () => Date.now() - early,
  expiryCheckMs: 100,
  corsOrigins: ['https://other.example'],
})
afterAll(shop.close)

afterEach(shop.closeWindows)
const { grace, mallory, seller, sellerToken, write } = await addTalkers(shop)

describe('a socket connection', () => {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('needs a valid token of this shop', async () => {
    const [, claims = '', signature = ''] = grace.token.split('.')
    const [, sellerClaims = ''] = sellerToken.split('.')
    const header = encoded({ alg: 'none', typ: 'at+jwt' })
    const foreign = (audience: string) =>
      new SignJWT({ id: grace.id, name: 'Grace', email: '', sid: 'x', version: 0 })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setIssuer('piazza')
        .setAudience(audience)
        .setSubject(seller.id)
        .setJti('x')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(new Uint8Array(32))

    for (const [token, code] of [
      [{ token: grace.token }, 'INVALID_TOKEN'],
      ['nonsense', 'INVALID_TOKEN'],
      [`${header}.${claims}.`, 'INVALID_TOKEN'],
      [`${header}.${sellerClaims}.`, 'INVALID_TOKEN'],
      [`${header}.${claims}.${signature}`, 'INVALID_TOKEN'],
      [await foreign('customer'), 'INVALID_TOKEN'],
      [await foreign('seller'), 'INVALID_TOKEN'],
      [await foreign('admin'), 'INVALID_TOKEN'],
    ] as const)
      expect([token, (await shop.refusal(token))?.data]).toEqual([token, { status: 409, code }])
  })

  test('is rejected with an expired token', async () => {
    early = 11 * 60_000
    const { token } = await shop.customer('Early')
    early = 0
    expect(await shop.refusal(token)).toMatchObject({
      message: 'Token expired, please login again',
      data: { status: 409, code: 'TOKEN_EXPIRED' },
    })
  })

  test('cannot use a customer’s token as a seller’s, or the other way round', async () => {
    const hers = await shop.window(grace.token)
    for (const event of [events.sendSellerMessage, events.getMessages]) {
      const said = { customerId: grace.id, text: 'I am the shop', clientId: 'x' }
      await expect(hers.socket.timeout(300).emitWithAck(event, said)).rejects.toThrow('timed out')
    }
    await expect(shop.apiOf(sellerToken).getAccount({})).rejects.toMatchObject({ status: 409, code: 'INVALID_TOKEN' })
  })

  test('has the identity of its token, whatever its messages claim', async () => {
    const [hers, shops] = [await shop.window(grace.token), await shop.window(sellerToken)]
    const others = await shop.window(mallory.token)
    others.socket.emit(events.addUser, grace.id, { id: grace.id, name: 'Grace Hopper' })
    others.socket.emit(events.addSeller, seller.id, { id: seller.id })
    others.socket.emit(events.sendCustomerMessage, { senderId: grace.id, receverId: seller.id, message: 'Forged' })
    others.socket.emit(events.sellerMessage, { senderId: seller.id, receverId: grace.id, message: 'Forged' })

    const sent = await write(mallory, 'It is me')

    await expect
      .poll(() => shops.of(events.customerMessage))
      .toMatchObject([{ _id: sent.id, senderId: mallory.id, senderName: 'Mallory' }])
    const second = await write(grace, 'And me')
    await expect.poll(() => hers.of(events.ownMessage)).toMatchObject([{ _id: second.id }])
    expect(hers.of(events.sellerMessage)).toEqual([])
    expect(others.of(events.ownMessage)).toMatchObject([{ _id: sent.id }])
  })

  test('is accepted only from the shop’s own or listed pages, or without a page', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://provider.test.evil.example'])
      for (const transport of ['websocket', 'polling'])
        expect(await shop.refusal(grace.token, { transports: [transport], extraHeaders: { origin } })).toBeTruthy()
    for (const origin of ['http://provider.test', 'https://other.example', shop.url]) {
      const window = await shop.window(grace.token, { extraHeaders: { origin } })
      window.socket.disconnect()
    }
    const asked = await fetch(`${shop.url}/socket.io/?EIO=4&transport=polling`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(asked.status).toBe(403)
  })

  test('is limited to five per customer, even when more are opened at once', async () => {
    const { token } = await shop.customer('Many')
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => shop.window(token)))
    const five = opened.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    expect(five).toHaveLength(5)
    expect(await shop.refusal(token)).toMatchObject({ data: { status: 429 } })
    five[0]?.socket.disconnect()
    await expect.poll(() => shop.refusal(token)).toBeNull()
  })
})

describe('a visitor’s connection', () => {
  test.each([[undefined], [null], ['']])('without a token (%j) stays open and receives nothing', async none => {
    const visitor = await shop.window(none)
    const hers = await shop.window(grace.token)
    const shops = await shop.window(sellerToken)
    visitor.socket.emit(events.addUser, grace.id, { id: grace.id, name: 'Grace Hopper' })
    for (const event of [events.sendSellerMessage, events.getMessages]) {
      const said = { customerId: grace.id, text: 'I am the shop', clientId: 'x' }
      await expect(visitor.socket.timeout(300).emitWithAck(event, said)).rejects.toThrow('timed out')
    }
    const sent = await write(grace, 'Only for the shop')
    await expect.poll(() => hers.of(events.ownMessage)).toMatchObject([{ _id: sent.id }])
    await expect.poll(() => hers.of(events.activeSeller).at(-1)).toEqual([{ sellerId: seller.id }])
    shops.socket.disconnect()
    await expect.poll(() => hers.of(events.activeSeller).at(-1)).toEqual([])

    expect(visitor.received).toEqual([])
    expect(visitor.socket.connected).toBe(true)
  })

  test('becomes a customer’s connection when a token is sent', async () => {
    const visitor = await shop.window(undefined)
    const { id: connection } = visitor.socket
    const { id, token, api } = await shop.customer('Returning')
    const identify = (said: unknown) => visitor.socket.emitWithAck(events.addUser, id, { id }, said) as Promise<unknown>

    for (const [said, code] of [
      [{ token: 'nonsense' }, 'INVALID_TOKEN'],
      [{ token: [token] }, 'INVALID_TOKEN'],
    ] as const)
      expect(await identify(said)).toEqual({ error: 'Please login first', code })
    expect(await identify(null)).toEqual({ error: 'Please login first', code: 'NO_TOKEN' })
    expect(await identify({ token })).toEqual({})
    const { message } = await api.sendMessage({ userId: id, sellerId: seller.id, text: 'Here I am' })

    await expect.poll(() => visitor.of(events.ownMessage)).toMatchObject([{ _id: message.id }])
    expect(visitor.of(events.activeSeller)).toHaveLength(1)
    expect(visitor.socket.id).toBe(connection)
    const ended = visitor.ended()
    await api.logout({})
    expect(await ended).toBe('io server disconnect')
  })

  test('keeps its customer once one is signed in', async () => {
    const window = await shop.window(undefined)
    const say = (token: string) => window.socket.emitWithAck(events.addUser, '', {}, { token }) as Promise<unknown>
    expect(await say(grace.token)).toEqual({})
    expect(await say(mallory.token)).toEqual({ error: 'This connection is another customer’s' })
    expect(await say(sellerToken)).toMatchObject({ code: 'INVALID_TOKEN' })
    await write(mallory, 'Not for Grace')
    const sent = await write(grace, 'For Grace')

    await expect.poll(() => window.of(events.ownMessage)).toMatchObject([{ _id: sent.id }])
  })

  test('of the storefront becomes a customer’s when the visitor signs in', async () => {
    const { id, name, token } = await shop.customer('Ada Visitor')
    let bearer: string | null = null
    const brought: (string | null)[] = []
    const changes: boolean[] = []
    const received: [event: string, payload: unknown][] = []
    vi.stubGlobal('location', new URL(shop.url))
    const socket = openSocket({
      token() {
        brought.push(bearer)
        return bearer
      },
      customer: () => (bearer ? { id, name } : null),
      renew: () => Promise.reject(new Error('the bearer is good')),
      onEvent: (event, payload) => void received.push([event, payload]),
      onChange: isConnected => void changes.push(isConnected),
    })
    await expect.poll(() => brought).toEqual([null])
    expect([changes, received]).toEqual([[], []])

    bearer = token
    socket.signIn()

    await expect.poll(() => changes).toEqual([true])
    await expect.poll(() => received).toEqual([[events.activeSeller, []]])
    socket.close()
    vi.unstubAllGlobals()
  })

  test('is limited to twenty per address', async () => {
    const opened = await Promise.allSettled(Array.from({ length: 22 }, () => shop.window(undefined)))

    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await shop.refusal(undefined)).toMatchObject({ data: { status: 429 } })
    expect(await shop.refusal(grace.token)).toBeNull()
  })
})

describe('a socket message', () => {
  test('beyond the rate limit gets an error', async () => {
    const { id } = await addSeller(shop.db)
    const shops = await shop.window((await shop.sellerTokens.issue(id)).token)
    const answers: unknown[] = []
    for (let at = 0; at < 101; at += 1) answers.push(await shops.socket.emitWithAck(events.getMessages, {}))

    expect(answers.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => ({ customers: [] })))
    expect(answers[100]).toEqual({ error: 'Too many messages, please wait a minute' })
  })

  test.each(['websocket', 'polling'])('after a thousand of a minute ends a connection by %s', async transport => {
    const flooding = await shop.window(undefined, { transports: [transport] })
    const ended = flooding.ended()
    for (let at = 0; at < 1000; at += 1) flooding.socket.emit('anything')
    expect(await ended).toMatch(/^transport/)
    expect(await shop.refusal(undefined)).toBeNull()
  })

  test('that is malformed gets an error, and the connection keeps working', async () => {
    const shops = await shop.window(sellerToken)
    const deep = JSON.parse('['.repeat(2000) + ']'.repeat(2000)) as unknown
    const odd: unknown[] = [null, 1, 'x', [], {}, deep, { customerId: 1 }, { __proto__: null, customerId: {} }]
    for (const event of [events.sendSellerMessage, events.markSeen])
      for (const said of odd) expect(await shops.socket.emitWithAck(event, said)).toEqual({ error: expect.any(String) })
    for (const said of [
      { customerId: '' },
      { customerId: '\0', text: 'x', clientId: 'x' },
      { customerId: grace.id, text: ' ' },
    ])
      expect(await shops.socket.emitWithAck(events.sendSellerMessage, { clientId: 'c', ...said })).toEqual({
        error: expect.any(String),
      })
    shops.socket.emit(events.sendSellerMessage)
    shops.socket.emit(events.markSeen, () => undefined)
    shops.socket.emit('error', 'x')
    expect(await shops.socket.emitWithAck(events.getMessages, {})).toHaveProperty('customers')
  })

  test('that breaks the protocol ends only its own connection', async () => {
    const shops = await shop.window(sellerToken)
    for (const frame of [
      '',
      '9',
      '4',
      '42',
      '42[',
      '40{',
      '42["x"',
      '451-["x",{"_placeholder":true,"num":9}]',
      '\0',
      '4'.repeat(999),
    ]) {
      const raw = new WebSocket(`${shop.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
      await once(raw, 'open')
      raw.send(frame)
      raw.send(Buffer.from(frame))
      raw.send('41')
      await once(raw, 'close')
    }
    const answer = await fetch(`${shop.url}/socket.io/?EIO=4&transport=polling&sid=nothing`, {
      method: 'POST',
      body: 'x',
    })
    expect(answer.status).toBe(400)
    expect(shops.socket.connected).toBe(true)
    expect(shop.faults).toEqual([])
  })
})

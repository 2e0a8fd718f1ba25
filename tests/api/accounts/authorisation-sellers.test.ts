import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { events } from '#contract/realtime.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addTalkers, startSockets } from '#tests/support/provider/sockets.ts'

const shop = await startSockets()
afterAll(shop.close)
afterEach(shop.closeWindows)
const { grace, mallory, seller, sellerToken, write } = await addTalkers(shop)
const first = await write(grace, 'Only for this shop')

/**
 * Sample events. An object is what `seller` sends about Grace. Only the provider sends `provider`
 * events. `claim` events claim an identity, which the provider ignores.
 */
const EVENTS: Record<keyof typeof events, 'provider' | 'claim' | object> = {
  addUser: 'claim',
  sendCustomerMessage: 'claim',
  addSeller: 'claim',
  sendSellerMessage: { customerId: grace.id, text: 'Pay here', clientId: 'x' },
  markSeen: { customerId: grace.id },
  getMessages: { customerId: grace.id, since: first.id },
  getReturns: { all: true },
  approveReturn: { returnId: 'x' },
  declineReturn: { returnId: 'x', answer: 'No' },
  receiveReturn: { returnId: 'x' },
  sellerMessage: 'provider',
  activeSeller: 'provider',
  ownMessage: 'provider',
  messageDeleted: 'provider',
  messagesSeen: 'provider',
  messagesRead: 'provider',
  notification: 'provider',
  customerMessage: 'provider',
  returnChanged: 'provider',
}
const NAMES = Object.keys(EVENTS) as (keyof typeof events)[]
const OF_SELLERS = NAMES.filter(name => typeof EVENTS[name] === 'object')
/** Longer than an acknowledgement takes. */
const SILENCE_MS = 500

/** Routes outside the contract, each with a sample request. None of them reads the bearer token. */
const WITHOUT_BEARER: Record<string, string> = {
  'GET /api/customer/data/:sessionId': '/api/customer/data/x',
  'GET /api/payment/sandbox/checkout.js': '/api/payment/sandbox/checkout.js',
  'GET /api/payment/sandbox/modal': '/api/payment/sandbox/modal',
  'GET /api/payment/sandbox/modal.css': '/api/payment/sandbox/modal.css',
  'GET /api/payment/sandbox/modal.js': '/api/payment/sandbox/modal.js',
  'GET /media/*': '/media/nothing',
  'GET /media/files/:id/:name': '/media/files/x/note.txt',
  'GET /media/reviews/:id': '/media/reviews/x',
  'GET /media/reviews/:id/thumbnail': '/media/reviews/x/thumbnail',
  'POST /api/end-alerts': '/api/end-alerts?token=x',
  'POST /api/payment/sandbox/pay': '/api/payment/sandbox/pay',
  'POST /api/payment/webhook/:provider': '/api/payment/webhook/sandbox',
}

/** Grace’s messages, and which of them the seller has seen. */
const seen = () => grace.api.getMessages({ sellerId: seller.id })

describe('a seller’s socket event', () => {
  test.each(OF_SELLERS)('%s: sent by a customer, is not acknowledged and changes nothing', async name => {
    const shops = await shop.window(sellerToken)
    const before = await seen()

    for (const { token } of [grace, mallory]) {
      const window = await shop.window(token)
      const said = window.socket.timeout(SILENCE_MS).emitWithAck(events[name], EVENTS[name])
      await expect(said).rejects.toThrow('timed out')
    }

    expect(await seen()).toEqual(before)
    expect(shops.received).toEqual([])
  })

  test.each(OF_SELLERS)('%s: sent by another seller, gets an error and changes nothing', async name => {
    const { id } = await addSeller(shop.db)
    const others = await shop.window((await shop.sellerTokens.issue(id)).token)
    const before = await seen()

    const answer: unknown = await others.socket.emitWithAck(events[name], EVENTS[name])

    const nothing = { error: expect.stringMatching(/^There is no such/) as string }
    expect(answer).toEqual(name === 'getReturns' ? { returns: [], hasMore: false } : nothing)
    expect(await seen()).toEqual(before)
  })
})

test('events that only the provider sends are ignored when a client sends them', async () => {
  const [hers, shops] = [await shop.window(grace.token), await shop.window(sellerToken)]
  const before = await seen()
  for (const token of [mallory.token, sellerToken]) {
    const { socket } = await shop.window(token)
    for (const name of NAMES.filter(each => typeof EVENTS[each] === 'string'))
      socket.emit(events[name], { sellerId: seller.id, customerId: grace.id, receverId: grace.id, message: 'Forged' })
  }

  const { id } = await write(grace, 'Still here')
  await expect.poll(() => shops.of(events.customerMessage)).toMatchObject([{ _id: id }])

  expect(shops.received).toHaveLength(1)
  expect(hers.received.filter(([event]) => event !== events.activeSeller)).toEqual([
    [events.ownMessage, expect.objectContaining({ _id: id }) as unknown],
  ])
  expect((await seen()).messages).toHaveLength(before.messages.length + 1)
})

test('every route of the provider is in the contract or ignores the bearer token', async () => {
  const calls = Object.values(endpoints).map(({ method, path }) => `${method} /api${path}`)
  const others = shop.routes.filter(route => !calls.includes(route))

  expect(others.toSorted()).toEqual(Object.keys(WITHOUT_BEARER))
  for (const [route, path] of Object.entries(WITHOUT_BEARER)) {
    const [method] = route.split(' ')
    const answers: object[] = []
    for (const token of [undefined, grace.token, sellerToken, 'x']) {
      const headers = { ...(token && { authorization: `Bearer ${token}` }) }
      const answer = await shop.request(path, { method, headers })
      answers.push({ route, status: answer.status, body: await answer.text() })
    }
    expect(answers).toEqual(answers.map(() => answers[0]))
  }
})

import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import { events } from '#contract/realtime.ts'
import { openSellerConnection } from '#server/operators/cli/seller-connection.ts'
import { startRelay } from '#tests/support/fakes/relay.ts'
import { freePort } from '#tests/support/ports.ts'
import { addTalkers, startSockets } from '#tests/support/provider/sockets.ts'

const RECONNECT_MS = 50

const cluster = new URL(inject('postgresUrl')!)
const relay = await startRelay(Number(cluster.port))
const shop = await startSockets({ cluster: Object.assign(new URL(cluster), { port: relay.port }).href })
const nowhere = await freePort()
const { grace, seller, sellerToken, write } = await addTalkers(shop)
afterEach(shop.closeWindows)
afterAll(async () => {
  await shop.close()
  await relay.close()
})

function loseDatabase(): void {
  relay.to(nowhere)
  relay.cut()
}

const findDatabase = () => relay.to(Number(cluster.port))

test('a shop’s message waits while the database is away, and is stored once', async () => {
  await write(grace, 'Do you ship?')
  const { socket } = await shop.window(sellerToken)
  const line = await openSellerConnection({ url: shop.url, token: sellerToken, reconnectMs: RECONNECT_MS })
  const said = { customerId: grace.id, text: 'To Ghana, too', clientId: 'too' }

  loseDatabase()
  const sending = line.send(grace.id, 'We do')
  const answer: unknown = await socket.emitWithAck(events.sendSellerMessage, said)
  findDatabase()

  expect(answer).toEqual({ error: 'Try again in a moment', code: 'UNAVAILABLE' })
  expect(await sending).toMatchObject({ text: 'We do' })
  expect(await socket.emitWithAck(events.sendSellerMessage, said)).toMatchObject({ message: { message: said.text } })
  const { messages } = await grace.api.getMessages({ sellerId: seller.id })
  expect(messages.map(({ text }) => text)).toEqual(['Do you ship?', 'We do', said.text])
  expect(shop.faults).toEqual([])
  line.close()
})

test('a shop that cannot connect while the database is away is connected again once it is back', async () => {
  const received: string[] = []
  const line = await openSellerConnection({
    url: shop.url,
    token: sellerToken,
    onMessage: ({ text }) => void received.push(text),
    reconnectMs: RECONNECT_MS,
  })

  const identify = vi.spyOn(shop.sellerTokens, 'identify')

  loseDatabase()
  await shop.restart()
  await expect.poll(() => identify.mock.settledResults[0]?.type).toBe('rejected')
  findDatabase()
  await expect.poll(() => line.customers()).toMatchObject([{ name: 'Grace Hopper' }])
  await write(grace, 'Are you there?')

  await expect.poll(() => received).toEqual(['Are you there?'])
  line.close()
})

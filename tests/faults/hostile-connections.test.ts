import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { KINDS, startFloodedShop } from '#tests/support/faults/flooded-shop.ts'
import { requestText } from '#tests/support/faults/raw-connection.ts'

const GROWTH_MB = 150
/** The limit of 30 s, plus a check every 3 s and the time to fill the clients’ buffers. */
const UNREAD_CUT_MS = 60_000
const SOCKETS = 50

let shop: Awaited<ReturnType<typeof startFloodedShop>>
beforeAll(async () => {
  shop = await startFloodedShop()
}, 120_000)
afterEach(() => shop?.leave())
afterAll(() => shop?.close())

describe.each(KINDS)('300 clients that ask for %s 200 times and read nothing', kind => {
  test.each(['', 'gzip', 'br'])('do not make the shop’s memory grow when they accept "%s"', async encoding => {
    const { grownMb, statuses } = await shop.flood(kind, { encoding })

    expect(grownMb).toBeLessThan(GROWTH_MB)
    expect(statuses).toEqual([200])
  })

  test('are disconnected', async () => {
    await shop.flood(kind)

    await expect.poll(() => shop.connectionCount(), { timeout: UNREAD_CUT_MS, interval: 500 }).toBeLessThan(SOCKETS)
    expect(await shop.visit()).toEqual([200, 200, 200, 200])
  })
})

test.each(['POST', 'GET'])('a slowly sent body of a %s request is cut off', async method => {
  const clients = await shop.drip(requestText('/products', { 'content-length': '1000' }, method), SOCKETS)
  const times: number[] = []

  await addTime(times, () => Promise.all(clients.map(({ closed }) => closed)))

  printFigure(`slowly sent bodies of ${method} requests cut off`, spreadOf(times, 100), 'about 60 s')
  expect(await shop.visit()).toEqual([200, 200, 200, 200])
})
